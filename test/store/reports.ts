// What every store promises about reports.
import { describe, expect, test } from 'bun:test'
import type { Report } from '../../src/domain/reports.ts'
import type { Store } from '../../src/store/store.ts'

const AT = new Date('2026-11-01T12:00:00.000Z')

let made = 0
const report = (parts: Partial<Report> = {}): Report => ({
  id: `rep_${String(++made).padStart(6, '0')}`,
  serviceId: 'svc_a',
  kind: 'impostor',
  text: 'It poses as 正しい.\nSeen today.',
  reporter: 'key_1',
  createdAt: AT.toISOString(),
  resolvedAt: null,
  ...parts,
})

export function describeReports(store: () => Store): void {
  describe('reports', () => {
    const list = (query: object = {}) => store().reports.list({ state: 'open', limit: 9, ...query })

    test('are kept one at a time of a reporter about a service, until they are resolved', async () => {
      const [first, again, other, elsewhere] = [
        report(),
        report({ text: 'Once more.' }),
        report({ reporter: 'key_2' }),
        report({ serviceId: 'svc_b' }),
      ]
      expect(await store().reports.add(first, 9)).toEqual(first)
      expect(await store().reports.add(again, 9)).toEqual(first)
      for (const each of [other, elsewhere]) expect(await store().reports.add(each, 9)).toEqual(each)
      expect(await list()).toEqual([first, other, elsewhere])
      expect(await list({ limit: 1, after: first.id })).toEqual([other])

      expect(await store().reports.resolve(first.id, AT)).toBe(true)
      for (const id of [first.id, 'rep_none']) expect(await store().reports.resolve(id, AT)).toBe(false)
      expect(await list({ state: 'resolved' })).toEqual([{ ...first, resolvedAt: AT.toISOString() }])
      expect(await list()).toEqual([other, elsewhere])
      expect(await store().reports.add(again, 9)).toEqual(again)
    })

    test('about one service are so many at a time, also where they come at once', async () => {
      const sent = Array.from({ length: 6 }, (_, i) => report({ serviceId: 'svc_c', reporter: `key_${i}` }))
      const kept = await Promise.all(sent.map(each => store().reports.add(each, 3)))
      expect(kept.filter(each => each !== undefined)).toHaveLength(3)
      const same = await Promise.all(
        Array.from({ length: 4 }, () => store().reports.add(report({ serviceId: 'svc_d' }), 9)),
      )
      expect(new Set(same.map(each => each?.id)).size).toBe(1)
    })
  })
}
