// Reads the items of lists in a JSON document while it arrives, so that a document of any size is never in memory as a whole.

/** Memory bound for one item, and for the document apart from its items. */
const MAX_BUFFERED = 4 * 1024 * 1024

export type JsonItem = {
  /** The path of its list, as keys joined by dots: `data.items`; empty if the document itself is the list. */
  readonly list: string
  /** The JSON text, not parsed yet. */
  readonly text: string
}

/** The document is incomplete or not JSON. */
export class BrokenDocument extends Error {
  override readonly name = 'BrokenDocument'
}

/** White space, a text, a sign, or a number or word. */
const TOKEN = /\s+|"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/y
/** May go on in the next chunk. */
const OPEN_ENDED = /^[^"{}[\],:]/

/** An object or a list that is not closed yet. */
type Container = {
  /** Of an object: the last key. */
  key: string
  /** Its path if its items are returned. */
  readonly list: string | undefined
}

/**
 * Parses a document in chunks. Items of the named lists are returned one by one; the rest of the document, with 0 in place of each item,
 * is the frame that `end` returns. Whether commas are missing or too many is found out there, as in any JSON.
 */
export class JsonItems {
  readonly #lists: ReadonlySet<string>
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  readonly #open: Container[] = []
  #unread = ''
  #frame = ''
  #lastText = ''
  #item = ''
  #itemDepth = 0

  constructor(lists: Iterable<string>) {
    this.#lists = new Set(lists)
  }

  /** @throws BrokenDocument */
  *push(chunk: Uint8Array): Generator<JsonItem> {
    yield* this.#read(this.#unread + this.#decode(chunk), false)
    if (Math.max(this.#unread.length, this.#item.length, this.#frame.length) > MAX_BUFFERED)
      throw new BrokenDocument(`One item of the document is larger than ${MAX_BUFFERED} bytes`)
  }

  /** Returns the document without its items. @throws BrokenDocument */
  end(): unknown {
    for (const _ of this.#read(this.#unread + this.#decode(), true));
    if (this.#unread !== '' || this.#open.length > 0)
      throw new BrokenDocument('The document ends before it is complete')
    return parse(this.#frame)
  }

  #decode(chunk?: Uint8Array): string {
    try {
      return chunk ? this.#decoder.decode(chunk, { stream: true }) : this.#decoder.decode()
    } catch {
      throw new BrokenDocument('The document is not valid UTF-8')
    }
  }

  *#read(text: string, isAll: boolean): Generator<JsonItem> {
    let at = 0
    for (;;) {
      TOKEN.lastIndex = at
      const [token] = TOKEN.exec(text) ?? []
      if (token === undefined) break
      if (!isAll && at + token.length === text.length && OPEN_ENDED.test(token)) break
      at += token.length
      const item = this.#take(token)
      if (item) yield item
    }
    this.#unread = text.slice(at)
  }

  /** Returns the item that the token completes. */
  #take(token: string): JsonItem | undefined {
    const list = this.#open.at(-1)?.list
    if (this.#itemDepth === 0 && (list === undefined || /^[\s,\]}]/.test(token))) {
      this.#addToFrame(token)
      return undefined
    }
    this.#item += token
    if (token === '{' || token === '[') this.#itemDepth++
    if (token === '}' || token === ']') this.#itemDepth--
    if (this.#itemDepth > 0) return undefined
    const text = this.#item
    this.#item = ''
    this.#frame += '0'
    return { list: list!, text }
  }

  #addToFrame(token: string): void {
    this.#frame += token
    if (token === '{' || token === '[') {
      const path = this.#open.map(({ key }) => key).join('.')
      this.#open.push({ key: '', list: token === '[' && this.#lists.has(path) ? path : undefined })
    } else if (token === '}' || token === ']') this.#open.pop()
    else if (token === ':' && this.#open.length > 0) this.#open.at(-1)!.key = this.#lastText
    else if (token.startsWith('"')) this.#lastText = String(parse(token))
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BrokenDocument('The document is not JSON')
  }
}
