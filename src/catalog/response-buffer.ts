// Memory in which answers are written, one after the other: a buffer for each would be the greater part of what the
// collector has to clear away, some hundred megabytes a second under load.
import { MAX_BYTES_PER_UNIT } from '../memory/utf8.ts'

const ROOM_BYTES = 256 * 1024
/** Up to here a text is written sooner unit by unit than the runtime is asked to. */
const SHORT = 128

const QUOTE = 0x22
const POINT = 0x2e
const ZERO = 0x30
const ONE = 0x31
const BACKSLASH = 0x5c
const SPACE = 0x20
const MILLION = 1_000_000

export class AnswerRoom {
  readonly #own = Buffer.allocUnsafeSlow(ROOM_BYTES)
  #bytes = this.#own
  #at = 0

  /** What was written before is no longer good. */
  begin(): void {
    this.#bytes = this.#own
    this.#at = 0
  }

  /** All since the beginning. */
  end(): Uint8Array {
    return this.#bytes.subarray(0, this.#at)
  }

  byte(byte: number): void {
    this.#makeRoom(1)
    this.#bytes[this.#at++] = byte
  }

  /** A text as it is. */
  text(text: string): void {
    this.#makeRoom(text.length * MAX_BYTES_PER_UNIT)
    this.#at = text.length > SHORT ? this.#at + this.#bytes.write(text, this.#at, 'utf8') : this.#write(text)
  }

  /** What a JSON text holds between its quotation marks. */
  quoted(text: string): void {
    this.text(isPlain(text) ? text : JSON.stringify(text).slice(1, -1))
  }

  /** A number from 0 to 1, to the millionth. */
  share(share: number): void {
    let rest = Math.round(share * MILLION)
    this.byte(rest < MILLION ? ZERO : ONE)
    rest %= MILLION
    if (rest > 0) this.byte(POINT)
    for (let unit = MILLION / 10; rest > 0; unit /= 10) {
      this.byte(ZERO + Math.floor(rest / unit))
      rest %= unit
    }
  }

  copy(bytes: Buffer, start: number, end: number): void {
    this.#makeRoom(end - start)
    this.#at += bytes.copy(this.#bytes, this.#at, start, end)
  }

  /** Writes a text in UTF-8 and tells where it ends. */
  #write(text: string): number {
    const bytes = this.#bytes
    let at = this.#at
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (unit < 0x80) bytes[at++] = unit
      else if (unit < 0x800) {
        bytes[at++] = 0xc0 | (unit >> 6)
        bytes[at++] = 0x80 | (unit & 0x3f)
      } else if (unit < 0xd800 || unit > 0xdfff) {
        bytes[at++] = 0xe0 | (unit >> 12)
        bytes[at++] = 0x80 | ((unit >> 6) & 0x3f)
        bytes[at++] = 0x80 | (unit & 0x3f)
      } else return this.#at + bytes.write(text, this.#at, 'utf8')
    }
    return at
  }

  #makeRoom(more: number): void {
    if (this.#at + more <= this.#bytes.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, this.#at + more))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }
}

/** Whether JSON writes a text as it is. */
function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < SPACE || unit === QUOTE || unit === BACKSLASH || (unit >= 0xd800 && unit <= 0xdfff))
      return false
  }
  return true
}
