/** Returns what `make` returns, made when it is first asked for, and never again. It must not depend on when that is. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
