// Probes a listed service at once, as a round would.
import { createProbing } from '../src/app/probing/probing.ts'
import { systemClock as clock } from '../src/runtime/clock.ts'
import { openStore } from '../src/store/open.ts'

export async function probeNow(databaseUrl: string, id: string): Promise<void> {
  await using store = await openStore(databaseUrl, { clock })
  const settings = { allowPrivateEndpoints: true, publicUrl: undefined }
  const { prober } = createProbing(settings, store, clock)
  const stored = (await store.find(id))!
  await prober.record(await prober.probe(stored, { patienceMs: 60_000 }, { readsProof: true }))
}
