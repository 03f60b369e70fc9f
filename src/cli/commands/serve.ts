import { availableParallelism } from 'node:os'
import { type Config, loadConfig } from '../../app/config.ts'
import { type AppOptions, openApp } from '../../app/server.ts'
import { createClient } from '../../http/client/client.ts'
import {
  assertHostsKnown,
  EMPTY_TEXT,
  findLinkToken,
  type Listening,
  listenForEnd,
  listeningText,
  toLocal,
  toStartFailure,
} from '../end-signals.ts'
import { EXIT, type Line, UsageError } from '../syntax/command.ts'
import { print, printMessage } from '../text/terminal.ts'
import { runWorkers } from '../workers.ts'

const MAX_WORKERS = 256

export async function runServe({ flags, switches }: Line): Promise<number> {
  const config = loadConfig(flags)
  if (switches.has('healthcheck')) {
    await createClient({ url: localUrl(config) }).health()
    return EXIT.fine
  }
  const sample = switches.has('sample')
  await assertHostsKnown(config)
  if (flags.workers !== undefined) return runWorkers(config, { workers: readWorkers(flags.workers), sample })

  return serveUntilEnd(
    config,
    { sample },
    { announce: listening => print(listeningText(config, listening)), isFirst: true },
  )
}

/**
 * Serves until a signal ends it.
 * @param isFirst whether it tells what only one of several processes on a port does
 */
export async function serveUntilEnd(
  config: Config,
  { sample = false, ...options }: AppOptions,
  {
    announce,
    isFirst,
  }: { readonly announce: (listening: Listening) => void | Promise<void>; readonly isFirst: boolean },
): Promise<number> {
  // Registered first: a signal while the catalog loads must not leave the store half open.
  using signals = listenForEnd()
  const ended = signals.first
  const waiting = new AbortController()
  void ended.then(() => waiting.abort())
  const app = await openApp(config, {
    ...options,
    sample,
    merchants: sample,
    asksPublicNodes: !sample,
    signal: waiting.signal,
  }).catch(error => {
    if (waiting.signal.aborted) return undefined
    throw toStartFailure(error, config)
  })
  if (!app) return EXIT.fine
  const { urls, firstKey } = app
  await announce({ urls, firstKey, linkToken: isFirst ? await findLinkToken(app) : undefined })
  // Not awaited before the address is told: its reader may stop after it.
  const readied = app.caughtUp.then(async () => {
    if (isFirst && (await app.directory.health()).services === 0) printMessage(EMPTY_TEXT)
  })
  readied.catch(error => {
    printMessage(`The catalog could not be loaded: ${error instanceof Error ? error.message : error}`)
    process.exit(EXIT.failed)
  })
  // Ctrl+C in a terminal needs no handover to other processes.
  if ((await ended) !== 'SIGINT') await app.leave()
  await app[Symbol.asyncDispose]()
  return EXIT.fine
}

/** Where a server with these settings answers on its own machine. */
function localUrl({ hosts, port }: Pick<Config, 'hosts' | 'port'>): string {
  const [host = ''] = hosts
  return toLocal(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
}

function readWorkers(text: string): number {
  if (text === 'auto') return availableParallelism()
  const workers = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (workers >= 1 && workers <= MAX_WORKERS) return workers
  throw new UsageError(`--workers must be auto or a whole number from 1 to ${MAX_WORKERS}, not "${text}".`)
}
