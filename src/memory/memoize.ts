/** Caches results by text, for inputs with few distinct values. Cleared as a whole when there are more than `max`. */
export function memoize<T>(max: number, compute: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>()
  return text => {
    let result = cache.get(text)
    if (result === undefined && !cache.has(text)) {
      result = compute(text)
      if (cache.size >= max) cache.clear()
      cache.set(text, result)
    }
    return result as T
  }
}

/** Returns the result of `make`, which is called once, on first use. The result must not depend on when that is. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/**
 * Numbers in memory that the owner moves or overwrites at its next call. They can be read, and copied with `slice`; the type has no
 * other methods, so that a view is not retained by mistake.
 */
export interface Borrowed<A extends Uint8Array | Int8Array | Uint32Array | Int32Array | Float32Array> {
  readonly length: number
  readonly [index: number]: number
  slice(start?: number, end?: number): A
}
