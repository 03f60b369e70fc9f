import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Config, loadConfig } from '../../app/config.ts'
import { buildServer } from '../../mcp/server.ts'
import { loadBuyer } from '../buyer-package.ts'
import { listenForEnd } from '../end-signals.ts'
import { EXIT, type Line, paying, UsageError } from '../syntax/command.ts'
import { printMessage } from '../text/terminal.ts'

export async function runMcp({ flags, switches }: Line): Promise<number> {
  const spends = Object.keys(flags).find(name => name in paying || name === 'ask-above')
  if (spends !== undefined && !switches.has('pay'))
    throw new UsageError(`--${spends} needs --pay: without it, nothing is paid.`)
  const config = loadConfig(flags)
  using signals = listenForEnd()
  const input = inputEnded()
  const waiting = new AbortController()
  void Promise.race([signals.first, input]).then(() => waiting.abort())
  await using disposables = new AsyncDisposableStack()
  const directory =
    flags.url === undefined ? await openLocal(config, disposables, waiting.signal) : await openRemote(config)
  const onFault = (tool: string, error: unknown) =>
    printMessage(`${tool} failed: ${error instanceof Error ? (error.stack ?? error.message) : error}`)
  const callTool = switches.has('pay')
    ? await (await loadBuyer()).openCallTool(config, directory, { disposables, onFault })
    : undefined
  const options = { title: config.directoryName, key: config.key, callTool, onFault }
  const served = serveStdio(() => buildServer(directory, options), { maxSubscriptions: 0 })
  disposables.defer(() => served.close())
  await Promise.race([signals.first, input])
  return EXIT.fine
}

// A host starts one server per conversation: for a remote directory it loads no catalog, search or store.

async function openLocal(config: Config, disposables: AsyncDisposableStack, signal: AbortSignal) {
  const { openReader } = await import('../../app/local.ts')
  return disposables.use(await openReader(config, { signal })).directory.forKey(config.key)
}

async function openRemote(config: Config) {
  const { createClient } = await import('../../http/client/client.ts')
  return createClient(config)
}

/** A host closes the input of a server that it no longer needs. */
const inputEnded = (): Promise<void> =>
  new Promise(resolve => {
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve())
  })
