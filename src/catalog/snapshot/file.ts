// A snapshot in a file: arrays one after the other behind a head that says what they are of. A file is trusted only when
// its head is that of the wanted snapshot and all of its bytes are as they were written.
import { closeSync, fstatSync, openSync } from 'node:fs'
import type { Flat, Snapshot } from '../../memory/snapshot.ts'
import { yieldToEventLoop } from '../../runtime/yield-to-event-loop.ts'
import { readAll, readSome, writeAll } from './file-bytes.ts'

const HEAD_BYTES = 4096
/** What is hashed and written at a time. */
const BLOCK_BYTES = 4 * 1024 * 1024

/** What a snapshot is of; it is compared before anything else is read. */
export type SnapshotOrigin = Readonly<Record<string, string | number>>

type Head = { readonly origin: SnapshotOrigin; readonly bytes: number; readonly hash: string }

const bytesOf = (array: Flat): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
const toHash = (block: Uint8Array, before: bigint): bigint => BigInt(Bun.hash.wyhash(block, before))

/** Into a file that is open and empty. `serialize` goes on in steps, and between two of them others run. */
export async function writeSnapshot(
  fd: number,
  origin: SnapshotOrigin,
  serialize: (snapshot: Snapshot) => Iterable<void>,
): Promise<void> {
  const out = new SnapshotWriter(fd)
  for (const _ of serialize(out)) await yieldToEventLoop()
  writeHead(fd, { origin, ...out.end() })
}

/** Thrown where `serialize` has begun and cannot go back: what it filled is of no use any more. */
export class HalfReadSnapshot extends Error {
  override readonly name = 'HalfReadSnapshot'
}

type IsWanted = (origin: SnapshotOrigin) => boolean | Promise<boolean>

/** Makes `serialize` read what the file holds. Resolves to its origin; undefined, with nothing read, where it is of something else or damaged. */
export async function readSnapshot(
  path: string,
  isWanted: IsWanted,
  serialize: (snapshot: Snapshot) => Iterable<void>,
): Promise<SnapshotOrigin | undefined> {
  const fd = openIfThere(path)
  if (fd === undefined) return undefined
  try {
    return await readSnapshotFrom(fd, isWanted, serialize)
  } finally {
    closeSync(fd)
  }
}

/** The same from a file that is open. */
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
  /** Small pieces are taken out of this, large ones go straight to where they belong. */
  readonly #window = new Uint8Array(64 * 1024)
  #from = 0
  #to = 0
  #next = HEAD_BYTES

  constructor(fd: number) {
    this.#fd = fd
  }

  array<A extends Flat>(array: A, _?: number, place?: (length: number) => A): A {
    const [length, used] = [this.#take(), this.#take()]
    const kept = place?.(length) ?? new (array.constructor as new (length: number) => A)(length)
    this.#read(bytesOf(kept.subarray(0, used)))
    return kept
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

/** Whether every byte is as it was written: before anything is taken from a file that may be damaged. */
async function isWhole(fd: number, { bytes, hash }: Head): Promise<boolean> {
  if (fstatSync(fd).size !== HEAD_BYTES + bytes) return false
  const block = new Uint8Array(BLOCK_BYTES)
  let found = 0n
  let at = 0
  do {
    const count = readSome(fd, block, HEAD_BYTES + at)
    found = toHash(block.subarray(0, count), found)
    at += count
    await yieldToEventLoop()
  } while (at < bytes)
  return found.toString(16) === hash
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

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
