import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'

// One pattern for each: alternatives inside alternatives match nothing.
const SHAPING = ['src/{catalog,search,memory,domain}/**/*.ts', 'data/*.{bin,txt}'].map(
  pattern => new Glob(pattern),
)

/** Names whatever shapes the catalog's memory: the code of these folders, the data they read, and what runs them. */
export function codeStamp(root: string): string {
  const files = SHAPING.flatMap(pattern => [...pattern.scanSync(root)]).sort()
  let hash = BigInt(Bun.hash(`${Bun.version} ${process.arch}`))
  for (const file of files)
    hash = BigInt(Bun.hash(readFileSync(join(root, file)), BigInt(Bun.hash(file, hash))))
  return hash.toString(16)
}
