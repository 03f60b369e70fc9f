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

    test('are limited to one open report per reporter and service', async () => {
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

    test('of one kind from wallets are limited per service, also with concurrent calls', async () => {
      const of = (parts: Partial<Report>) => report({ serviceId: 'svc_c', ...parts })
      const sent = Array.from({ length: 6 }, (_, i) => of({ reporter: `eip155:0x${i}` }))
      const kept = await Promise.all(sent.map(each => store().reports.add(each, 3)))
      expect(kept.filter(each => each !== undefined)).toHaveLength(3)
      // Nothing that wallets send takes the place of another kind, nor that of a key.
      const malware = of({ reporter: 'eip155:0x9', kind: 'malware' })
      expect(await store().reports.add(malware, 3)).toEqual(malware)
      const byKeys = Array.from({ length: 4 }, (_, i) => of({ reporter: `key_${i}`, kind: 'other' }))
      for (const each of byKeys)
        expect(await store().reports.add(each, Number.POSITIVE_INFINITY)).toEqual(each)
      const other = of({ reporter: 'eip155:0x9', kind: 'other' })
      expect(await store().reports.add({ ...other, reporter: 'eip155:0xa' }, 3)).toBeDefined()
      const same = await Promise.all(
        Array.from({ length: 4 }, () => store().reports.add(report({ serviceId: 'svc_d' }), 9)),
      )
      expect(new Set(same.map(each => each?.id)).size).toBe(1)
    })
  })
}
