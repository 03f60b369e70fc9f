/** Lets requests run between two steps of long work. */
export const yieldToEventLoop = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Like `Promise.all` over a map, but with at most `limit` calls in progress. Results keep the order of the items. */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  limit: number,
  toResult: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length)
  // Shared by all workers: each takes the next item once it is done with its last.
  const queue = items.entries()
  async function work(): Promise<void> {
    for (const [i, item] of queue) results[i] = await toResult(item, i)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  return results
}

/** Runs at most `limit` pieces of work at a time; the others wait for their turn, each for a turn of the event loop of its own. */
export function createBounded(limit: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async work => {
    if (running < limit) running++
    else await new Promise<void>(resolve => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) setImmediate(next)
      else running--
    }
  }
}
