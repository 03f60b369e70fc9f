// The entry of the launcher: runs the command line and ends with its exit code.
import { runLine } from './run-line.ts'
import { WORKER } from './syntax/command.ts'
import { endQuietlyWithTheReader } from './text/terminal.ts'

endQuietlyWithTheReader()
const args = process.argv.slice(2)
// A process of `serve --workers`.
if (args[0] === WORKER) await import('./worker.ts')
else process.exitCode = await runLine(args)
