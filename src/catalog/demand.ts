// How often each service was recently among the first hits of an intent search, in this process.

/** Maximum number of services counted. */
const MAX_SERVICES = 10_000
/** Hits counted per search: the first ones, which a reader looks at. */
export const MAX_COUNTED_HITS = 3

export class Demand {
  #counts = new Map<string, number>()

  add(id: string): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
    if (this.#counts.size > MAX_SERVICES) this.#halve()
  }

  of(id: string): number {
    return this.#counts.get(id) ?? 0
  }

  /** Exponential decay: single hits are dropped first, old ones eventually. */
  #halve(): void {
    const halved = [...this.#counts].map(([id, count]) => [id, count >> 1] as const)
    this.#counts = new Map(halved.filter(([, count]) => count > 0))
  }
}
