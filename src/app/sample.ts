// The sample catalog: believable services on `.example` hosts, so that a new directory has something to show. They are registrations
// like any other, and without a standing: nothing is invented that could pass for a measurement.

import { createIdSource } from '../domain/ids.ts'
import { readDraft } from '../domain/listing/draft.ts'
import { createEntry, type Entry } from '../domain/listing/service.ts'
import { packageFile } from '../package/files.ts'
import type { StoredEmbedding } from '../store/store.ts'

/** One per line, in the order of the sample. The reader recomputes embeddings of another model or text. */
export const SAMPLE_EMBEDDINGS = packageFile('data/sample-embeddings.txt')
const FILE = packageFile('data/sample.ndjson')

export async function readSample(now: Date): Promise<Entry[]> {
  const newId = createIdSource()
  const lines = (await Bun.file(FILE).text()).trim().split('\n')
  return lines.map(line => {
    const { draft } = readDraft(JSON.parse(line), { allowPrivateEndpoints: false, strictAddresses: true })
    return createEntry(draft, { id: newId(now), now, source: 'sample' })
  })
}

/** @param entries of `readSample` */
export async function readSampleEmbeddings(entries: readonly Entry[]): Promise<StoredEmbedding[]> {
  const lines = (await Bun.file(SAMPLE_EMBEDDINGS).text()).trim().split('\n')
  return entries.map(({ id }, i) => ({ id, embedding: Uint8Array.fromBase64(lines[i] ?? '') }))
}
