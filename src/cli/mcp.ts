import { loadConfig } from '../app/config.ts'
import { openReader } from '../app/server.ts'
import { createClient } from '../http/client/client.ts'
import { openStdio } from '../mcp/stdio.ts'
import { EXIT, type Line } from './command.ts'
import { firstSignal } from './first-signal.ts'
import { say } from './terminal.ts'

export async function runMcp({ flags }: Line): Promise<number> {
  const config = loadConfig(flags)
  const ended = Promise.race([firstSignal(), inputEnded()])
  const waiting = new AbortController()
  void ended.then(() => waiting.abort())
  await using parts = new AsyncDisposableStack()
  const directory =
    flags.url === undefined
      ? parts.use(await openReader(config, { signal: waiting.signal })).directory
      : createClient(config)
  parts.use(
    openStdio(directory, {
      title: config.directoryName,
      key: config.key,
      onFault: (tool, error) =>
        say(`${tool} failed: ${error instanceof Error ? (error.stack ?? error.message) : error}`),
    }),
  )
  await ended
  return EXIT.fine
}

/** The host closes the input of a server that it no longer needs. */
const inputEnded = (): Promise<void> =>
  new Promise(resolve => {
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve())
  })
