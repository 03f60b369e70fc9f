// Records of one service from the store: its history, the components of its trust, its provenance.
import type { Catalog } from '../catalog/catalog.ts'
import { isServiceId } from '../domain/ids.ts'
import { Encoded } from '../domain/json/encoded.ts'
import { toProvenance } from '../domain/listing/provenance.ts'
import {
  type History,
  readCursor,
  toCursorText,
  toDay,
  toEventItem,
  toProbeItem,
} from '../domain/standing/history.ts'
import { toTrust } from '../domain/standing/trust.ts'
import type { HistoryItem, HistoryPlace, Store, StoredEntry } from '../store/store.ts'
import type { Directory } from './directory.ts'

type Parts = {
  readonly store: Pick<Store, 'probes' | 'find' | 'payments'>
  readonly ready: () => Catalog
  /** @throws DirectoryError `not_found`, `hidden` */
  readonly requireFound: <T>(value: T | undefined, id: string) => T
  /** @throws DirectoryError `not_found`, `hidden` */
  readonly requireVisible: (stored: StoredEntry | undefined, id: string) => StoredEntry
}

export const createServiceRecords = ({
  store,
  ready,
  requireFound,
  requireVisible,
}: Parts): Pick<Directory, 'history' | 'trust' | 'provenance'> => ({
  async history(id, { limit, before, days }) {
    if (!isServiceId(id)) requireFound(ready().status(id), id)
    const place = before === undefined ? undefined : readCursor(before)
    const [items, sums] = await Promise.all([
      store.probes.history(id, limit + 1, place),
      store.probes.days(id, days),
    ])
    // A removed service still has a history; an id that never existed has none.
    if (items.length === 0) requireFound(ready().status(id), id)
    const page = items.slice(0, limit)
    const last = items.length > limit ? page.at(-1) : undefined
    return Encoded.of<History>({
      id,
      items: page.map(item => (item.kind === 'probe' ? toProbeItem(item.probe) : toEventItem(item.event))),
      next: last ? toCursorText(placeOf(last)) : null,
      days: sums.map(toDay),
    })
  },

  async trust(id) {
    ready()
    const [stored, payments] = await Promise.all([store.find(id), store.payments.totals(id)])
    const { entry, facts } = requireVisible(stored, id)
    return Encoded.of(toTrust(entry, facts, payments))
  },

  async provenance(id) {
    ready()
    return Encoded.of(toProvenance(requireVisible(await store.find(id), id).entry))
  },
})

const placeOf = (item: HistoryItem): HistoryPlace =>
  item.kind === 'probe' ? { at: item.probe.at, number: 0 } : item.event
