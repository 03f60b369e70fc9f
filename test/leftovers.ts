// Loaded before the test files of a process. With `npm test` many of them share it, one after the other, and each begins with what the
// one before has left behind: a file that changes something of the process itself puts it back, or fails.
import { afterAll, expect } from 'bun:test'
import { setAssetTable, withAssets } from '../src/domain/chains/assets.ts'
import { setChainTable, withChains } from '../src/domain/chains/chains.ts'
import { forgetIds } from './entries.ts'
import { removeTemporaryFiles } from './store/temporary-path.ts'

/** What a test may want to replace for a while. */
const REPLACEABLE: readonly (readonly [holder: object, names: readonly string[]])[] = [
  [globalThis, ['fetch', 'Date', 'setTimeout', 'setInterval', 'clearTimeout', 'clearInterval']],
  [Date, ['now']],
  [Math, ['random']],
  [performance, ['now']],
  [crypto, ['getRandomValues', 'randomUUID']],
  [console, ['log', 'info', 'warn', 'error']],
  [process, ['exit', 'kill']],
]

const look = () => ({
  folder: process.cwd(),
  variables: { ...process.env },
  functions: REPLACEABLE.map(([holder, names]) => names.map(name => Reflect.get(holder, name))),
})

/** The built-in tables: a test that adds an operator's chains and assets adds them for the whole process. */
const [chains, assets] = [withChains([]), withAssets([])]

let before = look()
afterAll(() => {
  setChainTable(chains)
  setAssetTable(assets)
  removeTemporaryFiles()
  forgetIds()
  const [was, is] = [before, look()]
  // Whoever comes next is not at fault.
  before = is
  expect(is).toEqual(was)
})
