// A page of the feed of changes, put together from records that are encoded already.
import { Encoded } from '../domain/encoded.ts'
import type { Changes } from '../domain/feed.ts'
import { type JsonPiece, joinJson } from '../domain/json-pieces.ts'
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
  const pieces: JsonPiece[] = ['{"changes":[']
  for (const [index, change] of changes.entries()) {
    if (index > 0) pieces.push(',')
    if ('removed' in change) {
      pieces.push(JSON.stringify({ seq: change.seq, id: change.removed, type: 'delete' }))
      continue
    }
    const { seq, slot, followed } = change
    const head = JSON.stringify({ seq, id: ids.id(slot), type: 'upsert' }).slice(0, -1)
    pieces.push(`${head},${followed}"service":`, records.service(slot).bytes, '}')
  }
  const tail = JSON.stringify({ next: timelines.toCursor('seq', next), caughtUp }).slice(1)
  pieces.push(`],${tail}`)
  return { page: new Encoded(joinJson(pieces)), count: changes.length }
}
