// Brings the records of a file into the store. The same file twice is the same as once: a record is known by its id, or without one
// by its name, where it is and whom it pays. A file changes what files have brought, and nothing that is somebody else's.

import { isDeepStrictEqual } from 'node:util'
import { categoryFromLabel, categoryLabels } from '../domain/categories.ts'
import { editEntry, toDraft } from '../domain/edit.ts'
import { type createIdSource, idTimeMs, isServiceId } from '../domain/ids.ts'
import { addressSpellings } from '../domain/same-address.ts'
import { listingOf } from '../domain/seller.ts'
import { createEntry, type Entry, type ServiceDraft } from '../domain/service.ts'
import type { Known, Store } from '../store/store.ts'

export type ImportRecord = {
  /** `line 3`, `item 12`. */
  readonly place: string
  readonly draft: ServiceDraft
  /** As the file has it, whatever it is. */
  readonly id?: unknown
  /** An entry of an export document: it holds neither description nor free quota, and of the category a label. */
  readonly isExported: boolean
}

export type ImportReport = {
  readonly imported: number
  readonly updated: number
  /** Here already, just so. */
  readonly unchanged: number
  /** Here by somebody else, or removed here: left as it is. */
  readonly kept: number
  /** The same listing as a record before it in the file. */
  readonly repeated: number
}

export interface RecordImport {
  /** In one transaction for what is new. Resolves to what was written. @param tell a sentence about a record that was left out */
  write(records: readonly ImportRecord[], tell: (sentence: string) => void): Promise<readonly Entry[]>
  readonly report: ImportReport
}

type ImportParts = {
  readonly store: Pick<Store, 'insert' | 'update' | 'known' | 'paidTo' | 'lastSeq'>
  readonly newId: ReturnType<typeof createIdSource>
  readonly now: () => Date
}

/** What a file may change: what files have brought, while nobody has it as their own. */
const isOfFiles = ({ owner, provenance: { source, origin } }: Entry): boolean =>
  owner === null && source === 'imported' && origin === undefined

/** The id of what a file may change, or else what is here; null: it was removed. */
type Found = string | Entry | null

const toFound = (known: Known | undefined): Found | undefined =>
  known?.entry && isOfFiles(known.entry) ? known.entry.id : known?.entry

export function createRecordImport({ store, newId, now }: ImportParts): RecordImport {
  const counts = { imported: 0, updated: 0, unchanged: 0, kept: 0, repeated: 0 }
  const listings = createListings(store)
  /** Ids and listings that the file has told already. */
  const told = new Set<string>()

  async function place(records: readonly ImportRecord[]) {
    const at = now()
    const withId = records.filter(({ id }) => isUsableId(id, at))
    const known = await store.known(withId.map(({ id }) => id as string))
    await listings.read(records.filter(({ id }) => !isUsableId(id, at)).map(({ draft }) => draft))
    return records.map(record => {
      const key = isUsableId(record.id, at) ? record.id : toKey(record.draft)
      return { record, key, found: key === record.id ? toFound(known.get(key)) : listings.find(key) }
    })
  }

  return {
    get report() {
      return { ...counts }
    },
    async write(records, tell) {
      const added: Entry[] = []
      const wanted = new Map<string, ImportRecord>()
      for (const { record, key, found } of await place(records)) {
        const { draft, id } = record
        if (told.has(key)) {
          counts.repeated++
          continue
        }
        told.add(key)
        if (found === undefined)
          added.push(
            createEntry(draft, { id: key === id ? key : newId(now()), now: now(), source: 'imported' }),
          )
        else if (typeof found === 'string') wanted.set(found, record)
        else {
          counts.kept++
          const why = leftBecause(found, record)
          if (why) tell(`${record.place}: ${why}`)
        }
      }
      if (added.length > 0) await store.insert(added)
      counts.imported += added.length
      const updated = await update(store, wanted, now())
      counts.updated += updated.length
      counts.unchanged += wanted.size - updated.length
      return [...added, ...updated]
    },
  }
}

async function update(
  store: Pick<Store, 'update'>,
  wanted: ReadonlyMap<string, ImportRecord>,
  now: Date,
): Promise<Entry[]> {
  const updated = new Map<string, Entry>()
  if (wanted.size === 0) return []
  await store.update([...wanted.keys()], entry => {
    updated.delete(entry.id)
    // Asked again inside the transaction: an owner may have claimed it in the meantime.
    if (!isOfFiles(entry)) return undefined
    const edited = editEntry(entry, fill(wanted.get(entry.id)!, entry), { by: 'operator', now })
    if (edited) updated.set(entry.id, edited.entry)
    return edited
  })
  return [...updated.values()]
}

/** What an export does not tell stays as it is. */
function fill({ draft, isExported }: ImportRecord, entry: Entry): ServiceDraft {
  if (!isExported) return draft
  const { description, category, pricing } = entry
  return {
    ...draft,
    description,
    category: categoryFromLabel(categoryLabels(category).en) === draft.category ? category : draft.category,
    pricing: { ...draft.pricing, freeQuota: pricing.freeQuota },
  }
}

/** undefined where the file says nothing else than what is here. */
function leftBecause(entry: Entry | null, record: ImportRecord): string | undefined {
  if (!entry) return `${record.id} was removed here and stays so`
  if (isDeepStrictEqual(toDraft(entry), fill(record, entry))) return undefined
  const { sourceUrl, source } = entry.provenance
  const whose = sourceUrl
    ? `comes from ${sourceUrl}`
    : source === 'sample'
      ? 'is a sample'
      : 'has an owner here'
  return `${entry.id} ${whose}; what the file says about it is not taken over`
}

/** One of another directory stays what it is; one from the future would stand before the newest for ever. */
const isUsableId = (id: unknown, now: Date): id is string =>
  typeof id === 'string' && isServiceId(id) && idTimeMs(id) <= now.getTime()

/** Short, and nobody can make two listings share one: a file may hold a million. */
const toKey = (draft: ServiceDraft | Entry): string =>
  new Bun.CryptoHasher('sha256').update(listingOf(draft)).digest('base64').slice(0, 24)

/** Finds what is listed already; whom it pays leads there, and each payee is asked for once. */
function createListings(store: Pick<Store, 'paidTo' | 'lastSeq'>) {
  const payees = new Set<string>()
  const found = new Map<string, Found>()
  let isNew: boolean | undefined
  return {
    async read(drafts: readonly ServiceDraft[]): Promise<void> {
      isNew ??= (await store.lastSeq()) === 0
      if (isNew) return
      const asked = new Set(
        drafts.flatMap(({ x402Config: { paymentAddress, network } }) =>
          addressSpellings(paymentAddress, network),
        ),
      )
      const missing = [...asked].filter(address => !payees.has(address))
      for (const address of missing) payees.add(address)
      for (const entry of missing.length > 0 ? await store.paidTo(missing) : []) {
        const key = toKey(entry)
        // Where several are alike, that of a file goes on being that of the file.
        if (!found.has(key) || isOfFiles(entry)) found.set(key, isOfFiles(entry) ? entry.id : entry)
      }
    },
    find: (key: string): Found | undefined => found.get(key),
  }
}
