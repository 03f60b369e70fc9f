const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A value as its JSON bytes, ready to send; decoded only where an interface needs the value. The bytes are immutable. */
export class Encoded<T> {
  readonly #hash: string | undefined

  constructor(
    readonly bytes: Uint8Array,
    hash?: string,
  ) {
    this.#hash = hash
  }

  /** Equal for equal bytes in every process; undefined if it is not known without reading all of them. */
  get hash(): string | undefined {
    return this.#hash
  }

  static of<T>(value: T): Encoded<T> {
    return Encoded.ofText(JSON.stringify(value))
  }

  /** @param json the value as JSON */
  static ofText<T>(json: string): Encoded<T> {
    return new Encoded(encoder.encode(json))
  }

  decode(): T {
    return JSON.parse(decoder.decode(this.bytes)) as T
  }
}
