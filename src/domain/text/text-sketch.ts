// A sketch of a text in 16 bytes, for finding near-copies: min-hashes over shingles of three words (Broder, 1997), one for each of 16
// bins (one permutation hashing: Li, Owen and Zhang, 2012). Letters are mapped to their look-alikes and summed up per word, so that
// look-alikes and swapped letters change nothing. In scripts without spaces each character is a word. The constants are fixed: every
// process computes the same sketch.
import { prototypeOf } from './skeleton.ts'

export const SKETCH_BYTES = 16
const BIN_SHIFT = 28
const VALUE_MASK = 0x0fff_ffff
const EMPTY = 0xffff_ffff
/** In shorter texts a similarity means nothing. */
const MIN_WORDS = 5
const ASCII = 0x80
/** Scripts without spaces between words: Thai to Burmese, kana and ideographs. */
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\u{20000}-\u{3ffff}]/u
const LETTER = /[\p{L}\p{N}]/u

/** A finalizer of MurmurHash3: every input bit affects half of the output bits. */
function mix(number: number): number {
  let h = number | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** The value that a letter adds to its word; 0 if it ends the word. */
const LETTERS = Uint32Array.from({ length: ASCII }, (_, code) => {
  const character = String.fromCharCode(code)
  return LETTER.test(character) ? hashOf(prototypeOf(character)) : 0
})
// Two letters that look like one add up to the value of that one.
for (const [one, two] of [
  ['m', 'rn'],
  ['w', 'vv'],
] as const) {
  const sum = [...two].reduce((sum, letter) => sum + LETTERS[letter.charCodeAt(0)]!, 0) >>> 0 || 1
  LETTERS[one.charCodeAt(0)] = sum
  LETTERS[one.toUpperCase().charCodeAt(0)] = sum
}

function hashOf(prototype: string): number {
  return mix((prototype.codePointAt(0) ?? 0) + 0x9e37_79b9) || 1
}

/** Writes the sketch of a text; zeros if it is too short for one. */
export function writeSketch(text: string, bytes: Uint8Array, at: number): void {
  const shingles = new Shingles()
  let word = 0
  const end = () => {
    if (word !== 0) shingles.add(word)
    word = 0
  }
  const plain = isAscii(text) ? text : text.normalize('NFKD')
  for (let i = 0; i < plain.length; i++) {
    const code = plain.charCodeAt(i)
    if (code < ASCII) {
      const value = LETTERS[code]!
      if (value === 0) end()
      else word = (word + value) >>> 0
      continue
    }
    const character = String.fromCodePoint(plain.codePointAt(i)!)
    if (character.length > 1) i++
    const prototype = prototypeOf(character)
    if (prototype === '') continue
    if (UNSPACED.test(prototype)) {
      end()
      shingles.add(hashOf(prototype))
    } else if (LETTER.test(prototype)) {
      const first = prototype.charCodeAt(0)
      word = (word + (first < ASCII ? LETTERS[first]! : hashOf(prototype))) >>> 0
    } else if (!/\p{M}/u.test(prototype)) end()
  }
  end()
  if (shingles.words < MIN_WORDS) bytes.fill(0, at, at + SKETCH_BYTES)
  else for (let bin = 0; bin < SKETCH_BYTES; bin++) bytes[at + bin] = shingles.valueIn(bin)
}

/** Collects the words of a text, and puts each run of three into its bin. */
class Shingles {
  words = 0
  readonly #bins = new Uint32Array(SKETCH_BYTES).fill(EMPTY)
  #before = 0
  #beforeThat = 0

  add(word: number): void {
    if (++this.words >= 3) {
      const shingle = mix(
        Math.imul(this.#beforeThat, 0x2545_f491) + Math.imul(this.#before, 0x9e37_79b1) + word,
      )
      const bin = shingle >>> BIN_SHIFT
      const value = shingle & VALUE_MASK
      if (value < this.#bins[bin]!) this.#bins[bin] = value
    }
    this.#beforeThat = this.#before
    this.#before = word
  }

  /** An empty bin takes its value from the next filled one, and includes the distance: two texts agree only if both did the same. */
  valueIn(bin: number): number {
    let steps = 0
    while (this.#bins[(bin + steps) % SKETCH_BYTES] === EMPTY) steps++
    return mix(this.#bins[(bin + steps) % SKETCH_BYTES]! + Math.imul(steps, 0x27d4_eb2f)) & 0xff || 1
  }
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= ASCII) return false
  return true
}
