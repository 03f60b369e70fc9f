// Formats a directory's response, which may come from any server at the address.
import { loadConfig } from '../../app/config.ts'
import { notADirectory } from '../../http/client/client.ts'
import type { Line } from '../syntax/command.ts'

/** @throws DirectoryError if the response does not have the shape of a directory's: not a fault of ours */
export function formatAnswer<T>({ flags }: Pick<Line, 'flags'>, make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw notADirectory(loadConfig(flags).url, error)
  }
}
