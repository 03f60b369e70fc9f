// The files that pages load. Their addresses carry a hash of the content, so that a browser keeps them for good.
import { readFileSync } from 'node:fs'
import { codeFile } from '../runtime/package-files.ts'

const read = (name: string): string => readFileSync(codeFile(`web/${name}`), 'utf8')
const versioned = (path: string, text: string): string => `${path}?v=${Bun.hash(text).toString(36)}`

/** In this order: later rules win. */
const STYLES = [
  'base',
  'frame',
  'controls',
  'search',
  'filters',
  'results',
  'compare',
  'service',
  'call',
  'register',
  'owner',
  'overview',
  'service-head',
  'chart',
  'reference',
  'widths',
]

export const STYLE = STYLES.map(name => read(`style/${name}.css`)).join('\n')
export const SCRIPT = read('script.js')
/** For the page to sign in alone. */
export const WALLET_SCRIPT = read('wallet.js')
export const FAVICON = readFileSync(codeFile('web/favicon.ico'))

export const STYLE_ADDRESS = versioned('/style.css', STYLE)
export const SCRIPT_ADDRESS = versioned('/script.js', SCRIPT)
export const WALLET_ADDRESS = versioned('/wallet.js', WALLET_SCRIPT)
