// The data structures of the catalog, one per kind of query. An entry has the same slot in all of them.

import type { Timelines } from '../domain/timelines.ts'
import type { SlotOrder } from '../memory/sorted-slots.ts'
import type { RankingSource } from '../search/ranking/rank-intent.ts'
import type { SearchIndex } from '../search/search-index.ts'
import type { Seq } from '../store/store.ts'
import { Columns } from './columns/columns.ts'
import { Fingerprints } from './columns/fingerprints.ts'
import { SlotTable } from './columns/id-table.ts'
import { Offers } from './columns/offers.ts'
import { Samples } from './columns/samples.ts'
import { ChangeLog } from './follow/change-log.ts'
import { Position } from './follow/position.ts'
import { SortedIndexes } from './lists/sorted-indexes.ts'
import { Backings } from './places/backings.ts'
import { Namesakes } from './places/namesakes.ts'
import { Places } from './places/places.ts'
import { createRankingSource } from './ranking-source.ts'
import { HiddenEntries } from './records/hidden-entries.ts'
import { Records } from './records/records.ts'

export class CatalogParts {
  readonly ids = new SlotTable()
  readonly records = new Records()
  readonly columns = new Columns()
  readonly sortedIndexes = new SortedIndexes(this.columns, this.ids)
  readonly index: SearchIndex
  readonly log = new ChangeLog()
  readonly offers = new Offers()
  readonly namesakes = new Namesakes()
  readonly backings = new Backings()
  readonly places = new Places()
  readonly fingerprints = new Fingerprints()
  readonly samples = new Samples()
  readonly hidden = new HiddenEntries()
  readonly position = new Position()
  /** Tie-break at equal relevance: what must not be paid last, the more trusted first, samples last, then the older. */
  readonly order: SlotOrder = (a, b) =>
    Number(this.places.danger(a) !== undefined) - Number(this.places.danger(b) !== undefined) ||
    this.columns.trust[b]! - this.columns.trust[a]! ||
    Number(this.places.isSample(a)) - Number(this.places.isSample(b)) ||
    this.ids.compare(a, b)
  readonly ranking: RankingSource

  constructor(index: SearchIndex) {
    this.index = index
    this.ranking = createRankingSource(this)
  }

  /** Everything up to this write is visible in every read. */
  get seq(): Seq {
    return this.position.seq
  }

  get timelines(): Timelines {
    return this.position.timelines
  }

  get bytes(): number {
    return (
      this.ids.bytes +
      this.records.bytes +
      this.columns.bytes +
      this.sortedIndexes.bytes +
      this.index.bytes +
      this.log.bytes +
      this.offers.bytes +
      this.namesakes.bytes +
      this.fingerprints.bytes +
      this.backings.bytes +
      this.places.bytes
    )
  }
}
