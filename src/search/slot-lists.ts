// A short list of numbers for each slot, in flat memory.
import type { Image } from '../domain/image.ts'
import { grown } from './growing.ts'

export interface SlotLists {
  readonly bytes: number
  /** A view that the next `set` may move. */
  get(slot: number): Uint32Array
  /** Copies the list to the beginning of `target`; answers how long it is. */
  copy(slot: number, target: Uint32Array): number
  set(slot: number, numbers: Uint32Array, count: number): void
  carry(image: Image): void
}

export function createSlotLists(): SlotLists {
  let flat = new Uint32Array(1024)
  let used = 0
  let wasted = 0
  let starts = new Uint32Array(64)
  let counts = new Uint16Array(64)
  let rooms = new Uint16Array(64)
  let slots = 0

  /** Moves all lists together once half of the space belongs to none. */
  function compact(): void {
    const tidy = new Uint32Array(flat.length)
    let at = 0
    for (let slot = 0; slot < slots; slot++) {
      tidy.set(flat.subarray(starts[slot]!, starts[slot]! + counts[slot]!), at)
      starts[slot] = at
      rooms[slot] = counts[slot]!
      at += counts[slot]!
    }
    flat = tidy
    used = at
    wasted = 0
  }

  return {
    get bytes() {
      return flat.byteLength + starts.byteLength + counts.byteLength + rooms.byteLength
    },
    get: slot =>
      slot < slots ? flat.subarray(starts[slot], starts[slot]! + counts[slot]!) : flat.subarray(0, 0),
    copy(slot, target) {
      const count = slot < slots ? counts[slot]! : 0
      for (let i = 0, from = starts[slot]!; i < count; i++) target[i] = flat[from + i]!
      return count
    },
    set(slot, numbers, count) {
      if (slot >= slots) {
        starts = grown(starts, slot + 1)
        counts = grown(counts, slot + 1)
        rooms = grown(rooms, slot + 1)
        slots = slot + 1
      }
      if (count > rooms[slot]!) {
        wasted += rooms[slot]!
        counts[slot] = 0
        if (wasted > 4096 && wasted * 2 > used) compact()
        flat = grown(flat, used + count)
        starts[slot] = used
        rooms[slot] = count
        used += count
      }
      counts[slot] = count
      for (let i = 0; i < count; i++) flat[starts[slot]! + i] = numbers[i]!
    },
    carry(image) {
      flat = image.array(flat, used)
      used = image.number(used)
      wasted = image.number(wasted)
      starts = image.array(starts)
      counts = image.array(counts)
      rooms = image.array(rooms)
      slots = image.number(slots)
    },
  }
}
