// The public JSON of every entry, encoded once when it changes: a read copies bytes.
import { Encoded } from '../domain/encoded.ts'
import type { Entry, Service } from '../domain/service.ts'
import { type StatusRecord, toService, toStatusRecord } from '../domain/views.ts'
import { Arena } from '../memory/arena.ts'
import type { Image } from '../memory/snapshot.ts'
import type { Offered } from '../search/ranking/explain.ts'
import { readOffer } from './kept-offer.ts'
import { RecordHashes } from './record-hashes.ts'
import { AnswerRoom } from './response-buffer.ts'

const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d

export class Records {
  readonly #room = new AnswerRoom()
  /** The service object as text and the status record as its tail. */
  readonly #arena = new Arena()
  /** Of the text of each slot. */
  readonly #hashes = new RecordHashes()

  get bytes(): number {
    return this.#arena.bytes + this.#hashes.bytes
  }

  write(slot: number, entry: Entry): void {
    // A status record holds an id, numbers and a date.
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

  /** The terms of a service, without decoding the rest of it. */
  offered(slot: number): Offered {
    return this.#arena.readText(slot, (bytes, start) =>
      readOffer(bytes, start, () => this.service(slot).decode()),
    )
  }

  /** The services of these slots as one JSON array, good until the next answer. */
  array(slots: readonly number[]): Encoded<Service[]> {
    this.#arena.summon(slots)
    const room = this.#room
    room.begin()
    room.byte(OPEN)
    for (let i = 0; i < slots.length; i++) {
      if (i > 0) room.byte(COMMA)
      this.writeService(room, slots[i]!)
    }
    room.byte(CLOSE)
    return new Encoded(room.end(), this.#hashes.of(slots))
  }

  /** Whatever `write` writes, good until the next answer. */
  answer<T>(write: (room: AnswerRoom) => void): Encoded<T> {
    const room = this.#room
    room.begin()
    write(room)
    return new Encoded(room.end())
  }

  /** Makes it quick to write these services. */
  summon(slots: readonly number[]): void {
    this.#arena.summon(slots)
  }

  writeService(room: AnswerRoom, slot: number): void {
    this.#arena.copyText(slot, room)
  }

  *carry(image: Image): Generator<void> {
    this.#hashes.carry(image)
    yield* this.#arena.carry(image)
  }

  /** The services of these slots as they are now, to be read one by one later on. */
  snapshot(slots: Uint32Array): Iterable<Encoded<Service>> {
    const view = this.#arena.snapshot(slots)
    return (function* () {
      for (let i = 0; i < slots.length; i++) yield new Encoded<Service>(view(i))
    })()
  }
}
