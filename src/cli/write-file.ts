import { rename, rm, stat } from 'node:fs/promises'
import { CommandFailed, type Line } from './syntax/command.ts'
import { confirm } from './text/terminal.ts'

/** Asks before a file is overwritten. @throws CommandFailed without a yes, or without a terminal to ask at */
export async function assertWritable(path: string, { switches }: Line): Promise<void> {
  if (path === '-' || switches.has('force')) return
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return
  if (!(await confirm(`${path} exists. Overwrite it?`)))
    throw new CommandFailed(`${path} exists and was left as it is. --force overwrites it.`)
}

/** The file appears complete or not at all. */
export async function writeFile(path: string, pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  const unfinished = `${path}.${process.pid}.part`
  try {
    const writer = Bun.file(unfinished).writer()
    for await (const piece of pieces) {
      writer.write(piece)
      await writer.flush()
    }
    await writer.end()
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    // System errors have a syscall; errors of the store are passed on.
    const { code, syscall } = error as NodeJS.ErrnoException
    throw syscall === undefined ? error : new CommandFailed(`The file ${path} cannot be written (${code}).`)
  }
}
