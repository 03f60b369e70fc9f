// A purchase is told to whoever follows the service, without what was signed.
import { expect, test } from 'bun:test'
import { applyPurchases } from '../../packages/buyer/src/rounds.ts'
import { entry } from '../entries.ts'
import { purchase } from '../store/purchases.ts'
import { openDelivering, SECRET } from './delivering.ts'
import { isSignedWith } from './receiver.ts'

const most = 1_000_000
const CAPS = { perCall: most, perService: most, perHost: most, perDay: most }
const NONCE = `0x${'5e'.repeat(32)}`

test('each purchase reaches a webhook once, signed, with its outcome', async () => {
  await using delivering = await openDelivering()
  const { store, clock, until, viewOf } = delivering
  const receiver = delivering.receive()
  const listed = entry()
  await store.insert([listed])
  const id = await delivering.hook(receiver.url, { events: ['service.purchased'] })
  delivering.start()
  await until(async () => (await viewOf(id)).state === 'active')

  const buy = async (outcome: 'settled_silent' | 'delivered') => {
    const at = clock.now().toISOString()
    const made = purchase({ serviceId: listed.id, payTo: listed.x402Config.paymentAddress, at })
    await store.purchases.reserve(made, CAPS)
    await store.purchases.sign(made.id, NONCE, 0)
    const settled = { state: 'settled', charged: made.amount, transaction: '0xab' } as const
    await store.purchases.conclude(made.id, { ...settled, outcome, detail: made.detail })
    // Whoever tells it once more, such as a process after a crash, tells nothing new.
    await applyPurchases(store, listed.id, clock)
    await applyPurchases(store, listed.id, clock)
  }
  await buy('settled_silent')
  await buy('delivered')
  await until(() => JSON.stringify(receiver.received).includes('"delivered"'))

  const told = receiver.received.map(({ body }) => body)
  expect(told).toMatchObject([
    { type: 'service.purchased', data: { serviceId: listed.id, code: 'bought' } },
    { type: 'service.purchased', data: { serviceId: listed.id, code: 'bought' } },
  ])
  expect(JSON.stringify(told[0])).toContain('settled_silent')
  expect(receiver.received.every(each => isSignedWith(SECRET, each))).toBe(true)
  expect(JSON.stringify(told)).not.toContain(NONCE.slice(2))
})
