import { writeFileSync } from 'node:fs'
import { temporaryPath } from '../store/temporary-path.ts'

/** The path of a new key file with these lines, that only its owner can read. */
export function keyFileOf(...keys: readonly string[]): string {
  const path = temporaryPath('buyer.key')
  writeFileSync(path, keys.join('\n'), { mode: 0o600 })
  return path
}
