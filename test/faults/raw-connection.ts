// A connection that sends bytes exactly as they are told, for requests that no HTTP client would make.
import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

export type RawAnswer = {
  readonly status: number
  /** Names in lower case; what is sent twice is joined by a comma. */
  readonly headers: Readonly<Record<string, string>>
  /** Without content coding. */
  readonly body: Uint8Array<ArrayBuffer>
}

/** Only a hang takes so long. */
const PATIENCE_MS = 200_000
const HEAD_END = Buffer.from('\r\n\r\n')

export class RawConnection implements Disposable {
  readonly #socket: Socket
  #received: Buffer<ArrayBuffer> = Buffer.alloc(0)
  #isClosed = false
  #onChange: () => void = () => {}

  constructor(url: string) {
    const { hostname, port } = new URL(url)
    this.#socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''))
    this.#socket.on('data', (bytes: Buffer) => {
      this.#received = Buffer.concat([this.#received, bytes])
      this.#onChange()
    })
    // A server that refuses may close while bytes are still on their way to it.
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => {
      this.#isClosed = true
      this.#onChange()
    })
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  write(bytes: string | Uint8Array): void {
    if (!this.#isClosed) this.#socket.write(bytes)
  }

  /** Sends no more, and still listens. */
  end(): void {
    this.#socket.end()
  }

  /** The next whole answer; undefined where the server closes without one. @throws Error when neither happens in time */
  async answer(method = 'GET'): Promise<RawAnswer | undefined> {
    for (;;) {
      const found = readAnswer(this.#received, method, this.#isClosed)
      if (found) {
        this.#received = this.#received.subarray(found.length)
        // 100 Continue only says that the body may come.
        if (found.answer.status < 200) continue
        return found.answer
      }
      if (this.#isClosed) return undefined
      await this.#change('an answer')
    }
  }

  /** Resolves when the server has closed the connection. */
  async closed(): Promise<void> {
    while (!this.#isClosed) await this.#change('the end of the connection')
  }

  [Symbol.dispose](): void {
    this.#socket.destroy()
  }

  async #change(what: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#onChange = resolve
    const timer = setTimeout(
      () => reject(new Error(`waited ${PATIENCE_MS / 1000} s for ${what} in vain`)),
      PATIENCE_MS,
    )
    await promise.finally(() => clearTimeout(timer))
  }
}

/** One request on a connection of its own. */
export async function sendRaw(url: string, bytes: string | Uint8Array): Promise<RawAnswer | undefined> {
  using connection = new RawConnection(url)
  connection.write(bytes)
  return await connection.answer(/^\w+/.exec(Buffer.from(bytes as Uint8Array).toString('latin1'))?.[0])
}

type Found = { readonly answer: RawAnswer; readonly length: number }

function readAnswer(bytes: Buffer<ArrayBuffer>, method: string, isClosed: boolean): Found | undefined {
  const headLength = bytes.indexOf(HEAD_END)
  if (headLength < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, headLength).split('\r\n')
  const [, status] = /^HTTP\/1\.1 (\d{3})(?: |$)/.exec(first) ?? []
  if (status === undefined) throw new Error(`not an answer: ${JSON.stringify(first)}`)
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name = '', value = ''] = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/s.exec(line) ?? []
    if (name === '') throw new Error(`not a header: ${JSON.stringify(line)}`)
    const key = name.toLowerCase()
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value
  }
  // A stream of events has no end: its head is the answer.
  const isEndless = headers['content-type'] === 'text/event-stream'
  const isEmpty = isEndless || method === 'HEAD' || /^(1..|204|304)$/.test(status)
  const read = isEmpty ? nothing : headers['transfer-encoding'] === 'chunked' ? readChunks : readSized
  const found = read(bytes.subarray(headLength + HEAD_END.length), headers, isClosed)
  if (!found) return undefined
  const unpack = found.body.length > 0 ? UNPACK[headers['content-encoding'] ?? ''] : undefined
  return {
    answer: { status: Number(status), headers, body: unpack ? unpack(found.body) : found.body },
    length: headLength + HEAD_END.length + found.length,
  }
}

const UNPACK: Record<string, (bytes: Uint8Array) => Uint8Array<ArrayBuffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
}

type Body = { readonly body: Uint8Array<ArrayBuffer>; readonly length: number }

const nothing = (): Body => ({ body: new Uint8Array(), length: 0 })

function readSized(
  rest: Buffer<ArrayBuffer>,
  headers: Record<string, string>,
  isClosed: boolean,
): Body | undefined {
  const announced = headers['content-length']
  if (announced === undefined) return isClosed ? { body: rest, length: rest.length } : undefined
  const length = Number(announced)
  if (!Number.isInteger(length)) throw new Error(`not a length: ${announced}`)
  return rest.length < length ? undefined : { body: rest.subarray(0, length), length }
}

function readChunks(rest: Buffer<ArrayBuffer>): Body | undefined {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const length = Number.parseInt(rest.toString('latin1', at, lineEnd), 16)
    if (Number.isNaN(length)) throw new Error('a chunk without a length')
    const end = lineEnd + 2 + length
    if (rest.length < end + 2) return undefined
    if (length === 0) return { body: Buffer.concat(chunks), length: end + 2 }
    chunks.push(rest.subarray(lineEnd + 2, end))
    at = end + 2
  }
}
