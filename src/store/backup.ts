// A backup: everything that is kept, in a form of its own that every engine writes and reads.
// Left out is what lives for minutes (challenges, leases) and what would be a secret in a file (webhooks, which hold the keys that
// they sign with). API keys are in it as the hashes that are kept of them: no key can be made from one, and all go on working.
import { DirectoryError } from '../domain/errors.ts'
import { type ProbeRecord, readProbe } from '../domain/probes.ts'
import { say } from '../messages/message.ts'

/** A row of one kind; the fields are those of the kind. */
export type BackupRecord = { readonly kind: string } & Readonly<Record<string, unknown>>

/**
 * A restored store goes on counting from further on, so that a bare number that was handed out after the backup is not taken for
 * another; cursors also name the timeline.
 */
export const SEQ_JUMP = 1_000_000

/** @param former of where its service was before it moved */
export const toProbeBackup = (probe: ProbeRecord, former: boolean): BackupRecord => ({
  kind: 'probe',
  ...probe,
  ...(former && { former }),
})

export function fromProbeBackup(record: BackupRecord) {
  const { kind: _, former = false, ...probe } = record
  return { probe: readProbe(probe), former: former === true }
}

/** Where to go on counting after what a backup holds. */
export class Recount {
  seq = 0
  event = 0
  #counted = 0
  /** Backups of older versions hold none. */
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

  /** How many numbers the next write leaves free. */
  get gap(): number {
    return Math.max(0, this.#counted - this.seq) + SEQ_JUMP
  }
}

export const notEmpty = () => new DirectoryError('invalid_request', say('store_not_empty'))

export const unknownKind = (kind: unknown) =>
  new DirectoryError('invalid_request', say('backup_kind_unknown', { kind: JSON.stringify(kind) ?? '' }))

/** A row that the engine refuses cannot have been written by it. */
export const toRestoreError = (error: unknown): unknown =>
  error instanceof DirectoryError
    ? error
    : new DirectoryError('invalid_request', say('backup_row_unfit'), [], { cause: error })
