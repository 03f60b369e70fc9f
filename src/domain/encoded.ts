const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A value as its JSON bytes, ready to send; decoded only where a door needs the value itself. */
export class Encoded<T> {
  /** @param hash the same for the same bytes in every process, where somebody knows it without looking at all of them */
  constructor(
    readonly bytes: Uint8Array,
    readonly hash?: string,
  ) {}

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
