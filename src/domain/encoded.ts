/** A value as its JSON bytes, ready to send; decoded only where a door needs the value itself. */
export class Encoded<T> {
  constructor(readonly bytes: Uint8Array) {}

  static of<T>(value: T): Encoded<T> {
    return new Encoded(new TextEncoder().encode(JSON.stringify(value)))
  }

  decode(): T {
    return JSON.parse(new TextDecoder().decode(this.bytes)) as T
  }
}
