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
