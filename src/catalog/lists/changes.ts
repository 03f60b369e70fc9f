// A page of the changes feed, assembled from encoded records.

import type { Changes } from '../../domain/feed.ts'
import { Encoded } from '../../domain/json/encoded.ts'
import { type JsonPiece, joinJson } from '../../domain/json/json-pieces.ts'
import type { Timelines } from '../../domain/timelines.ts'
import type { Seq } from '../../store/store.ts'
import type { SlotTable } from '../columns/id-table.ts'
import type { ChangeLog } from '../follow/change-log.ts'
import type { Records } from '../records/records.ts'

/** @param seq everything up to it is visible; later changes belong to a page of the store that is not fully applied yet */
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
  const logged = log.after(since, seq, limit + 1, id => ids.find(id) !== undefined)
  const changes = logged.slice(0, limit)
  const caughtUp = logged.length <= limit
  // A cursor from a process that was further ahead must not move back.
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
