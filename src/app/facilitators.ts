// The operator's table of facilitators.
import { readFileSync } from 'node:fs'
import { type Facilitators, readFacilitators } from '../chain/facilitators.ts'
import { ConfigError } from './config.ts'

/** @throws ConfigError */
export function loadFacilitators(path: string | undefined): Facilitators {
  if (path === undefined) return readFacilitators()
  const read = <T>(from: () => T): T => {
    try {
      return from()
    } catch (error) {
      throw new ConfigError([`FACILITATORS: ${path} ${(error as Error).message}.`])
    }
  }
  const text = read(() => {
    try {
      return readFileSync(path, 'utf8')
    } catch (error) {
      throw new Error(`cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  })
  return read(() => readFacilitators(text))
}
