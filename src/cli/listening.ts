// What a server says at its start, or why it did not start.
import { CommandFailed } from './command.ts'

export type Listening = { readonly urls: readonly string[]; readonly firstKey?: string | undefined }

export function listeningText(directoryName: string, { urls, firstKey }: Listening): string {
  const lines = [`${directoryName} is listening: ${urls.join(' ')}`]
  if (firstKey !== undefined) lines.push(`A first API key, shown this once only: ${firstKey}`)
  return lines.join('\n')
}

export function toStartFailure(error: unknown, port: number): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'EADDRINUSE') {
    return new CommandFailed(
      `Port ${port} is in use already. End what listens there, or choose another with --port.`,
    )
  }
  if (code === 'EACCES')
    return new CommandFailed(`Port ${port} may not be used here. Choose one above 1023 with --port.`)
  return error
}
