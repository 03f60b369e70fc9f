// Ids of services: `svc_` and a UUIDv7 in base32, so that ids sort by age and travel in a URL as they are.

// Crockford's alphabet keeps the order of the bits in the order of the characters.
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const PREFIX = 'svc_'
const ID = /^svc_[0-7][0-9a-hjkmnp-tv-z]{25}$/

export const isServiceId = (text: string): boolean => ID.test(text)

/** Makes ids that rise within a process, also inside one millisecond. */
export function createIdSource(
  random: (bytes: Uint8Array) => void = bytes => void crypto.getRandomValues(bytes),
) {
  let lastMs = 0
  let counter = 0
  return (now: Date): string => {
    const ms = now.getTime()
    const bytes = new Uint8Array(16)
    random(bytes)
    // A clock that stands still or steps back goes on from the last id; 12 bits of counter, then the next millisecond.
    if (ms > lastMs) {
      lastMs = ms
      counter = ((bytes[6]! & 0x07) << 8) | bytes[7]!
    } else if (++counter > 0xfff) {
      lastMs++
      counter = 0
    }
    for (let i = 0, rest = lastMs; i < 6; i++, rest = Math.floor(rest / 256)) bytes[5 - i] = rest % 256
    bytes[6] = 0x70 | (counter >> 8)
    bytes[7] = counter & 0xff
    bytes[8] = 0x80 | (bytes[8]! & 0x3f)
    return PREFIX + toBase32(bytes)
  }
}

/** An id of the same time, made of another one and a secret: whoever has both gets the same again, and nobody else can tell it. */
export function deriveId(id: string, secret: string): string {
  const bytes = new Uint8Array(new Bun.CryptoHasher('sha256').update(`${secret} ${id}`).digest()).slice(0, 16)
  for (let i = 0, rest = idTimeMs(id); i < 6; i++, rest = Math.floor(rest / 256)) bytes[5 - i] = rest % 256
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  return PREFIX + toBase32(bytes)
}

/** When the id was made, in milliseconds since 1970. */
export function idTimeMs(id: string): number {
  let time = 0
  // 128 bits stand in 26 characters of 5 bits with 2 leading zeros: the first 10 characters hold 48 bits.
  for (const character of id.slice(PREFIX.length, PREFIX.length + 10)) {
    time = time * 32 + ALPHABET.indexOf(character)
  }
  return time
}

const VALUES = new Uint8Array(128)
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i

/** Writes the 128 bits of an id into four words at `at`, most significant first: they order as the text does. */
export function writeIdWords(id: string, out: Uint32Array, at: number): void {
  let word = 0
  let held = -2 // the first character carries two leading zero bits
  let next = at
  for (let i = PREFIX.length; i < PREFIX.length + 26; i++) {
    const value = VALUES[id.charCodeAt(i) & 127]!
    held += 5
    if (held < 32) {
      word = (word << 5) | value
      continue
    }
    const over = held - 32
    out[next++] = (word << (5 - over)) | (value >> over)
    word = value & ((1 << over) - 1)
    held = over
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
  let held = 2 // two zero bits in front make 128 bits a multiple of five
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte
    held += 8
    while (held >= 5) {
      held -= 5
      text += ALPHABET[(buffer >> held) & 31]
    }
    buffer &= (1 << held) - 1
  }
  return text
}
