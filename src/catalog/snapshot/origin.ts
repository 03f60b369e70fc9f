// The origin of a snapshot of the catalog: the code that made it, and the history that it was made from.
import { operatorAssetsStamp } from '../../domain/chains/operator-assets.ts'
import { readCursor } from '../../domain/timelines.ts'
import { CODE_FOLDER, PACKAGE_ROOT } from '../../package/files.ts'
import type { Seq, Store } from '../../store/store.ts'
import { codeStamp } from './code-stamp.ts'
import type { SnapshotOrigin } from './file.ts'

export interface SnapshotOrigins {
  readonly code: string
  /** undefined if the history cannot be identified, or a failover may have lost a part of it. */
  toOrigin(catalog: { readonly seq: Seq; readonly size: number }): Promise<SnapshotOrigin | undefined>
  /** Whether a snapshot with this origin contains only writes that the store still has. @throws if the store is unavailable */
  isWanted(origin: SnapshotOrigin): Promise<boolean>
}

export const seqOf = (origin: SnapshotOrigin): Seq => origin.seq as Seq
/** The number of its entries. */
export const sizeOf = (origin: SnapshotOrigin): number => origin.size as number

export function createSnapshotOrigins(store: Pick<Store, 'events' | 'history'>): SnapshotOrigins {
  // Computed once at the start: later, an upgrade may have replaced the files.
  const code = codeStamp(PACKAGE_ROOT, CODE_FOLDER) + operatorAssetsStamp()

  /** The last event identifies the history: no other has the same event at the same number. */
  async function toHistory(number: number) {
    const [event] = await store.events.after(number - 1, 1)
    if (!event || event.number !== number) return undefined
    const { seq, serviceId, at } = event
    return { code, event: number, eventSeq: seq, eventOf: serviceId, eventAt: at }
  }

  return {
    code,
    async toOrigin({ seq, size }) {
      const { timelines, seq: last } = await store.history()
      const history = await toHistory(await store.events.last())
      const place = timelines.toCursor('seq', seq)
      return history && last >= seq ? { ...history, place, seq, size } : undefined
    },
    async isWanted(origin) {
      // Many writes append no event, so the last event may be the same although later writes were lost.
      const { timelines, seq } = await store.history()
      const place = typeof origin.place === 'string' ? readCursor(origin.place) : undefined
      if (!place || place.number !== seqOf(origin) || !timelines.has('seq', place, seq)) return false
      const history = await toHistory(origin.event as number)
      const { place: text } = origin
      return (
        !!history &&
        Bun.deepEquals({ ...history, place: text, seq: seqOf(origin), size: sizeOf(origin) }, origin)
      )
    },
  }
}
