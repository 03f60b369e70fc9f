// The public JSON of every entry, encoded once when it changes: a read copies bytes.
import { Encoded } from '../domain/encoded.ts'
import type { Image } from '../domain/image.ts'
import type { Entry, Service } from '../domain/service.ts'
import { MAX_BYTES_PER_UNIT } from '../domain/utf8.ts'
import { type StatusRecord, toService, toStatusRecord } from '../domain/views.ts'
import type { Offered } from '../search/explain.ts'
import { AnswerRoom } from './answer-room.ts'
import { Arena } from './arena.ts'
import { readOffer } from './kept-offer.ts'

const OPEN = 0x5b
const COMMA = 0x2c
const CLOSE = 0x5d

export class Records {
  readonly #room = new AnswerRoom()
  /** The service object as text and the status record as its tail. */
  readonly #arena = new Arena()

  get bytes(): number {
    return this.#arena.bytes
  }

  write(slot: number, entry: Entry): void {
    // A status record holds an id, numbers and a date.
    const status = JSON.stringify(toStatusRecord(entry))
    this.#arena.write(slot, JSON.stringify(toService(entry)), status)
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
    const service = this.service(slot)
    return readOffer(service.bytes as Buffer, () => service.decode())
  }

  /** The services of these slots as one JSON array, good until the next array or weave. */
  array(slots: readonly number[]): Encoded<Service[]> {
    let most = 2 + slots.length
    for (const slot of slots) most += this.#arena.textBytes(slot)
    const bytes = this.#room.fill(most, room => {
      let at = 0
      room[at++] = OPEN
      for (let i = 0; i < slots.length; i++) {
        if (i > 0) room[at++] = COMMA
        at += this.#arena.copyText(slots[i]!, room, at)
      }
      room[at++] = CLOSE
      return at
    })
    return new Encoded(bytes)
  }

  /** JSON in pieces, good until the next: a text goes in as it is, a number stands for the service of that slot. */
  weave<T>(pieces: readonly (string | number)[]): Encoded<T> {
    let most = 0
    for (const piece of pieces)
      most += typeof piece === 'string' ? piece.length * MAX_BYTES_PER_UNIT : this.#arena.textBytes(piece)
    const bytes = this.#room.fill(most, room => {
      let at = 0
      for (const piece of pieces) {
        if (typeof piece === 'string') at += room.write(piece, at, 'utf8')
        else at += this.#arena.copyText(piece, room, at)
      }
      return at
    })
    return new Encoded(bytes)
  }

  carry(image: Image): Generator<void> {
    return this.#arena.carry(image)
  }

  /** The services of these slots as they are now, to be read one by one later on. */
  snapshot(slots: Uint32Array): Iterable<Encoded<Service>> {
    const view = this.#arena.snapshot(slots)
    return (function* () {
      for (let i = 0; i < slots.length; i++) yield new Encoded<Service>(view(i))
    })()
  }
}
