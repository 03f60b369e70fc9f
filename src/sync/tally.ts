/** What a reading of a source has brought. */
export class Tally {
  added = 0
  changed = 0
  removed = 0
  /** Taken out of service because they are no longer listed. */
  vanished = 0
  /** Here already, or removed here: left as it is. */
  known = 0
  skipped = 0
  /** The first reasons of what was skipped. */
  readonly problems: string[] = []

  skip(problem: string): void {
    this.skipped++
    if (this.problems.length < MAX_PROBLEMS) this.problems.push(problem)
  }
}

const MAX_PROBLEMS = 50
