// What every store promises about leases.
import { describe, expect, test } from 'bun:test'
import type { Store } from '../../src/store/store.ts'

const AT = new Date('2026-11-01T12:00:00.000Z')
const later = (ms: number) => new Date(AT.getTime() + ms)

export function describeLeases({ store }: { store: () => Store }): void {
  const take = (holder: string, now = AT, name = 'a') =>
    store().leases.take(name, { holder, now, leaseMs: 1_000, note: `of ${holder} 標` })

  describe('a lease', () => {
    test('has one holder at a time, for each name separately', async () => {
      expect(await store().leases.find('a')).toBeUndefined()
      const taken = await Promise.all(['x', 'y', 'z'].map(holder => take(holder)))
      expect(taken.filter(Boolean)).toHaveLength(1)
      const holder = ['x', 'y', 'z'][taken.indexOf(true)]!
      expect(await store().leases.find('a')).toEqual({
        holder,
        endsAt: later(1_000),
        note: `of ${holder} 標`,
      })
      expect(await take('another', AT, 'b')).toBe(true)
    })

    test('can be renewed by its holder at any time, and taken by others only after it ends', async () => {
      expect(await take('x')).toBe(true)
      expect(await take('x', later(900))).toBe(true)
      expect(await take('y', later(1_899))).toBe(false)
      expect(await take('x', later(5_000))).toBe(true)
      expect(await take('y', later(6_000))).toBe(true)
      expect(await take('x', later(6_000))).toBe(false)
      expect((await store().leases.find('a'))?.holder).toBe('y')
    })

    test('can be released only by its holder, and keeps its note', async () => {
      await take('x')
      const letGo = (holder: string) =>
        store().leases.take('a', { holder, now: AT, leaseMs: 0, note: `last words of ${holder}` })
      expect(await letGo('y')).toBe(false)
      expect(await take('y')).toBe(false)
      expect(await letGo('x')).toBe(true)
      expect(await store().leases.find('a')).toEqual({ holder: 'x', endsAt: AT, note: 'last words of x' })
      expect(await take('y')).toBe(true)
    })
  })
}
