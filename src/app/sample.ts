// The sample catalog: believable services on `.example` hosts, so that a new directory has something to show.
import { readDraft } from '../domain/draft.ts'
import { createIdSource } from '../domain/ids.ts'
import { createEntry, type Entry } from '../domain/service.ts'
import type { Standing } from '../domain/standing.ts'

const FILE = new URL('../../data/sample.ndjson', import.meta.url)

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
