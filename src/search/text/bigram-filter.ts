// Tells quickly that a text does not hold a hint: by the pairs of neighbouring characters that are in it. A text is asked
// for a hundred hints and holds few, and to search it for each costs more than to read it once.

/** Bits for pairs, so many that an ordinary sentence sets few of them. */
const PAIR_BITS = 512

const bitOf = (first: number, second: number): number =>
  (Math.imul(first, 31) + Math.imul(second, 7)) & (PAIR_BITS - 1)

/** A text that is asked for hints. */
export type HintedText = { readonly text: string; readonly pairs: Int32Array }

export function toHintedText(text: string): HintedText {
  const pairs = new Int32Array(PAIR_BITS >> 5)
  for (let at = 1; at < text.length; at++) {
    const bit = bitOf(text.charCodeAt(at - 1), text.charCodeAt(at))
    pairs[bit >> 5]! |= 1 << (bit & 31)
  }
  return { text, pairs }
}

export type Hint = { readonly text: string; readonly pairs: readonly number[] }

export function toHint(text: string): Hint {
  const pairs: number[] = []
  for (let at = 1; at < text.length; at++) pairs.push(bitOf(text.charCodeAt(at - 1), text.charCodeAt(at)))
  return { text, pairs }
}

export function holdsHint({ text, pairs }: HintedText, hint: Hint): boolean {
  for (let i = 0; i < hint.pairs.length; i++) {
    const bit = hint.pairs[i]!
    if ((pairs[bit >> 5]! & (1 << (bit & 31))) === 0) return false
  }
  return text.includes(hint.text)
}
