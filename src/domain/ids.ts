// Ids of services: `svc_` and a UUIDv7 in base32. They sort by age and need no escaping in a URL.

import { say } from '../messages/message.ts'
import { invalid, toProblem } from './errors.ts'
import { DAY_MS } from './time.ts'

// Crockford's alphabet: texts sort like the bits that they encode.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const PREFIX = 'svc_'
const ID = /^svc_[0-7][0-9a-hjkmnp-tv-z]{25}$/

export const isServiceId = (text: string): boolean => ID.test(text)

/**
 * Creates ids that ascend within a process, also within a millisecond.
 * @param lastMs the time of the last id, where the source continues what another process began
 */
export function createIdSource(
  random: (bytes: Uint8Array) => void = bytes => void crypto.getRandomValues(bytes),
  lastMs = 0,
) {
  let counter = 0
  return (now: Date): string => {
    const ms = now.getTime()
    const bytes = new Uint8Array(16)
    random(bytes)
    // If the clock stands still or steps back, ids continue from the last: 12 bits of counter, then the next millisecond.
    if (ms > lastMs) {
      lastMs = ms
      counter = ((bytes[6]! & 0x07) << 8) | bytes[7]!
    } else if (++counter > 0xfff) {
      lastMs++
      counter = 0
    }
    writeTime(bytes, lastMs)
    bytes[6] = 0x70 | (counter >> 8)
    bytes[7] = counter & 0xff
    bytes[8] = 0x80 | (bytes[8]! & 0x3f)
    return PREFIX + toBase32(bytes)
  }
}

/** The id here of an entry with that id at a source: it has the same time, and the rest is a hash of both. */
export function deriveId(id: string, sourceUrl: string): string {
  const bytes = new Uint8Array(new Bun.CryptoHasher('sha256').update(`${sourceUrl} ${id}`).digest()).slice(
    0,
    16,
  )
  writeTime(bytes, idTimeMs(id))
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  return PREFIX + toBase32(bytes)
}

function writeTime(bytes: Uint8Array, ms: number): void {
  for (let i = 0, rest = ms; i < 6; i++, rest = Math.floor(rest / 256)) bytes[5 - i] = rest % 256
}

/** When the id was created, in milliseconds since 1970. */
export function idTimeMs(id: string): number {
  let time = 0
  // 128 bits take 26 characters of 5 bits, with 2 leading zeros: the first 10 characters contain 48 bits.
  for (const character of id.slice(PREFIX.length, PREFIX.length + 10)) {
    time = time * 32 + ALPHABET.indexOf(character)
  }
  return time
}

const VALUES = new Uint8Array(128)
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i

/** Writes the 128 bits of an id as four words at `at`, most significant first: the words sort like the text. */
export function writeIdWords(id: string, out: Uint32Array, at: number): void {
  let word = 0
  let bits = -2 // the first character has two leading zero bits
  let next = at
  for (let i = PREFIX.length; i < PREFIX.length + 26; i++) {
    const value = VALUES[id.charCodeAt(i) & 127]!
    bits += 5
    if (bits < 32) {
      word = (word << 5) | value
      continue
    }
    const over = bits - 32
    out[next++] = (word << (5 - over)) | (value >> over)
    word = value & ((1 << over) - 1)
    bits = over
  }
}

/** The id whose words were written at `at`. */
export function readIdWords(words: Uint32Array, at: number): string {
  const bytes = new Uint8Array(16)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < 4; i++) view.setUint32(4 * i, words[at + i]!)
  return PREFIX + toBase32(bytes)
}

function toBase32(bytes: Uint8Array): string {
  let text = ''
  let buffer = 0
  let bits = 2 // two zero bits in front make 128 bits a multiple of five
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += ALPHABET[(buffer >> bits) & 31]
    }
    buffer &= (1 << bits) - 1
  }
  return text
}

/** Characters allowed in a header: the visible ones of Latin-1. */
const IDEMPOTENCY_KEY = /^[\x21-\x7e\xa1-\xff]{1,255}$/

/** Validates the key that makes a retry safe. @throws DirectoryError `invalid_request` */
export function checkIdempotencyKey(key: string): void {
  if (!IDEMPOTENCY_KEY.test(key)) throw invalid([toProblem('Idempotency-Key', say('request_key_malformed'))])
}

/** How long the response to a key is stored. */
export const IDEMPOTENCY_KEY_RETENTION_MS = DAY_MS
