// The words of many documents, read on a thread of its own: at the first start of a large catalog the one that serves has
// enough to do with the rest, and where there are several cores nothing waits for words.
import type { SearchDocument } from './document-terms.ts'
import type { Lexicon } from './lexicon.ts'

/** The terms of a document: those from `from` to `to`. */
export type DocumentWords = {
  readonly numbers: Uint32Array
  readonly impacts: Uint8Array
  readonly from: number
  readonly to: number
}
/** The words of several documents in their order; undefined: read them yourself. */
export type Words = readonly DocumentWords[] | undefined

export interface WordsAhead extends Disposable {
  /** Never fails: a thread that does not work is done without. */
  read(documents: readonly (SearchDocument | null)[]): Promise<Words>
}

/** The fields of all documents in one text, which is handed over faster than many. */
export type ToWordsThread = { readonly text: string; readonly fieldEnds: Uint32Array }
/** Terms have the thread's own numbers, given out one after the other; those that are new come with their texts. */
export type FromWordsThread = {
  readonly fresh: readonly string[]
  readonly numbers: Uint32Array
  readonly impacts: Uint8Array
  /** Where the terms of each document end. */
  readonly ends: Uint32Array
}

export const FIELDS = ['name', 'description', 'category', 'endpoint'] as const

/** Where the languages are others than those the thread knows. */
export const NO_WORDS_AHEAD: WordsAhead = {
  read: () => Promise.resolve(undefined),
  [Symbol.dispose]() {},
}

export function openWordsAhead(lexicon: Pick<Lexicon, 'add'>): WordsAhead {
  const worker = new Worker(new URL('./analysis-worker.ts', import.meta.url).href)
  const waiting: ((words: Words) => void)[] = []
  let isOpen = true
  /** Our number of each term, by the thread's. */
  const known: number[] = []

  worker.onmessage = ({ data }: MessageEvent<FromWordsThread>) => {
    for (const term of data.fresh) known.push(lexicon.add(term))
    const { numbers, impacts, ends } = data
    for (let i = 0; i < numbers.length; i++) numbers[i] = known[numbers[i]!]!
    const words: DocumentWords[] = []
    for (let i = 0; i < ends.length; i++)
      words.push({ numbers, impacts, from: i === 0 ? 0 : ends[i - 1]!, to: ends[i]! })
    waiting.shift()?.(words)
  }
  worker.onerror = close
  worker.addEventListener('close', close)

  function close(): void {
    isOpen = false
    worker.terminate()
    for (const resolve of waiting.splice(0)) resolve(undefined)
  }

  return {
    read(documents) {
      if (!isOpen) return Promise.resolve(undefined)
      const fieldEnds = new Uint32Array(documents.length * FIELDS.length)
      let text = ''
      let count = 0
      for (const document of documents)
        for (const field of FIELDS) {
          if (document) text += document[field]
          fieldEnds[count++] = text.length
        }
      worker.postMessage({ text, fieldEnds } satisfies ToWordsThread, [fieldEnds.buffer])
      return new Promise(resolve => waiting.push(resolve))
    },
    [Symbol.dispose]: close,
  }
}
