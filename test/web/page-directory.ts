// A directory with everything that pages can show: the sample catalog, and a service with a month of probes.

import type { AppOptions } from '../../src/app/server.ts'
import { createIdSource } from '../../src/domain/ids.ts'
import { createEntry } from '../../src/domain/listing/service.ts'
import { judge } from '../../src/domain/standing/judge.ts'
import type { ProbeRecord } from '../../src/domain/standing/standing.ts'
import { say } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { draft } from '../entries.ts'
import { openTestServer, type TestServer } from '../http/directory-server.ts'
import { recordProbe } from '../probes.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { requirements, resource, seen } from '../terms.ts'

export type PageDirectory = TestServer & { readonly probedId: string; readonly databaseUrl: string }

const DAY_MS = 86_400_000
const DAYS = 30
const PROBES_A_DAY = 4
const ADDRESS = '0x7aA3B0D047d135f43e8699E07783a548819BC25c'

const SEEN = {
  ...seen(
    resource({
      url: 'https://tides.example.com/v1',
      accepts: [{ ...requirements, payTo: ADDRESS, amount: '2000', price: '0.002' }],
      input: {
        type: 'object',
        properties: {
          harbour: { type: 'string', description: 'Its name or UN/LOCODE' },
          days: { type: 'integer', description: 'How many days ahead' },
        },
        required: ['harbour'],
        example: { harbour: 'JPTYO', days: 2 },
      },
      output: {
        type: 'object',
        properties: { tides: { type: 'array', description: 'High and low waters' } },
        example: { tides: [{ at: '2026-11-16T04:12:00Z', metres: 1.82 }] },
      },
    }),
  ),
  asks: { amount: '0.002', currency: 'USDC' },
  price: 'lower',
} as const

export async function openPageDirectory(
  settings: Record<string, string> = {},
  options: Pick<AppOptions, 'clock'> = {},
): Promise<PageDirectory> {
  const databaseUrl = `sqlite:${temporaryPath('sample.db')}`
  const server = await openTestServer(
    { DATABASE_URL: databaseUrl, ...settings },
    { sample: true, ...options },
  )
  const { id: probedId, lastChecked } = await addProbedService(databaseUrl)
  // The server follows the probes one by one.
  while ((await server.json(`/api/services/${probedId}/status`)).lastChecked !== lastChecked)
    await Bun.sleep(5)
  return { ...server, probedId, databaseUrl }
}

/** It answers four times a day, fails on two days, is a little slower each time, and very slow once. */
async function addProbedService(databaseUrl: string) {
  await using store = await openStore(databaseUrl, { clock: systemClock })
  // Whole days, so that what a day holds does not depend on the hour of the test.
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const start = new Date(today - DAYS * DAY_MS)
  const entry = createEntry(
    draft({
      name: 'Harbour Tides 潮見表',
      description:
        'Tides, currents and sea temperature for 2,400 harbours.\n全国の港の潮位と海水温を一時間ごとに返します。',
      endpoint: 'https://tides.example.com/v1',
      x402Config: { paymentAddress: ADDRESS, network: 'base' },
    }),
    { id: createIdSource()(start), now: start, owner: 'key_1' },
  )
  await store.insert([entry])
  let lastChecked = ''
  for (let i = 0; i < DAYS * PROBES_A_DAY; i++) {
    const at = new Date(start.getTime() + ((i + 1) * DAY_MS) / PROBES_A_DAY - DAY_MS / 8).toISOString()
    await record(store, toProbe(entry.id, at, i))
    lastChecked = at
  }
  return { id: entry.id, lastChecked }
}

function toProbe(serviceId: string, at: string, i: number): ProbeRecord {
  const isDown = i >= 44 && i < 50
  return {
    serviceId,
    at,
    outcome: isDown ? 'unreachable' : 'payable',
    httpStatus: isDown ? null : 402,
    latencyMs: isDown ? null : i === 90 ? 24_000 : 120 + 3 * (i % 37) + i,
    priceSeen: isDown ? null : '0.002',
    // It asks for less than listed.
    asListed: false,
    // As a prober says it.
    reasons: isDown
      ? [say('connection_refused', { host: 'tides.example.com', errno: 'ECONNREFUSED' })]
      : [
          say('network_as_registered', { network: 'Base' }),
          say('address_as_registered', { address: ADDRESS }),
          say('other_price', { price: '0.002', currency: 'USDC', upTo: false, listed: '0.0025 USDC' }),
        ],
  }
}

const record = (store: Awaited<ReturnType<typeof openStore>>, probe: ProbeRecord) =>
  recordProbe(store, probe, (kept, history) => ({
    ...judge(
      kept,
      {
        probe,
        terms:
          probe.outcome === 'payable'
            ? {
                payTo: [ADDRESS],
                price: { amount: '0.002', currency: 'USD' },
                furtherChains: ['polygon'],
                seen: SEEN,
              }
            : undefined,
      },
      history,
    ),
    dueAt: null,
  }))
