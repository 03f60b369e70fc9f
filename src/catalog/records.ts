// The public JSON of every entry, encoded once when it changes: a read copies bytes.
import { Encoded } from '../domain/encoded.ts'
import type { Entry, Service } from '../domain/service.ts'
import { type StatusRecord, toService, toStatusRecord } from '../domain/views.ts'
import { Arena, grown } from './arena.ts'

const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d

export class Records {
  /** The service object and, right behind it, the status record. */
  readonly #arena = new Arena()
  #serviceBytes = new Uint32Array(1024)

  get bytes(): number {
    return this.#arena.bytes + this.#serviceBytes.byteLength
  }

  write(slot: number, entry: Entry): void {
    if (slot >= this.#serviceBytes.length)
      this.#serviceBytes = grown(this.#serviceBytes, Math.max(slot + 1, slot * 2))
    const status = JSON.stringify(toStatusRecord(entry))
    const written = this.#arena.write(slot, JSON.stringify(toService(entry)) + status)
    // A status record holds an id, numbers and a date: as many bytes as characters.
    this.#serviceBytes[slot] = written - status.length
  }

  release(slot: number): void {
    this.#arena.release(slot)
  }

  service(slot: number): Encoded<Service> {
    return new Encoded(this.#arena.view(slot).subarray(0, this.#serviceBytes[slot]))
  }

  status(slot: number): Encoded<StatusRecord> {
    return new Encoded(this.#arena.view(slot).subarray(this.#serviceBytes[slot]))
  }

  /** The services of these slots as one JSON array. */
  array(slots: readonly number[]): Encoded<Service[]> {
    let length = 2 + Math.max(0, slots.length - 1)
    for (const slot of slots) length += this.#serviceBytes[slot]!
    const bytes = Buffer.allocUnsafe(length)
    let at = 0
    bytes[at++] = OPEN
    for (const slot of slots) {
      if (at > 1) bytes[at++] = COMMA
      at += this.#arena.copy(slot, bytes, at, 0, this.#serviceBytes[slot]!)
    }
    bytes[at] = CLOSE
    return new Encoded(bytes)
  }

  /** The services of these slots as they are now, to be read one by one later on. */
  snapshot(slots: Uint32Array): Iterable<Encoded<Service>> {
    const view = this.#arena.snapshot(slots)
    const lengths = slots.map(slot => this.#serviceBytes[slot]!)
    return (function* () {
      for (let i = 0; i < lengths.length; i++) yield new Encoded<Service>(view(i).subarray(0, lengths[i]))
    })()
  }
}
