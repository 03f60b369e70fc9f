// The licences of the libraries that a bundle holds: each asks that its notice goes with every copy.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

type Manifest = {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly author?: string | { readonly name: string }
}

/** @param inputs the files of a bundle, from the current folder on */
export function collectNotices(inputs: readonly string[]): string {
  const folders = new Set(
    inputs.filter(input => input.includes('node_modules/')).map(input => packageOf(resolve(input))),
  )
  const notices = [...folders].map(toNotice).sort()
  return [
    'The code in this folder holds code of the packages below, under these licences.\n',
    ...new Set(notices),
  ].join(`\n${'-'.repeat(80)}\n\n`)
}

/** Folders inside a package may have a manifest without a name, which says what kind of modules they hold. */
function packageOf(path: string): string {
  const folder = dirname(path)
  const file = join(folder, 'package.json')
  const isPackage = existsSync(file) && readManifest(folder).version !== undefined
  return isPackage ? folder : packageOf(folder)
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

function toNotice(folder: string): string {
  const { name, version, license, author } = readManifest(folder)
  if (license === undefined) throw new Error(`${name} names no licence: it cannot be put into the package.`)
  const files = readdirSync(folder).filter(file => /^(licen[cs]e|notice|copying)/i.test(file))
  const by = typeof author === 'string' ? author : author?.name
  const texts = files.sort().map(file => readFileSync(join(folder, file), 'utf8').trim())
  return [`${name} ${version}: ${license}${by ? `, by ${by}` : ''}`, ...texts].join('\n\n').concat('\n')
}
