// What every store promises about budgets.
import { describe, expect, test } from 'bun:test'
import type { Store } from '../../src/store/store.ts'

const AT = new Date('2026-11-01T12:00:00.000Z')
const WINDOW_MS = 1_000
const later = (ms: number) => new Date(AT.getTime() + ms)

export function describeBudgets({
  store,
  reopen,
}: {
  store: () => Store
  reopen?: () => Promise<Store>
}): void {
  const take = (most: Record<string, number>, now = AT, from = store()) =>
    from.budgets.take(
      Object.entries(most).map(([name, count]) => ({ name, most: count })),
      now,
      WINDOW_MS,
    )

  describe('a budget', () => {
    test('is shared by concurrent callers and refilled after its window', async () => {
      const other = reopen ? await reopen() : store()
      const taken = await Promise.all(
        Array.from({ length: 7 }, (_, i) => take({ a: 4 }, later(i), i % 2 ? other : store())),
      )
      expect(taken.filter(each => each === undefined)).toHaveLength(4)
      const spent = taken.find(each => each !== undefined)!
      expect(spent.name).toBe('a')
      expect(await take({ a: 4 }, new Date(spent.until.getTime() - 1))).toEqual(spent)
      expect(await take({ a: 4 }, spent.until)).toBeUndefined()
      expect(await take({ a: 1 }, spent.until)).toEqual({
        name: 'a',
        until: new Date(spent.until.getTime() + WINDOW_MS),
      })
    })

    test('is not charged if another budget of the same request is exhausted', async () => {
      expect(await take({ a: 1, b: 2 })).toBeUndefined()
      expect(await take({ b: 2, a: 1 })).toMatchObject({ name: 'a' })
      expect(await take({ b: 2, c: 1 })).toBeUndefined()
      expect(await take({ c: 2, b: 2 })).toMatchObject({ name: 'b' })
      expect(await take({ c: 2 })).toBeUndefined()
    })

    test('can be looked at without a charge, and charged by an amount', async () => {
      const charge = (amount: number) =>
        store().budgets.take([{ name: 'a', most: 20_000_000, amount }], AT, WINDOW_MS)
      for (const amount of [0, 0, 19_999_999, 0, 5_000_000_000]) expect(await charge(amount)).toBeUndefined()
      for (const amount of [0, 1]) expect(await charge(amount)).toMatchObject({ name: 'a' })
    })

    test('is shared by nodes whose clocks differ slightly, in any order', async () => {
      expect(await take({ a: 2 }, later(WINDOW_MS / 2))).toBeUndefined()
      expect(await take({ a: 2 }, AT)).toBeUndefined()
      expect(await take({ a: 2 }, AT)).toEqual({ name: 'a', until: later(1.5 * WINDOW_MS) })
    })
  })
}
