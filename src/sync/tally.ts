// What a reading of a source has brought.

/** Is told how much was read, and which part of all that is, where the source says how much there is. */
export type SyncProgress = (read: number, fraction: number | undefined) => void

export type SyncReport = {
  readonly url: string
  /** What was recognised there; null where nothing was. */
  readonly kind: string | null
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly vanished: number
  readonly known: number
  /** Ids that another source, or this directory, has too. */
  readonly conflicts: number
  readonly skipped: number
  readonly problems: readonly string[]
  /** Its history is another one than before, so that everything was read and compared. */
  readonly readAnew: boolean
}

export class Tally {
  added = 0
  changed = 0
  removed = 0
  /** Taken out of service because they are no longer listed. */
  vanished = 0
  /** Here already, or removed here: left as it is. */
  known = 0
  conflicts = 0
  skipped = 0
  readAnew = false
  /** What was skipped or in conflict, the first of each. */
  readonly problems: string[] = []

  report(url: string, kind: SyncReport['kind']): SyncReport {
    const { added, changed, removed, vanished, known, conflicts, skipped, problems, readAnew } = this
    return { url, kind, added, changed, removed, vanished, known, conflicts, skipped, problems, readAnew }
  }

  countSkipped(problem: string): void {
    if (this.skipped++ < MAX_PROBLEMS) this.problems.push(problem)
  }

  conflict(sentence: string): void {
    if (this.conflicts++ < MAX_PROBLEMS) this.problems.push(sentence)
  }
}

const MAX_PROBLEMS = 50
