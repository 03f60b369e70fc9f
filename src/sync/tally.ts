// Counts the results of a sync.

/** Called with the number of entries read, and their share of the total, if the source states it. */
export type SyncProgress = (read: number, fraction: number | undefined) => void

export type SyncReport = {
  readonly url: string
  /** The recognised kind of source; null if none was. */
  readonly kind: string | null
  readonly added: number
  readonly changed: number
  readonly removed: number
  readonly vanished: number
  readonly known: number
  /** Entries that the source has from another directory, which has to be followed itself. */
  readonly forwarded: number
  readonly skipped: number
  readonly problems: readonly string[]
  /** Whether its history was replaced, so that everything was read and compared again. */
  readonly readAnew: boolean
}

export class Tally {
  added = 0
  changed = 0
  removed = 0
  /** Retired because they are no longer listed. */
  vanished = 0
  /** Already listed or removed locally: left unchanged. */
  known = 0
  forwarded = 0
  skipped = 0
  readAnew = false
  /** The first skipped items. */
  readonly problems: string[] = []

  report(url: string, kind: SyncReport['kind']): SyncReport {
    const { added, changed, removed, vanished, known, forwarded, skipped, problems, readAnew } = this
    return { url, kind, added, changed, removed, vanished, known, forwarded, skipped, problems, readAnew }
  }

  countSkipped(problem: string): void {
    if (this.skipped++ < MAX_PROBLEMS) this.problems.push(problem)
  }
}

const MAX_PROBLEMS = 50
