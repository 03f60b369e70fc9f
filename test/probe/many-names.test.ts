// An attacker lists 200 services at 200 names that all lead to one machine, to have the directory ask it.
import { expect, test } from 'bun:test'
import { createProber } from '../../src/probe/prober.ts'
import { createHostGate, HostBusy, PER_ADDRESS } from '../../src/probe/requests/host-gate.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { HOST_PATIENCE_MS } from '../../src/probe/rounds.ts'
import { ManualClock } from '../store/manual-clock.ts'

const NAMES = 200

test('200 names of one machine get no more concurrent requests, nor per second, than one address may', async () => {
  const clock = new ManualClock()
  const gate = createHostGate(clock)
  const victim = { asked: 0, inHand: 0, most: 0 }
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch() {
      victim.asked++
      victim.most = Math.max(victim.most, ++victim.inHand)
      await new Promise(resolve => setImmediate(resolve))
      victim.inHand--
      // Neither terms nor an error: the prober looks for documents too.
      return new Response('hello')
    },
  })
  const lookup = async () => [{ address: '127.0.0.1', family: 4 as const }]
  const probe = createProber({
    fetch: createSafeFetch({ allowPrivate: true, lookup }),
    userAgent: 'test',
    gate,
  })
  const outcomes: unknown[] = []
  for (let i = 0; i < NAMES; i++)
    probe({ endpoint: `http://name-${i}.dev:${server.port}/` }, { patienceMs: HOST_PATIENCE_MS }).then(
      outcome => outcomes.push(outcome),
      error => outcomes.push(error),
    )
  const startMs = clock.now().getTime()
  while (outcomes.length < NAMES) {
    await Bun.sleep(1)
    const spentMs = clock.now().getTime() - startMs
    expect(victim.asked).toBeLessThanOrEqual(1 + spentMs / PER_ADDRESS.apartMs)
    clock.advance(PER_ADDRESS.apartMs / 2)
  }
  expect(victim.most).toBeLessThanOrEqual(PER_ADDRESS.most)
  expect(victim.asked).toBeGreaterThan(PER_ADDRESS.most)
  // The rest comes back later, one after the other, and nothing is held against it.
  const postponed = outcomes.filter(each => each instanceof HostBusy)
  expect(postponed.length).toBeGreaterThan(NAMES / 2)
  expect(new Set(postponed.map(({ place }) => place))).toEqual(new Set(['127.0.0.1']))
}, 60_000)
