// What a directory has gathered after a while: a service with 90 days behind it, a seller of fifty, a census, sources that fail.
import { judge } from '../../src/domain/judge.ts'
import type { ProbeRecord } from '../../src/domain/probes.ts'
import { say } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { entry } from '../entries.ts'
import { requirements, resource, seen } from '../terms.ts'
import type { PageDirectory } from './page-directory.ts'

const DAY_MS = 86_400_000
export const CROWDED_PAYEE = `0x${'c'.repeat(40)}`
const ago = (days: number) => new Date(Date.now() - days * DAY_MS)
const dayOf = (date: Date) => date.toISOString().slice(0, 10)

/** Returns the id of the old service. */
export async function addHistory(site: PageDirectory): Promise<{ readonly ninety: string }> {
  await using store = await openStore(site.databaseUrl, { clock: systemClock })
  await store.insert(
    Array.from({ length: 50 }, (_, i) =>
      entry({
        name: `Parcel Tracker ${i + 1}`,
        description: 'Where a parcel is, and when it arrives.',
        endpoint: `https://parcels.example/v${i + 1}`,
        x402Config: { paymentAddress: CROWDED_PAYEE, network: 'base' },
      }),
    ),
  )
  const ninety = await addOld(store)
  await addCensus(store, site)
  for (const [host, failures] of [
    ['list.example', 0],
    ['away.example', 1],
    ['gone.example', 12],
  ] as const) {
    const state = (await store.sources.claim(`https://${host}/list`, new Date(), 1_000))!
    const succeededAt = failures < 12 ? ago(0.1).toISOString() : null
    await store.sources.save({ ...state, kind: 'list', failures, succeededAt })
  }
  while ((await site.get(`/services/${ninety}`)).status !== 200) await Bun.sleep(5)
  return { ninety }
}

/** It misses a day a month, is mostly quick, and took half a minute once. */
async function addOld(store: Store): Promise<string> {
  const listed = entry({ name: 'Tram Departures', endpoint: 'https://trams.example/v1' }, { now: ago(95) })
  await store.insert([listed])
  const asks = { amount: '0.0025', currency: 'USDC' }
  const terms = { payTo: [requirements.payTo], price: asks, furtherChains: [] }
  for (let i = 0; i < 90; i++) {
    const isDown = i % 30 === 17
    const probe: ProbeRecord = {
      serviceId: listed.id,
      at: ago(90 - i).toISOString(),
      outcome: isDown ? 'unreachable' : 'payable',
      httpStatus: isDown ? null : 402,
      latencyMs: isDown ? null : i === 70 ? 30_000 : 90 + ((i * 37) % 60),
      priceSeen: isDown ? null : '0.0025',
      asListed: !isDown,
      reasons: [
        isDown
          ? say('connection_refused', { host: 'trams.example', errno: 'ECONNREFUSED' })
          : say('network_as_registered', { network: 'Base' }),
      ],
    }
    const read = { ...seen(resource({ url: listed.endpoint })), asks, price: 'same' } as const
    await store.probes.record(probe, (kept, history) => ({
      ...judge(
        kept,
        { probe, terms: isDown ? undefined : { ...terms, seen: read }, resource: null },
        history,
      ),
      dueAt: null,
    }))
  }
  return listed.id
}

async function addCensus(store: Store, site: PageDirectory): Promise<void> {
  const [today] = (await site.json('/api/census')).days
  for (let i = 1; i <= 60; i++) {
    const part = 1 - i / 80
    await store.census.put({
      ...today,
      day: dayOf(ago(i)),
      services: Math.round(today.services * part),
      alive: Math.round(today.alive * part),
      verified: Math.round(today.verified * part * part),
    })
  }
  await store.census.putUnmet(dayOf(ago(2)), [
    { words: 'flight tracker', callers: 12 },
    { words: '不動産 価格', callers: 9 },
    { words: 'recipes', callers: 7 },
  ])
}
