// The operator's table of chains and assets.
import { readFileSync } from 'node:fs'
import { addOperatorAssets } from '../domain/operator-assets.ts'
import { ConfigError } from './config.ts'

/** Adds it to the tables of this thread, before anything is read by them. @throws ConfigError that names every fault */
export function loadAssets(path: string | undefined): void {
  if (path === undefined) return
  let document: unknown
  try {
    document = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new ConfigError([`ASSETS: ${path} cannot be read as JSON: ${(error as Error).message}`])
  }
  const problems = addOperatorAssets(document)
  if (problems.length > 0) throw new ConfigError(problems.map(problem => `ASSETS: ${path}: ${problem}`))
}
