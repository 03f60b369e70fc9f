export type Remembered<T> = ((text: string) => T) & {
  /** For who changes what answers are made from. */
  readonly forget: () => void
}

/** Remembers answers by text: few spellings occur, and all of them again and again. Forgets everything when there are too many. */
export function remember<T>(most: number, find: (text: string) => T): Remembered<T> {
  const known = new Map<string, T>()
  const answerTo = (text: string): T => {
    let answer = known.get(text)
    if (answer === undefined && !known.has(text)) {
      answer = find(text)
      if (known.size >= most) known.clear()
      known.set(text, answer)
    }
    return answer as T
  }
  return Object.assign(answerTo, { forget: () => known.clear() })
}
