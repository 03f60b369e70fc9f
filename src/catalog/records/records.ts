// The public JSON of every entry, encoded when it changes: a read copies bytes.
import { Encoded } from '../../domain/json/encoded.ts'
import type { Entry, Service } from '../../domain/listing/service.ts'
import { type StatusRecord, toService, toStatusRecord } from '../../domain/listing/views.ts'
import { Arena } from '../../memory/arena.ts'
import { RecordHashes } from './record-hashes.ts'

const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d

export class Records {
  /** The service object as text and the status record as its tail. */
  readonly #arena = new Arena()
  /** Hashes of the text of each slot. */
  readonly #hashes = new RecordHashes()

  get bytes(): number {
    return this.#arena.bytes + this.#hashes.bytes
  }

  write(slot: number, entry: Entry): void {
    // ASCII only: an id, numbers and a date.
    const status = JSON.stringify(toStatusRecord(entry))
    this.#arena.write(slot, JSON.stringify(toService(entry)), status)
    this.#hashes.write(slot, this.#arena.text(slot))
  }

  release(slot: number): void {
    this.#arena.release(slot)
  }

  service(slot: number): Encoded<Service> {
    return new Encoded(this.#arena.text(slot))
  }

  status(slot: number): Encoded<StatusRecord> {
    return new Encoded(this.#arena.tail(slot))
  }

  /** The services of these slots as one JSON array. */
  array(slots: readonly number[]): Encoded<Service[]> {
    const texts = slots.reduce((sum, slot) => sum + this.#arena.textLength(slot), 0)
    const separators = Math.max(0, slots.length - 1)
    const bytes = Buffer.allocUnsafeSlow(texts + separators + 2)
    bytes[0] = OPEN
    let at = 1
    for (let i = 0; i < slots.length; i++) {
      if (i > 0) bytes[at++] = COMMA
      at += this.#arena.copyText(slots[i]!, bytes, at)
    }
    bytes[at] = CLOSE
    return new Encoded(bytes, this.#hashes.of(slots))
  }

  /** A consistent view of the services of these slots, to be read one by one later. */
  freeze(slots: Uint32Array): Iterable<Encoded<Service>> {
    const view = this.#arena.freeze(slots)
    return (function* () {
      for (let i = 0; i < slots.length; i++) yield new Encoded<Service>(view(i))
    })()
  }
}
