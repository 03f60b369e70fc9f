// One of several processes on the same port, started and ended by workers.ts.

import { loadConfig } from '../app/config.ts'
import { openApp } from '../app/server.ts'
import { EMPTY_TEXT, findLinkToken, listenForEnd, toStartFailure } from './end-signals.ts'
import { EXIT } from './syntax/command.ts'
import { explain } from './text/explain.ts'
import { printMessage } from './text/terminal.ts'
import type { WorkerOptions } from './workers.ts'

async function serve({ port, sample, isFirst }: WorkerOptions): Promise<number> {
  using signals = listenForEnd()
  const ended = signals.first
  const waiting = new AbortController()
  void ended.then(() => waiting.abort())
  const config = loadConfig({ port: String(port) })
  const app = await openApp(config, {
    sample,
    merchants: sample,
    asksPublicNodes: !sample,
    sharesPort: true,
    listensWhenReady: !isFirst,
    mustExist: !isFirst,
    signal: waiting.signal,
  }).catch(error => {
    if (waiting.signal.aborted) return undefined
    throw toStartFailure(error, config)
  })
  if (!app) return EXIT.fine
  const linkToken = isFirst ? await findLinkToken(app) : undefined
  process.send?.({ urls: app.urls, firstKey: app.firstKey, linkToken })
  const readied = app.ready.then(async () => {
    // Printed once: the other workers have the same catalog.
    if (isFirst && (await app.directory.health()).services === 0) printMessage(EMPTY_TEXT)
  })
  readied.catch(error => {
    printMessage(`The catalog could not be loaded: ${error instanceof Error ? error.message : error}`)
    process.exit(EXIT.failed)
  })
  if ((await ended) !== 'SIGINT') await app.leave()
  await app[Symbol.asyncDispose]()
  return EXIT.fine
}

const options = JSON.parse(process.argv[3]!) as WorkerOptions
process.exit(await serve(options).catch(error => explain(error)))
