// Reads the items of lists in a JSON document while it arrives, so that a document of any size is never in memory as a whole.

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Memory bound for one item, and for the whole document apart from its items. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024

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

type ListState = { readonly path: string; expects: 'first' | 'item' | 'comma' }

/**
 * Parses a document in chunks. Items of the named lists are returned one by one; the rest of the document, with those lists empty, is
 * the frame that `end` returns.
 */
export class JsonItems {
  readonly #lists: ReadonlySet<string>
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  readonly #item = new ByteBuffer()
  readonly #frame = new ByteBuffer()
  /** The key of each open container of the frame. */
  readonly #keys: string[] = []
  #list: ListState | undefined
  #itemDepth = 0
  #state: 'frame' | 'between' | 'item' | 'scalar' = 'frame'
  #inString = false
  #escaped = false
  #stringStart = 0
  #lastString = ''

  constructor(lists: Iterable<string>) {
    this.#lists = new Set(lists)
  }

  /** @throws BrokenDocument */
  *push(chunk: Uint8Array): Generator<JsonItem> {
    let from = 0
    let at = 0
    while (at < chunk.length) {
      if (this.#state === 'frame') {
        at = this.#readFrame(chunk, at)
        from = at
      } else if (this.#state === 'between') {
        at = this.#readBetween(chunk, at)
        from = at
      } else {
        const end = this.#state === 'item' ? this.#findItemEnd(chunk, at) : findScalarEnd(chunk, at)
        at = end < 0 ? chunk.length : end
        this.#item.add(chunk.subarray(from, at))
        from = at
        if (end >= 0) yield this.#takeItem()
      }
    }
  }

  /** Returns the document without its items. @throws BrokenDocument */
  end(): unknown {
    if (this.#state !== 'frame' || this.#keys.length > 0 || this.#inString) {
      throw new BrokenDocument('The document ends before it is complete')
    }
    return this.#parse(this.#frame.take())
  }

  #takeItem(): JsonItem {
    const list = this.#list!
    list.expects = 'comma'
    this.#state = 'between'
    return { list: list.path, text: this.#decode(this.#item.take()) }
  }

  #readFrame(chunk: Uint8Array, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (this.#inString) {
        at = this.#findStringEnd(chunk, at)
        if (at < 0) break
        this.#frame.add(chunk.subarray(start, at + 1))
        this.#lastString = String(this.#parse(this.#frame.from(this.#stringStart)))
        return at + 1
      }
      if (byte === QUOTE) {
        this.#inString = true
        this.#stringStart = this.#frame.length + at - start
      } else if (byte === COLON) {
        this.#keys[this.#keys.length - 1] = this.#lastString
      } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        const path = this.#keys.join('.')
        this.#keys.push('')
        if (byte === OPEN_LIST && this.#lists.has(path)) {
          this.#frame.add(chunk.subarray(start, at + 1))
          this.#list = { path, expects: 'first' }
          this.#state = 'between'
          return at + 1
        }
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        this.#keys.pop()
      }
    }
    this.#frame.add(chunk.subarray(start))
    return chunk.length
  }

  #readBetween(chunk: Uint8Array, start: number): number {
    const list = this.#list!
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (isSpace(byte)) continue
      if (byte === CLOSE_LIST && list.expects !== 'item') {
        this.#state = 'frame'
        this.#list = undefined
        // The bracket is read again as part of the frame, where it closes the list.
        return at
      }
      if (byte === COMMA && list.expects === 'comma') {
        list.expects = 'item'
      } else if (byte === COMMA || byte === CLOSE_LIST || list.expects === 'comma') {
        throw new BrokenDocument(`The list ${list.path} is not JSON: a comma is missing or too many`)
      } else {
        this.#state = byte === OPEN_OBJECT || byte === OPEN_LIST || byte === QUOTE ? 'item' : 'scalar'
        this.#itemDepth = 0
        return at
      }
    }
    return chunk.length
  }

  /** The position after the end of the item, or -1 where the chunk ends before it. */
  #findItemEnd(chunk: Uint8Array, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      if (this.#inString) {
        at = this.#findStringEnd(chunk, at)
        if (at < 0) return -1
        if (this.#itemDepth === 0) return at + 1
        continue
      }
      const byte = chunk[at]!
      if (byte === QUOTE) this.#inString = true
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#itemDepth++
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && --this.#itemDepth === 0) return at + 1
    }
    return -1
  }

  /** The position of the closing quote, or -1 where the chunk ends inside the string. */
  #findStringEnd(chunk: Uint8Array, start: number): number {
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (this.#escaped) this.#escaped = false
      else if (byte === BACKSLASH) this.#escaped = true
      else if (byte === QUOTE) {
        this.#inString = false
        return at
      }
    }
    return -1
  }

  #decode(bytes: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes)
    } catch {
      throw new BrokenDocument('The document is not valid UTF-8')
    }
  }

  #parse(bytes: Uint8Array): unknown {
    try {
      return JSON.parse(this.#decode(bytes))
    } catch (error) {
      if (error instanceof BrokenDocument) throw error
      throw new BrokenDocument('The document is not JSON')
    }
  }
}

function findScalarEnd(chunk: Uint8Array, start: number): number {
  for (let at = start; at < chunk.length; at++) {
    const byte = chunk[at]!
    if (byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT || isSpace(byte)) return at
  }
  return -1
}

/** Collects pieces of a document, up to a bound. */
class ByteBuffer {
  #bytes = new Uint8Array(4096)
  length = 0

  add(piece: Uint8Array): void {
    const length = this.length + piece.length
    if (length > MAX_BUFFERED_BYTES) {
      throw new BrokenDocument(`One item of the document is larger than ${MAX_BUFFERED_BYTES} bytes`)
    }
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(length, this.#bytes.length * 2))
      grown.set(this.#bytes.subarray(0, this.length))
      this.#bytes = grown
    }
    this.#bytes.set(piece, this.length)
    this.length = length
  }

  from(start: number): Uint8Array {
    return this.#bytes.subarray(start, this.length)
  }

  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.length)
    this.length = 0
    return taken
  }
}
