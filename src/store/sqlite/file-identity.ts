// Detects whether the files that a connection has open are still those at their paths. The engine keeps a deleted, moved or replaced
// file open and goes on writing to it, so those writes would be lost.

import type { Database } from 'bun:sqlite'
import { type BigIntStats, realpathSync, statSync } from 'node:fs'
import { type Message, say } from '../../messages/message.ts'
import { readNumber } from './schema.ts'

type FileId = { readonly path: string; readonly dev: bigint; readonly ino: bigint }

/** Files are identified by device and inode, as the engine does for its locks. */
const statFile = (path: string): BigIntStats | undefined =>
  statSync(path, { bigint: true, throwIfNoEntry: false })

/** The log is next to the file itself, not next to a symbolic link to it. */
export const logOf = (db: Database): string => `${realpathSync(db.filename)}-wal`

export class FileIdentity {
  readonly #db: Database
  readonly #file: FileId
  readonly #log: FileId | undefined
  /** Size of the file when it was last complete. */
  #size: bigint
  #isCut = false

  /** The connection must be open, so that its log exists. */
  constructor(db: Database) {
    this.#db = db
    this.#file = toFileId(db.filename)
    this.#size = statSync(db.filename, { bigint: true }).size
    const log = logOf(db)
    this.#log = statFile(log) && toFileId(log)
  }

  /** undefined if all files are in place. */
  trouble(): Message | undefined {
    try {
      const file = statFile(this.#file.path)
      if (!file) return say('store_file_gone')
      if (!isSame(file, this.#file)) return say('store_file_replaced')
      const log = this.#log && statFile(this.#log.path)
      if (this.#log && !(log && isSame(log, this.#log))) return say('store_log_gone')
      if (file.size < this.#size) this.#judgeShrunk(file.size)
      else this.#size = file.size
      // Truncated data is lost, even when the engine makes the file grow again.
      return this.#isCut ? say('store_file_cut') : undefined
    } catch {
      return say('store_file_unseen')
    }
  }

  /** The engine itself shrinks the file on VACUUM; then the pages missing from the file are in the log. */
  #judgeShrunk(shrunkSize: bigint): void {
    if (shrunkSize === 0n) this.#isCut = true
    // Inside a transaction page_count includes pages that are not yet written.
    if (this.#isCut || this.#db.inTransaction) return
    const expected = readNumber(this.#db, 'PRAGMA page_count') * readNumber(this.#db, 'PRAGMA page_size')
    // Log before file: a checkpoint writes pages to the file before it removes them from the log.
    const logSize = (this.#log && statFile(this.#log.path)?.size) ?? 0n
    const size = statFile(this.#file.path)?.size ?? 0n
    if (size + logSize < expected) this.#isCut = true
    else this.#size = size
  }
}

function toFileId(path: string): FileId {
  const { dev, ino } = statSync(path, { bigint: true })
  return { path, dev, ino }
}

const isSame = (stats: BigIntStats, { dev, ino }: FileId): boolean => stats.dev === dev && stats.ino === ino
