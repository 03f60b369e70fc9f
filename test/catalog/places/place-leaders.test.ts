// The listing that represents a place is found at a bounded cost, however many listings it has.
import { expect, spyOn, test } from 'bun:test'
import { createRandom } from '../../../bench/catalog.ts'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { Backings } from '../../../src/catalog/places/backings.ts'
import type { Entry } from '../../../src/domain/listing/service.ts'
import { parseResolveQuery } from '../../../src/domain/resolve/query.ts'
import { entry } from '../../entries.ts'

const PAYEE = `0x${'ab'.repeat(20)}`
const PLACE = 'https://api.shop.dev/v1'
const now = new Date('2026-06-01T00:00:00Z')

const put = (catalog: Catalog, entries: readonly Entry[], from = 0) =>
  catalog.apply(
    entries.map((each, i) => ({ seq: from + i + 1, objectSeq: from + i + 1, id: each.id, entry: each })),
  )
const ask = (catalog: Catalog, url: string) =>
  catalog.resolve(parseResolveQuery({ url, payTo: PAYEE }), now).decode()

/** @param age in hours */
function listing(age: number, change: Partial<Entry> = {}): Entry {
  const { status = 'unverified' } = change.standing ?? {}
  const made = entry(
    { endpoint: change.endpoint ?? PLACE, x402Config: { paymentAddress: PAYEE, network: 'base' } },
    { now: new Date(now.getTime() - age * 3_600_000), standing: { status } },
  )
  return { ...made, ...change, standing: made.standing }
}

test.each([1_000, 4_000])('of %d listings of one place only about a thousand are read', count => {
  const catalog = new Catalog()
  const crowd = Array.from({ length: count }, (_, i) =>
    listing(i + 1, i % 2 === 0 ? {} : { endpoint: `${PLACE}?page=${i}` }),
  )
  const own = listing(0, {
    owner: `eip155:${PAYEE}`,
    standing: { status: 'verified' } as Entry['standing'],
  })
  put(catalog, [...crowd, own])
  expect(ask(catalog, `${PLACE}/first`).service?.id).toBe(own.id)
  const looks = spyOn(Backings.prototype, 'facts')
  // Each URL is another question. Meanwhile the listings of the crowd are probed.
  for (let i = 0; i < 5; i++) {
    put(catalog, [{ ...crowd[i]!, name: `Changed ${i}` }], 10_000 + i)
    expect(ask(catalog, `${PLACE}/a${i}`).service?.id).toBe(own.id)
  }
  const calls = looks.mock.calls.length
  looks.mockRestore()
  expect(calls).toBeLessThan(5 * 1_200)
  // The representative is removed, and the oldest of the others takes its place.
  catalog.apply([{ seq: 20_000, objectSeq: 20_000, id: own.id, entry: null, endpoint: PLACE }])
  expect(ask(catalog, `${PLACE}/last`).service?.id).toBe(crowd[count - 2]!.id)
})

test('after any registrations, changes, moves and removals the answer equals that of a newly filled catalog', () => {
  const random = createRandom(7)
  const change = (): Partial<Entry> => ({
    endpoint: [PLACE, PLACE, `${PLACE}?q=${random(3)}`, `${PLACE}/sub`][random(4)]!,
    standing: { status: random(4) === 0 ? 'verified' : 'unverified' } as Entry['standing'],
    owner: [null, 'key_a', `eip155:${PAYEE}`, `eip155:0x${'c'.repeat(40)}`][random(4)]!,
  })
  const catalog = new Catalog()
  const kept = new Map<string, Entry>()
  /** The endpoints of what was removed or moved, which a catalog remembers. */
  const gone: Pick<Entry, 'id' | 'endpoint'>[] = []
  for (let i = 0; i < 330; i++) {
    const each = listing(random(5_000), change())
    kept.set(each.id, each)
  }
  put(catalog, [...kept.values()])
  for (let step = 0; step < 50; step++) {
    const seq = 1_000 + step
    const ids = [...kept.keys()]
    const id = ids[random(3) === 0 ? random(ids.length) : ids.indexOf(ask(catalog, PLACE).service!.id)]!
    if (random(3) === 0) {
      catalog.apply([{ seq, objectSeq: seq, id, entry: null, endpoint: kept.get(id)!.endpoint }])
      gone.push({ id, endpoint: kept.get(id)!.endpoint })
      kept.delete(id)
    } else {
      const { standing, ...changed } = change()
      const before = kept.get(id)!
      const after = { ...before, ...changed, standing: { ...before.standing, ...standing } }
      kept.set(id, after)
      if (after.endpoint !== before.endpoint) gone.push({ id: `svc_${step}`, endpoint: before.endpoint })
      put(catalog, [after], seq - 1)
    }
    if (step % 5 !== 4) continue
    const anew = new Catalog()
    put(anew, [...kept.values()])
    anew.apply(
      gone.map(({ id, endpoint }, i) => ({ seq: seq + i, objectSeq: seq + i, id, entry: null, endpoint })),
    )
    for (const url of [PLACE, `${PLACE}?q=1`, `${PLACE}/sub/x?q=2`])
      expect(ask(catalog, url)).toEqual(ask(anew, url))
  }
})
