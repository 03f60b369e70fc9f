// What searchers get to see: how often each service was among the first answers to a sentence, in this process, lately.

/** More services than this are not kept apart. */
const MAX_SERVICES = 10_000
/** The first of an answer are what the searcher looks at. */
export const MAX_TOLD = 3

export class Demand {
  #counts = new Map<string, number>()

  add(id: string): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
    if (this.#counts.size > MAX_SERVICES) this.#halve()
  }

  of(id: string): number {
    return this.#counts.get(id) ?? 0
  }

  /** What was asked for once is forgotten first, and what was asked for long ago in the end. */
  #halve(): void {
    const kept = [...this.#counts].map(([id, count]) => [id, count >> 1] as const)
    this.#counts = new Map(kept.filter(([, count]) => count > 0))
  }
}
