import { describe, expect, test } from 'bun:test'
import { editEntry } from '../../../src/domain/listing/edit.ts'
import type { Entry } from '../../../src/domain/listing/service.ts'
import type { Purchase, PurchaseDetail } from '../../../src/domain/purchases/purchases.ts'
import { isFailing } from '../../../src/domain/standing/delivery.ts'
import { judgeDelivery, toEvidence, withDelivery } from '../../../src/domain/standing/judge-delivery.ts'
import { draft, entry } from '../../entries.ts'
import { purchase } from '../../store/purchases.ts'

const NOW = new Date('2026-11-02T00:00:00.000Z')
const PLACE = 'https://weather.example/v1'
const SELLER = `0x${'1'.repeat(40)}`
const STRANGER = `eip155:0x${'9'.repeat(40)}`

const bought = (
  outcome: Purchase['outcome'],
  { detail, ...parts }: Omit<Partial<Purchase>, 'detail'> & { detail?: Partial<PurchaseDetail> } = {},
): Purchase => {
  const made = purchase({ serviceId: 'svc_gone', state: 'settled', charged: '100', outcome, ...parts })
  return { ...made, detail: { ...made.detail, url: PLACE, endpoint: PLACE, ...detail } }
}
/** Newest first. */
const twiceSilent = (parts: Parameters<typeof bought>[1] = {}) =>
  [bought('settled_silent', parts), bought('settled_silent', parts)].toReversed()
const listed = (endpoint = PLACE, parts: Partial<Entry> = {}): Entry => ({ ...entry({ endpoint }), ...parts })
const counted = (of: Entry, purchases: readonly Purchase[]) => toEvidence(of, purchases).length
const fails = (of: Entry, purchases: readonly Purchase[]) =>
  isFailing(withDelivery(of, purchases, NOW.toISOString()).delivery)

describe('a failed purchase', () => {
  test('counts for every listing of the same URL and payee, on any chain of the wallet', () => {
    for (const each of [
      listed(),
      listed('https://Weather.Example:443/v1'),
      listed(PLACE, {
        x402Config: { paymentAddress: SELLER.toUpperCase().replace('X', 'x'), network: 'polygon' },
      }),
      listed(PLACE, { owner: STRANGER }),
    ])
      expect(fails(each, twiceSilent({ detail: { url: `${PLACE}/quote?city=Tokyo` } }))).toBe(true)
  })

  test('does not count for another payee or URL, which a stranger may have listed in a spelling that its server does not answer', () => {
    const other = { paymentAddress: `0x${'5'.repeat(40)}`, network: 'base' }
    for (const each of [
      listed(PLACE, { x402Config: other }),
      listed('https://other.example/v1'),
      listed('https://weather.example/v2'),
      listed('https://weather.example:8443/v1'),
      listed(`${PLACE}?parcel=none`),
      listed('https://weather.example//v1'),
      listed('https://weather.example/%76%31'),
    ])
      expect(counted(each, twiceSilent())).toBe(0)
  })

  test('still counts after the entry moved away and back', () => {
    const at = '2026-10-01T00:00:00.000Z'
    const own = listed()
    const purchases = twiceSilent({ serviceId: own.id, at })
    const act = { by: 'owner', now: NOW } as const
    const away = editEntry(own, draft({ endpoint: 'https://elsewhere.example' }), act)!.entry
    expect(fails(away, purchases)).toBe(false)
    expect(fails(editEntry(away, draft(), act)!.entry, purchases)).toBe(true)
  })
})

describe('a delivered purchase', () => {
  test('counts only for the listing that it was bought through, until that moves', () => {
    const own = listed()
    const good = [bought('delivered', { serviceId: own.id })]
    expect(counted(own, good)).toBe(1)
    expect(counted(listed(), good)).toBe(0)
    expect(counted({ ...own, movedAt: NOW.toISOString() }, good)).toBe(0)
  })

  test('resets the failures of every listing of the same endpoint, without giving them points', () => {
    const again = bought('delivered')
    const purchases = [{ ...again, id: 'pur_~' }, ...twiceSilent()]
    const judged = (of: Entry) => withDelivery(of, purchases, NOW.toISOString())
    expect(judged(listed()).delivery).toMatchObject({ purchases: 2, delivered: 0, failedInARow: 0 })
  })

  test('for another query resets only the failures of that query', () => {
    const query = listed(`${PLACE}?x=1`)
    const made = bought('delivered', { serviceId: query.id, detail: { endpoint: `${PLACE}?x=1` } })
    const purchases = [{ ...made, id: 'pur_~' }, ...twiceSilent()]
    expect(fails(listed(), purchases)).toBe(true)
    expect(fails(query, purchases)).toBe(false)
  })
})

test('other listings of the URL lose verified with the reason, without purchase events of their own', () => {
  const other = {
    ...listed(),
    standing: { ...listed().standing, status: 'verified' as const, trustScore: 15 },
  }
  const purchases = twiceSilent()
  const judged = judgeDelivery(other, purchases, NOW)!
  expect(judged.entry.standing).toMatchObject({ status: 'unverified', trustScore: 5 })
  expect(judged.events).toMatchObject([
    { type: 'status', after: 'unverified', reason: { code: 'not_delivering', values: { count: 2 } } },
  ])
  expect(judgeDelivery(judged.entry, purchases, NOW)).toBeUndefined()
})
