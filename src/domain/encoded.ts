const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A value as its JSON bytes, ready to send; decoded only where a door needs the value itself. */
export class Encoded<T> {
  readonly #hash: string | undefined

  constructor(
    readonly bytes: Uint8Array,
    hash?: string,
  ) {
    this.#hash = hash
  }

  /** The same for the same bytes in every process; undefined where nobody knows it without looking at all of them. */
  get hash(): string | undefined {
    return this.#hash
  }

  static of<T>(value: T): Encoded<T> {
    return new Encoded(encoder.encode(JSON.stringify(value)))
  }

  /** With bytes of its own, whatever becomes of these. */
  copy(): Encoded<T> {
    return new Encoded(new Uint8Array(this.bytes), this.hash)
  }

  decode(): T {
    return JSON.parse(decoder.decode(this.bytes)) as T
  }
}
