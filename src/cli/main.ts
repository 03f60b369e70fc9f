// The entry of the launcher: runs the command line and ends with its exit code.
import { runLine } from './run-line.ts'
import { endQuietlyWithTheReader } from './text/terminal.ts'

endQuietlyWithTheReader()
process.exitCode = await runLine(process.argv.slice(2))
