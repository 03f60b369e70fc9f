// The backup file: one JSON object per line. The first is a header, the last holds count and checksum, so that damage is detected.

import { DirectoryError } from '../domain/errors.ts'
import { type Message, say } from '../messages/message.ts'
import type { BackupRecord } from './backup.ts'

/** Raised when a reader of this version could not read the new format. */
const VERSION = 2

export async function* toBackupLines(
  records: AsyncIterable<BackupRecord>,
  at: Date,
): AsyncGenerator<string, void> {
  const digest = new Bun.CryptoHasher('sha256')
  let count = 0
  const sum = (line: string): string => {
    digest.update(line)
    return line
  }
  yield sum(JSON.stringify({ backup: 'shirube', version: VERSION, at: at.toISOString() }))
  for await (const record of records) {
    count++
    yield sum(JSON.stringify(record))
  }
  yield JSON.stringify({ end: true, records: count, sha256: digest.digest('hex') })
}

/** @throws DirectoryError `invalid_request` as soon as damage is detected, at the latest at the end */
export async function* readBackupLines(lines: AsyncIterable<string>): AsyncGenerator<BackupRecord, void> {
  const digest = new Bun.CryptoHasher('sha256')
  let count = -1
  let isEnded = false
  for await (const line of lines) {
    if (isEnded) throw damaged(say('backup_goes_on'))
    const value = parse(line, count + 2)
    if (count < 0) checkHead(value)
    else if (value.end === true) {
      isEnded = true
      if (value.records !== count || value.sha256 !== digest.digest('hex'))
        throw damaged(say('backup_other_sum'))
      continue
    } else yield value as BackupRecord
    digest.update(line)
    count++
  }
  if (count < 0) throw foreign()
  if (!isEnded) throw damaged(say('backup_without_end'))
}

function parse(line: string, number: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    if (number === 1) throw foreign()
  }
  throw number === 1 ? foreign() : damaged(say('backup_line_unreadable', { line: number }))
}

function checkHead({ backup, version }: Readonly<Record<string, unknown>>): void {
  if (backup !== 'shirube' || typeof version !== 'number') throw foreign()
  if (version > VERSION) {
    throw new DirectoryError('invalid_request', say('backup_newer'))
  }
}

const foreign = () => new DirectoryError('invalid_request', say('not_a_backup'))
const damaged = (why: Message) => new DirectoryError('invalid_request', say('backup_damaged', { why }))
