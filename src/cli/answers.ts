// What is made of an answer. Whoever listens at the address may answer anything.
import { loadConfig } from '../app/config.ts'
import { notADirectory } from '../http/client/answers.ts'
import type { Line } from './command.ts'

/** @throws DirectoryError where the answer has not the shape that a directory gives it: that is no fault of ours */
export function fromAnswer<T>({ flags }: Pick<Line, 'flags'>, make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw notADirectory(loadConfig(flags).url, error)
  }
}
