// The sample catalog: believable services on `.example` hosts, so that a new directory has something to show.
import { readDraft } from '../domain/draft.ts'
import { createIdSource } from '../domain/ids.ts'
import { createEntry, type Entry } from '../domain/service.ts'
import type { Standing } from '../domain/standing.ts'
import { packageFile } from '../package/files.ts'
import type { StoredEmbedding } from '../store/store.ts'

/** One per line, in the order of the sample. The reader recomputes embeddings of another model or text. */
export const SAMPLE_EMBEDDINGS = packageFile('data/sample-embeddings.txt')
const FILE = packageFile('data/sample.ndjson')

/** A line of the file: a registration body with an invented standing, since sample entries are never probed. */
type SampleLine = {
  readonly standing: Omit<Standing, 'lastChecked'> & { readonly supportedChains?: readonly string[] }
}

export async function readSample(now: Date): Promise<Entry[]> {
  const newId = createIdSource()
  const lines = (await Bun.file(FILE).text()).trim().split('\n')
  return lines.map(line => {
    const body = JSON.parse(line) as SampleLine
    const { draft } = readDraft(body, { allowPrivateEndpoints: false, strictAddresses: true })
    const entry = createEntry(draft, { id: newId(now), now, source: 'sample' })
    const { supportedChains = entry.supportedChains, ...standing } = body.standing
    return { ...entry, supportedChains, standing: { ...standing, lastChecked: entry.createdAt } }
  })
}

/** @param entries of `readSample` */
export async function readSampleEmbeddings(entries: readonly Entry[]): Promise<StoredEmbedding[]> {
  const lines = (await Bun.file(SAMPLE_EMBEDDINGS).text()).trim().split('\n')
  return entries.map(({ id }, i) => ({ id, embedding: Uint8Array.fromBase64(lines[i] ?? '') }))
}
