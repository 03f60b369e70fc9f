/** Returns the result of `make`, which is called once, on first use. The result must not depend on when that is. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
