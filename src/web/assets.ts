// The files that pages load. Their URLs contain a hash of the content, so that browsers cache them permanently.
import { readFileSync } from 'node:fs'
import { codeFile } from '../package/files.ts'

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
/** Only for the sign-in page. */
export const WALLET_SCRIPT = read('wallet.js')
export const FAVICON = readFileSync(codeFile('web/favicon.ico'))
/** For link previews, in the size that consumers of Open Graph recommend. */
export const PICTURE = { path: '/picture.png', width: 1200, height: 630 } as const
export const PICTURE_FILE = readFileSync(codeFile('web/picture.png'))

export const STYLE_ADDRESS = versioned('/style.css', STYLE)
export const SCRIPT_ADDRESS = versioned('/script.js', SCRIPT)
export const WALLET_ADDRESS = versioned('/wallet.js', WALLET_SCRIPT)
