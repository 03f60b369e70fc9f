// A page of the feed of changes, put together from records that are encoded already.
import { Encoded } from '../domain/encoded.ts'
import type { Changes } from '../domain/feed.ts'
import type { Timelines } from '../domain/timelines.ts'
import type { Seq } from '../store/store.ts'
import type { ChangeLog } from './change-log.ts'
import type { SlotTable } from './id-table.ts'
import type { Records } from './records.ts'

/** @param seq everything up to it is visible; what lies beyond belongs to a page of the store that is not complete yet */
export function pageOfChanges(
  {
    log,
    ids,
    records,
    seq,
    timelines,
  }: { log: ChangeLog; ids: SlotTable; records: Records; seq: Seq; timelines: Timelines },
  since: Seq,
  limit: number,
): { readonly page: Encoded<Changes>; readonly count: number } {
  const found = log.after(since, seq, limit + 1, id => ids.find(id) !== undefined)
  const changes = found.slice(0, limit)
  const caughtUp = found.length <= limit
  // A cursor that was taken where more was known already must not go back.
  const next = caughtUp ? Math.max(since, seq) : changes.at(-1)!.seq
  const pieces: Uint8Array[] = []
  let text = '{"changes":['
  for (const [index, change] of changes.entries()) {
    if (index > 0) text += ','
    if ('removed' in change) {
      text += `{"seq":${change.seq},"id":"${change.removed}","type":"delete"}`
      continue
    }
    const { seq, slot, followed } = change
    text += `{"seq":${seq},"id":"${ids.id(slot)}","type":"upsert",${followed}"service":`
    pieces.push(Buffer.from(text), records.service(slot).bytes)
    text = '}'
  }
  pieces.push(Buffer.from(`${text}],"next":"${timelines.toCursor('seq', next)}","caughtUp":${caughtUp}}`))
  return { page: new Encoded(Buffer.concat(pieces)), count: changes.length }
}
