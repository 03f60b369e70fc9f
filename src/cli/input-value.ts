// The input of a call: JSON, a file that contains it, or standard input.

import { joinChunks } from './read-records.ts'
import { CommandFailed, UsageError } from './syntax/command.ts'
import { openInput } from './text/terminal.ts'

const MAX_INPUT_BYTES = 1024 * 1024

/** @returns undefined if none was given @throws UsageError */
export async function readInput(given: string | undefined, flag = '--input'): Promise<unknown> {
  if (given === undefined) return undefined
  const isFile = given.startsWith('@')
  const text = isFile || given === '-' ? await readText(isFile ? given.slice(1) : given) : given
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(
      flag === '--input'
        ? `--input must be JSON, like '{"city":"Tokyo"}', @<file> or -.`
        : `${flag} must name a file with JSON.`,
    )
  }
}

/** Of a file, or of standard input for `-`. @throws CommandFailed */
export async function readText(path: string): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of await openInput(path)) {
    length += piece.length
    if (length > MAX_INPUT_BYTES) throw new CommandFailed(`${path} is larger than 1 MiB.`)
    pieces.push(piece.slice())
  }
  return new TextDecoder().decode(joinChunks(pieces))
}
