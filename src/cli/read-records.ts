// Reads the records of a file, in any of the formats that can be imported.
import { BrokenDocument, JsonItems } from '../runtime/json-items.ts'

/** Far above the limit of a registration body. */
const MAX_LINE_BYTES = 1024 * 1024
const NEWLINE = 0x0a

type NumberedLine = { readonly number: number } & ({ readonly text: string } | { readonly problem: string })

/** Blank lines are counted and skipped. */
async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine> {
  const pieces: Uint8Array[] = []
  let length = 0
  let number = 0
  const append = (piece: Uint8Array) => {
    length += piece.length
    // Bytes above the limit are counted and dropped.
    if (length <= MAX_LINE_BYTES) pieces.push(piece)
  }
  const take = (): NumberedLine | undefined => {
    number++
    const line = length > MAX_LINE_BYTES ? TOO_LONG : decode(pieces)
    pieces.length = 0
    length = 0
    return 'text' in line && line.text.trim() === '' ? undefined : { number, ...line }
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      append(chunk.subarray(from, end))
      from = end + 1
      const line = take()
      if (line) yield line
    }
    // The stream may reuse the chunk, so the rest is copied.
    if (from < chunk.length) append(chunk.slice(from))
  }
  const last = take()
  if (last) yield last
}

export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

const TOO_LONG = { problem: `is longer than ${MAX_LINE_BYTES} bytes` }

function decode(pieces: readonly Uint8Array[]): { text: string } | { problem: string } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(joinChunks(pieces)) }
  } catch {
    return { problem: 'is not valid UTF-8' }
  }
}

// Finds the records of an import in a file by its content: lines of JSON, or one document with a list (an export, a Bazaar list, a
// plain list).

/** A record, or why it could not be read. */
export type FoundRecords = {
  /** `line 3`, `item 12`. */
  readonly place: string
  /** The list in the document; empty outside of one. */
  readonly list: string
} & ({ readonly value: unknown } | { readonly problem: string })

const LISTS = ['', 'endpoints', 'items', 'resources', 'data', 'data.items', 'data.resources']
/** The first key of a document that is too long to be parsed before its kind is known: of an export or of a list. */
const DOCUMENT =
  /^\{\s*"(version|source|exportedAt|endpoints|x402Version|items|resources|pagination|partialResults|searchMethod|payTo|success|data)"\s*:/
const HEAD_BYTES = 1024 * 1024

export async function* readRecords(input: AsyncIterable<Uint8Array>): AsyncGenerator<FoundRecords> {
  const chunks = input[Symbol.asyncIterator]()
  const head = await readHead(chunks)
  const all = prepend(head, chunks)
  yield* isDocument(head) ? readDocument(all) : readJsonLines(all)
}

/** Reads to the end of the first non-blank line. */
async function readHead(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for (let isPastBlank = false; length < HEAD_BYTES; ) {
    const { value, done } = await chunks.next()
    if (done) break
    pieces.push(value)
    length += value.length
    const text = new TextDecoder().decode(value)
    const first: number = isPastBlank ? 0 : text.search(/\S/)
    isPastBlank ||= first >= 0
    if (isPastBlank && text.indexOf('\n', Math.max(0, first)) >= 0) break
  }
  return joinChunks(pieces)
}

async function* prepend(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield head
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

function isDocument(head: Uint8Array): boolean {
  const text = new TextDecoder().decode(head).trimStart()
  const line = text.split('\n', 1)[0]!.trim()
  if (line === '{' || line.startsWith('[')) return true
  if (!line.startsWith('{')) return false
  try {
    const value = JSON.parse(line)
    // A registration body may contain a list among its further fields; an object with an endpoint is a record.
    return !('endpoint' in value) && hasList(value)
  } catch {
    return DOCUMENT.test(text)
  }
}

const hasList = (document: unknown): boolean => LISTS.some(path => Array.isArray(valueAt(document, path)))

const valueAt = (document: unknown, path: string): unknown =>
  path === ''
    ? document
    : path
        .split('.')
        .reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], document)

async function* readJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FoundRecords> {
  for await (const line of readLines(chunks)) {
    const place = `line ${line.number}`
    yield 'problem' in line
      ? { place, list: '', problem: line.problem }
      : { place, list: '', ...parse(line.text) }
  }
}

async function* readDocument(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FoundRecords> {
  const items = new JsonItems(LISTS)
  let count = 0
  try {
    for await (const chunk of chunks) {
      for (const { list, text } of items.push(chunk)) yield { place: `item ${++count}`, list, ...parse(text) }
    }
    const frame = items.end()
    if (count === 0 && !hasList(frame)) yield { place: 'item 1', list: '', value: frame }
  } catch (error) {
    if (!(error instanceof BrokenDocument)) throw error
    // Items before the error are complete; nothing after it can be separated.
    yield { place: count === 0 ? 'document' : `after item ${count}`, list: '', problem: error.message }
  }
}

function parse(text: string): { value: unknown } | { problem: string } {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { problem: 'is not JSON' }
  }
}
