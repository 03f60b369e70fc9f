// What an image of the catalog is of: the code that has made it, and the history that it was made from.
import { fileURLToPath } from 'node:url'
import { readCursor } from '../../domain/timelines.ts'
import type { Seq, Store } from '../../store/store.ts'
import { codeStamp } from './code-stamp.ts'
import type { ImageLabel } from './file.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

export interface ImageLabels {
  readonly code: string
  /** undefined: it cannot be told which history this is, or a failover may have lost a part of it. */
  toLabel(catalog: { readonly seq: Seq; readonly size: number }): Promise<ImageLabel | undefined>
  /** Whether an image with this label holds nothing but what the store has written. @throws where the store is away */
  isWanted(label: ImageLabel): Promise<boolean>
}

export const seqOf = (label: ImageLabel): Seq => label.seq as Seq
/** How many entries it holds. */
export const sizeOf = (label: ImageLabel): number => label.size as number

export function createImageLabels(store: Pick<Store, 'events' | 'history'>): ImageLabels {
  // Once, at the start: by the time an image is written, the files may be those of the version that starts next.
  const code = codeStamp(ROOT)

  /** The last event says which history the image is of: no other has the same event at the same number. */
  async function toOrigin(number: number) {
    const [event] = await store.events.after(number - 1, 1)
    if (!event || event.number !== number) return undefined
    const { seq, serviceId, at } = event
    return { code, event: number, eventSeq: seq, eventOf: serviceId, eventAt: at }
  }

  return {
    code,
    async toLabel({ seq, size }) {
      const { timelines, seq: last } = await store.history()
      const origin = await toOrigin(await store.events.last())
      const place = timelines.toCursor('seq', seq)
      return origin && last >= seq ? { ...origin, place, seq, size } : undefined
    },
    async isWanted(label) {
      // Many writes tell no event, so that the last one may be the same although what followed it was lost.
      const { timelines, seq } = await store.history()
      const place = typeof label.place === 'string' ? readCursor(label.place) : undefined
      if (!place || place.number !== seqOf(label) || !timelines.has('seq', place, seq)) return false
      const origin = await toOrigin(label.event as number)
      const { place: text } = label
      return (
        !!origin && Bun.deepEquals({ ...origin, place: text, seq: seqOf(label), size: sizeOf(label) }, label)
      )
    },
  }
}
