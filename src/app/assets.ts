// The operator's table of chains and assets.
import { readFileSync } from 'node:fs'
import { addOperatorAssets } from '../domain/chains/assets.ts'

/** Adds it to the tables of this thread; to be called before they are used. @returns problems; if there are any, nothing is added */
export function loadAssets(path: string | undefined): string[] {
  if (path === undefined) return []
  let document: unknown
  try {
    document = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return [`ASSETS: ${path} cannot be read as JSON: ${(error as Error).message}`]
  }
  return addOperatorAssets(document).map(problem => `ASSETS: ${path}: ${problem}`)
}
