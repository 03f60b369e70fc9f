// A backup: all durable data, in a format that every engine writes and reads.
// It leaves out what lives for minutes (challenges, leases) and secrets (webhooks, which hold their signing keys). API keys are
// included as their stored hashes: these do not reveal a key, and all keys still work after a restore.
import { DirectoryError } from '../domain/errors.ts'
import { type ProbeRecord, readProbe } from '../domain/standing/probes.ts'
import { say } from '../messages/message.ts'

/** A row of one kind; the fields are those of the kind. */
export type BackupRecord = { readonly kind: string } & Readonly<Record<string, unknown>>

/**
 * A restored store skips this many numbers, so that a bare number that was issued after the backup never means another write;
 * cursors also name the timeline.
 */
export const SEQ_JUMP = 1_000_000

/** @param former whether the probe is from before its service moved */
export const toProbeBackup = (probe: ProbeRecord, former: boolean): BackupRecord => ({
  kind: 'probe',
  ...probe,
  ...(former && { former }),
})

export function fromProbeBackup(record: BackupRecord) {
  const { kind: _, former = false, ...probe } = record
  return { probe: readProbe(probe), former: former === true }
}

/** Computes where counting continues after a restore. */
export class Recount {
  seq = 0
  event = 0
  #counted = 0
  /** Older backups contain none. */
  hasTimelines = false

  put(record: BackupRecord): void {
    const { kind } = record
    if (kind === 'service') this.seq = Math.max(this.seq, record.seq as number)
    else if (kind === 'event') this.event = Math.max(this.event, record.number as number)
    else if (kind === 'timeline') this.hasTimelines = true
    else if (kind === 'counter') {
      this.#counted = record.seq as number
      this.event = Math.max(this.event, (record.event as number | undefined) ?? 0)
    }
  }

  /** How many numbers the next write skips. */
  get gap(): number {
    return Math.max(0, this.#counted - this.seq) + SEQ_JUMP
  }
}

export const notEmpty = () => new DirectoryError('invalid_request', say('store_not_empty'))

export const unknownKind = (kind: unknown) =>
  new DirectoryError('invalid_request', say('backup_kind_unknown', { kind: JSON.stringify(kind) ?? '' }))

/** A row that the engine rejects cannot come from a valid backup. */
export const toRestoreError = (error: unknown): unknown =>
  error instanceof DirectoryError
    ? error
    : new DirectoryError('invalid_request', say('backup_row_unfit'), [], { cause: error })
