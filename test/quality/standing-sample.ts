// The services of the sample catalog as if they were real: each with a standing, so that ranking, filters and attacks can distinguish
// them.
import { readSample } from '../../src/app/local.ts'
import type { Entry } from '../../src/domain/listing/service.ts'
import type { Standing } from '../../src/domain/standing/standing.ts'
import { withProof } from '../entries.ts'

export type StandingLine = {
  readonly endpoint: string
  readonly standing: Omit<Standing, 'lastChecked'> & { readonly supportedChains?: readonly string[] }
}

export async function readStandings(): Promise<StandingLine[]> {
  const text = await Bun.file(new URL('standings.ndjson', import.meta.url)).text()
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
}

export async function readStandingSample(now: Date): Promise<Entry[]> {
  const standings = new Map((await readStandings()).map(({ endpoint, standing }) => [endpoint, standing]))
  return (await readSample(now)).map(entry => {
    const { supportedChains = entry.supportedChains, ...standing } = standings.get(entry.endpoint)!
    const standingOf = { ...standing, lastChecked: entry.createdAt }
    return withProof({ ...entry, sample: false, supportedChains, standing: standingOf }, standing.trustScore)
  })
}
