import type { DirectoryReads } from '../../app/calling.ts'
import { type Config, loadConfig } from '../../app/config.ts'
import { DirectoryError } from '../../domain/errors.ts'
import type { ServiceCaller } from '../../domain/purchases/paid-calls.ts'
import { createCallTool } from '../../mcp/call-tool.ts'
import { openStdio } from '../../mcp/stdio.ts'
import { systemClock } from '../../runtime/clock.ts'
import { listenForEnd } from '../end-signals.ts'
import { EXIT, type Line, UsageError } from '../syntax/command.ts'
import { paying } from '../syntax/shared-options.ts'
import { printMessage } from '../text/terminal.ts'

/** How long requests that are open at the end of the input may take. */
const DRAIN_MS = 10_000

export async function runMcp({ flags, switches }: Line): Promise<number> {
  const spends = Object.keys(flags).find(name => name in paying || name === 'ask-above')
  if (spends !== undefined && !switches.has('pay'))
    throw new UsageError(`--${spends} needs --pay: without it, nothing is paid.`)
  const config = loadConfig(flags)
  using signals = listenForEnd()
  const input = inputEnded()
  const waiting = new AbortController()
  void Promise.race([signals.first, input]).then(() => waiting.abort())
  await using parts = new AsyncDisposableStack()
  const directory =
    flags.url === undefined ? await openLocal(config, parts, waiting.signal) : await openRemote(config)
  const onFault = (tool: string, error: unknown) =>
    printMessage(`${tool} failed: ${error instanceof Error ? (error.stack ?? error.message) : error}`)
  const caller = switches.has('pay') ? await openCaller(config, directory, parts) : undefined
  const stdio = parts.use(
    openStdio(directory, {
      title: config.directoryName,
      key: config.key,
      callTool: caller && createCallTool(caller, { clock: systemClock, onFault }),
      onFault,
    }),
  )
  await Promise.race([signals.first, input])
  const done = new AbortController()
  await Promise.race([signals.first, stdio.drain(), systemClock.sleep(DRAIN_MS, done.signal)])
  done.abort()
  return EXIT.fine
}

// A host starts one server per conversation: for a remote directory it loads no catalog, search or store.

async function openLocal(config: Config, parts: AsyncDisposableStack, signal: AbortSignal) {
  const { openReader } = await import('../../app/local.ts')
  return parts.use(await openReader(config, { signal })).directory
}

async function openRemote(config: Config) {
  const { createClient } = await import('../../http/client/client.ts')
  return createClient(config)
}

/** The tool itself reports what is missing: hosts show nothing of a server that did not start. */
async function openCaller(
  config: Config,
  directory: DirectoryReads,
  parts: AsyncDisposableStack,
): Promise<ServiceCaller> {
  const { openCalling } = await import('../../app/calling.ts')
  try {
    return parts.use(await openCalling(config, directory, systemClock)).caller
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    printMessage(error.message)
    const missing = new DirectoryError('forbidden', error.said)
    return { call: () => Promise.reject(missing) }
  }
}

/** A host closes the input of a server that it no longer needs. */
const inputEnded = (): Promise<void> =>
  new Promise(resolve => {
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve())
  })
