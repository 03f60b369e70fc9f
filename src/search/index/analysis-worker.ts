// The thread that reads words: it numbers the terms it meets, and tells the text of each once.

import { grown } from '../../memory/growing.ts'
import { TermTexts } from '../../memory/string-table.ts'
import { yieldToOtherThreads } from '../../runtime/thread-priority.ts'
import { createAnalyzer } from '../text/analyzer.ts'
import { FIELDS, type FromWordsThread, type ToWordsThread } from './analysis-thread.ts'
import { DocumentTerms, type SearchDocument } from './document-terms.ts'

declare const self: Worker

/** The thread that serves goes first where cores are few: it has a page to apply, and these words are for the next. */
const NICENESS = 5
yieldToOtherThreads(NICENESS)

const texts = new TermTexts()
let fresh: string[] = []
const lexicon = {
  get size() {
    return texts.size
  },
  add(term: string) {
    const size = texts.size
    const number = texts.add(term)
    if (number === size) fresh.push(term)
    return number
  },
}
const terms = new DocumentTerms(lexicon, createAnalyzer())
let numbers = new Uint32Array(1024)
let impacts = new Uint8Array(1024)

function documentAt({ text, fieldEnds }: ToWordsThread, index: number): SearchDocument {
  const first = index * FIELDS.length
  const field = (i: number) => text.slice(fieldEnds[first + i - 1] ?? 0, fieldEnds[first + i])
  return { name: field(0), description: field(1), category: field(2), endpoint: field(3) }
}

self.onmessage = ({ data }: MessageEvent<ToWordsThread>) => {
  const ends = new Uint32Array(data.fieldEnds.length / FIELDS.length)
  let count = 0
  for (let i = 0; i < ends.length; i++) {
    terms.read(documentAt(data, i))
    numbers = grown(numbers, count + terms.count)
    impacts = grown(impacts, count + terms.count)
    for (let j = 0; j < terms.count; j++) {
      const number = terms.numbers[j]!
      numbers[count] = number
      impacts[count++] = terms.impact(number)
    }
    ends[i] = count
  }
  const words = { fresh, numbers: numbers.slice(0, count), impacts: impacts.slice(0, count), ends }
  fresh = []
  self.postMessage(words satisfies FromWordsThread, [words.numbers.buffer, words.impacts.buffer, ends.buffer])
}
