// Whether the files that a connection has open are still those that their names lead to. The engine holds on to a file
// that was removed, moved or replaced, and goes on writing where nobody will ever read it.
import { type BigIntStats, realpathSync, statSync } from 'node:fs'

const REMOVED = 'The file of the store was removed or moved; put it back, or start again with the right one.'
const REPLACED =
  'Another file is in the place of the store; put the first one back, or start again to use this one.'
const LOG_GONE =
  'The log beside the file of the store was removed or replaced; stop the process, so that it puts what the log holds into the file, and start it again.'
const UNSEEN = 'The file of the store cannot be looked at; check its disk, and the permissions of its folder.'

type Seen = { readonly path: string; readonly dev: bigint; readonly ino: bigint }

/** A file is told from another by the device and the number it has there, as the engine does for its locks. */
const see = (path: string): BigIntStats | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })

export class FilePlace {
  readonly #file: Seen
  readonly #log: Seen | undefined

  /** To be made when the connection is open: its log is there then. */
  constructor(path: string) {
    this.#file = toSeen(path)
    // The log lies beside the file itself, wherever a link to it lies.
    const log = `${realpathSync(path)}-wal`
    this.#log = see(log) && toSeen(log)
  }

  /** A sentence for everybody; undefined: all are in their places. */
  trouble(): string | undefined {
    try {
      const file = see(this.#file.path)
      if (!file) return REMOVED
      if (!isSame(file, this.#file)) return REPLACED
      const log = this.#log && see(this.#log.path)
      return this.#log && !(log && isSame(log, this.#log)) ? LOG_GONE : undefined
    } catch {
      return UNSEEN
    }
  }
}

function toSeen(path: string): Seen {
  const { dev, ino } = statSync(path, { bigint: true })
  return { path, dev, ino }
}

const isSame = (found: BigIntStats, { dev, ino }: Seen): boolean => found.dev === dev && found.ino === ino
