// New entries from files and sources. The listings of the sample catalog are recognised, so that nobody who takes them over shows
// invented services as real. A mark in a file would not do: the fields of an export document are fixed, and a list could mark the
// service of somebody else.
import { readFileSync } from 'node:fs'
import { listingOf } from '../domain/listing/seller.ts'
import { createEntry, type Entry, type ServiceDraft } from '../domain/listing/service.ts'
import { lazily } from '../memory/memoize.ts'
import { packageFile } from '../package/files.ts'

const FILE = packageFile('data/sample.ndjson')

const readListings = lazily((): ReadonlySet<string> => {
  const lines = readFileSync(FILE, 'utf8').trimEnd().split('\n')
  return new Set(lines.map(line => listingOf(JSON.parse(line) as ServiceDraft)))
})

/** A new entry from a file or a source. */
export const createImportedEntry = (
  draft: ServiceDraft,
  about: { readonly id: string; readonly now: Date },
): Entry => ({
  ...createEntry(draft, { ...about, source: 'imported' }),
  sample: readListings().has(listingOf(draft)),
})
