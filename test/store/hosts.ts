// What every store promises about leases of hosts.
import { describe, expect, test } from 'bun:test'
import type { Store } from '../../src/store/store.ts'

const AT = new Date('2026-11-01T12:00:00.000Z')
const LEASE_MS = 1_000
const later = (ms: number) => new Date(AT.getTime() + ms)

export function describeHosts({ store }: { store: () => Store }): void {
  const take = async (holder: string, hosts: readonly string[], now = AT) => [
    ...(await store().hosts.take(hosts, { holder, now, leaseMs: LEASE_MS })),
  ]
  const leave = (holder: string, host: string, endsAt: Date, now = AT) =>
    store().hosts.leave(new Map([[host, endsAt]]), { holder, now })

  describe('a host lease', () => {
    test('has one holder at a time, separately for each host', async () => {
      const holders = ['x', 'y', 'z', 'w']
      const taken = await Promise.all(holders.map(holder => take(holder, ['a', 'b', 'b'])))
      expect(taken.flat().toSorted()).toEqual(['a', 'b'])
      expect(await take('another', ['a', 'c', 'b'])).toEqual(['c'])
      expect(await take('another', [])).toEqual([])
    })

    test('is granted in turn to all who request the same host in any order', async () => {
      const hosts = Array.from({ length: 50 }, (_, i) => `host-${i}`)
      const orders = [hosts, hosts.toReversed(), hosts.toSorted(), hosts.toSorted().toReversed()]
      for (let round = 0; round < 5; round++) {
        const now = later(round * LEASE_MS)
        const taken = await Promise.all(orders.map((order, i) => take(`${round}-${i}`, order, now)))
        expect(taken.flat().toSorted()).toEqual(hosts.toSorted())
        const ends = new Map(hosts.map(host => [host, now]))
        await Promise.all(
          orders.map((_, i) => store().hosts.leave(ends, { holder: `${round}-${i}`, now: AT })),
        )
      }
    })

    test('can be renewed by its holder, and taken by others only after it ends', async () => {
      expect(await take('x', ['a'])).toEqual(['a'])
      expect(await take('x', ['a'], later(900))).toEqual(['a'])
      expect(await take('y', ['a'], later(1_899))).toEqual([])
      expect(await take('y', ['a'], later(1_900))).toEqual(['a'])
      expect(await take('x', ['a'], later(1_900))).toEqual([])
    })

    test('can be released only by its holder', async () => {
      await take('x', ['a'])
      await leave('y', 'a', AT)
      expect(await take('y', ['a'])).toEqual([])
      await leave('x', 'a', later(300))
      expect(await take('y', ['a'], later(299))).toEqual([])
      expect(await take('y', ['a'], later(300))).toEqual(['a'])
      await leave('x', 'a', AT)
      expect(await take('x', ['a'], later(300))).toEqual([])
    })

    test('does not block a host if it was granted by a clock far ahead', async () => {
      await take('x', ['a'], later(3_600_000))
      expect(await take('y', ['a'])).toEqual(['a'])
      await take('x', ['b'], later(LEASE_MS))
      expect(await take('y', ['b'])).toEqual([])
    })

    test('is deleted after its end when the next lease is released', async () => {
      await take('x', ['a', 'b', 'c'])
      await leave('y', 'd', AT, later(LEASE_MS))
      // Whoever had it finds nothing of theirs to end.
      await leave('x', 'a', later(5 * LEASE_MS))
      expect(await take('z', ['a', 'b', 'c'], later(LEASE_MS))).toHaveLength(3)
    })
  })
}
