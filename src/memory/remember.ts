/** Remembers answers by text: few spellings occur, and all of them again and again. Forgets everything when there are too many. */
export function remember<T>(most: number, find: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return text => {
    let answer = known.get(text)
    if (answer === undefined && !known.has(text)) {
      answer = find(text)
      if (known.size >= most) known.clear()
      known.set(text, answer)
    }
    return answer as T
  }
}
