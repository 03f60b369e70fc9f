// The snapshot file: a header with the origin, followed by the arrays. A file is used only if its origin is accepted and its checksum
// matches.
import { closeSync, fstatSync, openSync } from 'node:fs'
import type { Flat, Snapshot } from '../../memory/snapshot.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { readAll, readSome, writeAll } from './file-bytes.ts'

const HEAD_BYTES = 4096
/** Bytes hashed and written at a time. */
const BLOCK_BYTES = 4 * 1024 * 1024

/** What a snapshot was made from; compared before anything else is read. */
export type SnapshotOrigin = Readonly<Record<string, string | number>>

type Head = { readonly origin: SnapshotOrigin; readonly bytes: number; readonly hash: string }

const bytesOf = (array: Flat): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
const toHash = (block: Uint8Array, before: bigint): bigint => BigInt(Bun.hash.wyhash(block, before))

/** Writes to an open, empty file. `serialize` runs in steps and yields to the event loop between them. */
export async function writeSnapshot(
  fd: number,
  origin: SnapshotOrigin,
  serialize: (snapshot: Snapshot) => Iterable<void>,
): Promise<void> {
  const out = new SnapshotWriter(fd)
  for (const _ of serialize(out)) await yieldToEventLoop()
  writeHead(fd, { origin, ...out.end() })
}

/** Thrown if `serialize` fails midway: the object that it was filling is unusable. */
export class HalfReadSnapshot extends Error {
  override readonly name = 'HalfReadSnapshot'
}

type IsWanted = (origin: SnapshotOrigin) => boolean | Promise<boolean>

/** Lets `serialize` read the file. Resolves to its origin; undefined, with nothing read, if it is not wanted or damaged. */
export async function readSnapshot(
  path: string,
  isWanted: IsWanted,
  serialize: (snapshot: Snapshot) => Iterable<void>,
): Promise<SnapshotOrigin | undefined> {
  const fd = openIfExists(path)
  if (fd === undefined) return undefined
  try {
    return await readSnapshotFrom(fd, isWanted, serialize)
  } finally {
    closeSync(fd)
  }
}

/** The same from an open file. */
export async function readSnapshotFrom(
  fd: number,
  isWanted: IsWanted,
  serialize: (snapshot: Snapshot) => Iterable<void>,
): Promise<SnapshotOrigin | undefined> {
  const head = readHead(fd)
  if (!head || !(await isWanted(head.origin)) || !(await isWhole(fd, head))) return undefined
  try {
    for (const _ of serialize(new SnapshotReader(fd))) await yieldToEventLoop()
  } catch (error) {
    throw new HalfReadSnapshot('A snapshot of the catalog could not be read to its end; start again.', {
      cause: error,
    })
  }
  return head.origin
}

class SnapshotWriter implements Snapshot {
  readonly isReading = false
  readonly #fd: number
  readonly #block = new Uint8Array(BLOCK_BYTES)
  #filled = 0
  #bytes = 0
  #hash = 0n

  constructor(fd: number) {
    this.#fd = fd
  }

  array<A extends Flat>(array: A, used = array.length): A {
    this.#write(bytesOf(Float64Array.of(array.length, used)))
    this.#write(bytesOf(array.subarray(0, used)))
    return array
  }

  number(value: number): number {
    this.#write(bytesOf(Float64Array.of(value)))
    return value
  }

  numbers(list: readonly number[]): number[] {
    this.array(Float64Array.from(list))
    return list as number[]
  }

  texts(list: readonly string[]): string[] {
    this.array(new TextEncoder().encode(JSON.stringify(list)))
    return list as string[]
  }

  end(): Omit<Head, 'origin'> {
    this.#flush()
    return { bytes: this.#bytes, hash: this.#hash.toString(16) }
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const count = Math.min(bytes.length - at, BLOCK_BYTES - this.#filled)
      this.#block.set(bytes.subarray(at, at + count), this.#filled)
      this.#filled += count
      at += count
      if (this.#filled === BLOCK_BYTES) this.#flush()
    }
  }

  #flush(): void {
    const block = this.#block.subarray(0, this.#filled)
    this.#hash = toHash(block, this.#hash)
    writeAll(this.#fd, block, HEAD_BYTES + this.#bytes)
    this.#bytes += this.#filled
    this.#filled = 0
  }
}

class SnapshotReader implements Snapshot {
  readonly isReading = true
  readonly #fd: number
  /** Read buffer for small arrays; large ones are read directly into their target. */
  readonly #window = new Uint8Array(64 * 1024)
  #from = 0
  #to = 0
  #next = HEAD_BYTES

  constructor(fd: number) {
    this.#fd = fd
  }

  array<A extends Flat>(array: A, _?: number, place?: (length: number) => A): A {
    const [length, used] = [this.#take(), this.#take()]
    const target = place?.(length) ?? new (array.constructor as new (length: number) => A)(length)
    this.#read(bytesOf(target.subarray(0, used)))
    return target
  }

  number(): number {
    return this.#take()
  }

  numbers(): number[] {
    return Array.from(this.array(new Float64Array(0)))
  }

  texts(): string[] {
    return JSON.parse(new TextDecoder().decode(this.array(new Uint8Array(0))))
  }

  #take(): number {
    const value = new Float64Array(1)
    this.#read(bytesOf(value))
    return value[0]!
  }

  #read(target: Uint8Array): void {
    let at = Math.min(target.length, this.#to - this.#from)
    target.set(this.#window.subarray(this.#from, this.#from + at))
    this.#from += at
    if (target.length - at >= this.#window.length) {
      readAll(this.#fd, target.subarray(at), this.#next)
      this.#next += target.length - at
    } else if (at < target.length) {
      this.#to = readSome(this.#fd, this.#window, this.#next)
      this.#next += this.#to
      this.#from = target.length - at
      target.set(this.#window.subarray(0, this.#from), at)
      at = target.length
    }
  }
}

/** Verifies size and checksum, before anything is read from a file that may be damaged. */
async function isWhole(fd: number, { bytes, hash }: Head): Promise<boolean> {
  if (fstatSync(fd).size !== HEAD_BYTES + bytes) return false
  const block = new Uint8Array(BLOCK_BYTES)
  let actual = 0n
  let at = 0
  do {
    const count = readSome(fd, block, HEAD_BYTES + at)
    actual = toHash(block.subarray(0, count), actual)
    at += count
    await yieldToEventLoop()
  } while (at < bytes)
  return actual.toString(16) === hash
}

function writeHead(fd: number, head: Head): void {
  const bytes = new Uint8Array(HEAD_BYTES).fill(0x20)
  const { read } = new TextEncoder().encodeInto(JSON.stringify(head), bytes)
  if (read !== JSON.stringify(head).length) throw new Error('The origin of a snapshot is too long.')
  writeAll(fd, bytes, 0)
}

function readHead(fd: number): Head | undefined {
  const bytes = new Uint8Array(HEAD_BYTES)
  if (readSome(fd, bytes, 0) !== HEAD_BYTES) return undefined
  try {
    const head = JSON.parse(new TextDecoder().decode(bytes))
    return typeof head?.origin === 'object' && head.origin !== null ? head : undefined
  } catch {
    return undefined
  }
}

function openIfExists(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
