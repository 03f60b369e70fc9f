// What the contracts of the tests are compiled from, and by what.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export const FILES = ['token.sol', 'permit2.sol', 'batch.sol']
export const read = name => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')

export const digestOf = texts => createHash('sha256').update(texts.join('\n')).digest('hex')

/** Of the sources, of how they are compiled, and of the version of the compiler. */
export function digestOfSources() {
  const manifest = new URL('../../package.json', import.meta.url)
  const { solc } = JSON.parse(readFileSync(manifest, 'utf8')).devDependencies
  return digestOf([solc, read('compile.mjs'), ...FILES.map(read)])
}
