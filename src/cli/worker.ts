// One of several processes on the same port, started and ended by workers.ts.

import { loadConfig } from '../app/config.ts'
import { serveUntilEnd } from './commands/serve.ts'
import { explain } from './text/explain.ts'
import type { WorkerOptions } from './workers.ts'

const { port, sample, isFirst } = JSON.parse(process.argv[3]!) as WorkerOptions

const serve = async () =>
  serveUntilEnd(
    loadConfig({ port: String(port) }),
    { sample, sharesPort: true, listensWhenReady: !isFirst, mustExist: !isFirst },
    { announce: listening => void process.send?.(listening), isFirst },
  )
process.exit(await serve().catch(error => explain(error)))
