// Whether the files that a connection has open are still those that their names lead to. The engine holds on to a file
// that was removed, moved or replaced, and goes on writing where nobody will ever read it.

import type { Database } from 'bun:sqlite'
import { type BigIntStats, realpathSync, statSync } from 'node:fs'
import { type Message, say } from '../../messages/message.ts'
import { readNumber } from './schema.ts'

type Seen = { readonly path: string; readonly dev: bigint; readonly ino: bigint }

/** A file is told from another by the device and the number it has there, as the engine does for its locks. */
const see = (path: string): BigIntStats | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })

export class FileIdentity {
  readonly #db: Database
  readonly #file: Seen
  readonly #log: Seen | undefined
  /** As long as it was last seen whole. */
  #size: bigint
  #isCut = false

  /** To be made when the connection is open: its log is there then. */
  constructor(db: Database) {
    this.#db = db
    this.#file = toSeen(db.filename)
    this.#size = statSync(db.filename, { bigint: true }).size
    // The log lies beside the file itself, wherever a link to it lies.
    const log = `${realpathSync(db.filename)}-wal`
    this.#log = see(log) && toSeen(log)
  }

  /** undefined: all are in their places. */
  trouble(): Message | undefined {
    try {
      const file = see(this.#file.path)
      if (!file) return say('store_file_gone')
      if (!isSame(file, this.#file)) return say('store_file_replaced')
      const log = this.#log && see(this.#log.path)
      if (this.#log && !(log && isSame(log, this.#log))) return say('store_log_gone')
      if (file.size < this.#size) this.#judgeShrunk(file.size)
      else this.#size = file.size
      // What was cut off does not come back when the engine lets the file grow again.
      return this.#isCut ? say('store_file_cut') : undefined
    } catch {
      return say('store_file_unseen')
    }
  }

  /** The engine makes its file smaller when it is told to tidy up; even then what is not in the file is in the log. */
  #judgeShrunk(seen: bigint): void {
    if (seen === 0n) this.#isCut = true
    // Amid a transaction it counts pages that are nowhere yet.
    if (this.#isCut || this.#db.inTransaction) return
    const expected = readNumber(this.#db, 'PRAGMA page_count') * readNumber(this.#db, 'PRAGMA page_size')
    // In this order: what leaves the log meanwhile is in the file before.
    const logSize = (this.#log && see(this.#log.path)?.size) ?? 0n
    const size = see(this.#file.path)?.size ?? 0n
    if (size + logSize < expected) this.#isCut = true
    else this.#size = size
  }
}

function toSeen(path: string): Seen {
  const { dev, ino } = statSync(path, { bigint: true })
  return { path, dev, ino }
}

const isSame = (found: BigIntStats, { dev, ino }: Seen): boolean => found.dev === dev && found.ino === ino
