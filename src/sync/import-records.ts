// Imports the records of a file into the store, idempotently: a record is identified by its id, or without one by name, endpoint and
// payee. A file can only change entries that were imported from files and have no owner.

import { isDeepStrictEqual } from 'node:util'
import { type createIdSource, idTimeMs, isServiceId } from '../domain/ids.ts'
import { categoryFromLabel, categoryLabels } from '../domain/listing/categories.ts'
import { editEntry, toDraft } from '../domain/listing/edit.ts'
import { listingOf } from '../domain/listing/seller.ts'
import type { Entry, ServiceDraft } from '../domain/listing/service.ts'
import type { EntryOrTombstone, Store } from '../store/store.ts'
import { createImportedEntry } from './followed-entries.ts'
import { payeesOf } from './group-resources.ts'

export type ImportRecord = {
  /** `line 3`, `item 12`. */
  readonly place: string
  readonly draft: ServiceDraft
  /** The unvalidated id in the file. */
  readonly id?: unknown
  /** Whether it is from an export document, which has no description and no free quota, and a label instead of the category id. */
  readonly isExported: boolean
}

export type ImportReport = {
  readonly imported: number
  /** Those of `imported` that come from an export document: their name is their description, and their free quota is 0. */
  readonly undescribed: number
  readonly updated: number
  /** Already stored, without a difference. */
  readonly unchanged: number
  /** Owned by another source or user, or removed locally: left unchanged. */
  readonly kept: number
  /** The same listing as an earlier record of the file. */
  readonly repeated: number
}

export interface RecordImport {
  /** Inserts new entries in one transaction. Resolves to the written entries. @param onSkipped called with a sentence per skipped record */
  write(records: readonly ImportRecord[], onSkipped: (sentence: string) => void): Promise<readonly Entry[]>
  readonly report: ImportReport
}

type ImportDeps = {
  readonly store: Pick<Store, 'insert' | 'update' | 'lookUp' | 'paidTo' | 'lastSeq'>
  readonly newId: ReturnType<typeof createIdSource>
  readonly now: () => Date
}

/** Whether a file may change the entry: it was imported from a file and has no owner. */
const isFromFile = ({ owner, provenance: { source, origin } }: Entry): boolean =>
  owner === null && source === 'imported' && origin === undefined

/** The id of an entry that the file may change, or another existing entry; null if it was removed. */
type Existing = string | Entry | null

const toExisting = (known: EntryOrTombstone | undefined): Existing | undefined =>
  known?.entry && isFromFile(known.entry) ? known.entry.id : known?.entry

export function createRecordImport({ store, newId, now }: ImportDeps): RecordImport {
  const counts = { imported: 0, undescribed: 0, updated: 0, unchanged: 0, kept: 0, repeated: 0 }
  const listings = createListings(store)
  /** Keys of the records read so far. */
  const seenKeys = new Set<string>()

  async function findExisting(records: readonly ImportRecord[]) {
    const at = now()
    const withId = records.filter(({ id }) => isUsableId(id, at))
    const known = await store.lookUp(withId.map(({ id }) => id as string))
    await listings.read(records.filter(({ id }) => !isUsableId(id, at)).map(({ draft }) => draft))
    return records.map(record => {
      const key = isUsableId(record.id, at) ? record.id : toKey(record.draft)
      return { record, key, existing: key === record.id ? toExisting(known.get(key)) : listings.find(key) }
    })
  }

  return {
    get report() {
      return { ...counts }
    },
    async write(records, onSkipped) {
      const added: Entry[] = []
      const wanted = new Map<string, ImportRecord>()
      for (const { record, key, existing } of await findExisting(records)) {
        const { draft, id } = record
        if (seenKeys.has(key)) {
          counts.repeated++
          continue
        }
        seenKeys.add(key)
        if (existing === undefined) {
          added.push(createImportedEntry(draft, { id: key === id ? key : newId(now()), now: now() }))
          if (record.isExported) counts.undescribed++
        } else if (typeof existing === 'string') wanted.set(existing, record)
        else {
          counts.kept++
          const why = reasonToSkip(existing, record)
          if (why) onSkipped(`${record.place}: ${why}`)
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
    // Checked again inside the transaction: an owner may have claimed it meanwhile.
    if (!isFromFile(entry)) return undefined
    const edited = editEntry(entry, fill(wanted.get(entry.id)!, entry), { by: 'operator', now })
    if (edited) updated.set(entry.id, edited.entry)
    return edited
  })
  return [...updated.values()]
}

/** Fields that an export does not contain keep their stored value. */
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

/** undefined if the record does not differ from the entry. */
function reasonToSkip(entry: Entry | null, record: ImportRecord): string | undefined {
  if (!entry) return `${record.id} was removed here and stays removed`
  if (isDeepStrictEqual(toDraft(entry), fill(record, entry))) return undefined
  const { sourceUrl, source } = entry.provenance
  const whose = sourceUrl
    ? `comes from ${sourceUrl}`
    : source === 'sample'
      ? 'is a sample'
      : 'has an owner here'
  return `${entry.id} ${whose}; what the file says about it is not taken over`
}

/** A valid id of another directory is preserved, but not one from the future, which would sort before the newest for ever. */
const isUsableId = (id: unknown, now: Date): id is string =>
  typeof id === 'string' && isServiceId(id) && idTimeMs(id) <= now.getTime()

/** A short, collision-resistant key: a file may have a million records. */
const toKey = (draft: ServiceDraft | Entry): string =>
  new Bun.CryptoHasher('sha256').update(listingOf(draft)).digest('base64').slice(0, 24)

/** Finds existing listings through their payee; each payee is queried once. */
function createListings(store: Pick<Store, 'paidTo' | 'lastSeq'>) {
  const payees = new Set<string>()
  const existing = new Map<string, Existing>()
  let isNew: boolean | undefined
  return {
    async read(drafts: readonly ServiceDraft[]): Promise<void> {
      isNew ??= (await store.lastSeq()) === 0
      if (isNew) return
      const missing = payeesOf(drafts).filter(address => !payees.has(address))
      for (const address of missing) payees.add(address)
      for (const entry of missing.length > 0 ? await store.paidTo(missing) : []) {
        const key = toKey(entry)
        // Of several equal listings, one from a file wins, so that the next import finds it again.
        if (!existing.has(key) || isFromFile(entry)) existing.set(key, isFromFile(entry) ? entry.id : entry)
      }
    },
    find: (key: string): Existing | undefined => existing.get(key),
  }
}
