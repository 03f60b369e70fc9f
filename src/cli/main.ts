// What the launchers start: runs the line that was typed, and ends with its exit code.
import { runLine } from './run-line.ts'
import { endQuietlyWithTheReader } from './terminal.ts'

endQuietlyWithTheReader()
process.exitCode = await runLine(process.argv.slice(2))
