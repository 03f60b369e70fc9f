// Runs one line after the other, for tests of what commands do: a process that has done one needs a tenth of the work for the next.
// Started by warm.ts, which reads what it writes up to the mark that ends each line.
import { runLine } from '../../src/cli/run-line.ts'
import type { TypedLine } from './warm.ts'

process.on('message', async ({ args, cwd, env, stdin, mark }: TypedLine) => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  Bun.stdin.stream = () => new Blob([stdin]).stream()
  const code = await runLine(args)
  // What waits for the end of the process, such as a log, shall not wait for that of all lines.
  for (const listener of process.listeners('exit')) listener.call(process, code)
  process.removeAllListeners('exit')
  for (const stream of [process.stdout, process.stderr]) stream.write(mark)
  process.send!(code)
})
process.on('disconnect', () => process.exit())
