// Wallets cost nothing, and what they write stays: how much of the database they may fill.
import { expect, test } from 'bun:test'
import { authorizeCalls, createFinder, type OperationDeps } from '../../src/directory/deps.ts'
import { openKeyring } from '../../src/directory/keys.ts'
import { createOwners, type Owners } from '../../src/directory/owners.ts'
import { createServices, type Services } from '../../src/directory/services.ts'
import { createWriteBudget } from '../../src/directory/writes.ts'
import { createIdSource } from '../../src/domain/ids.ts'
import { openStore } from '../../src/store/open.ts'
import { draft } from '../entries.ts'
import { ManualClock } from '../store/manual-clock.ts'

const DAY_MS = 86_400_000
const draftPolicy = { allowPrivateEndpoints: false, strictAddresses: false }

async function open({
  megabytesFrom = 20,
  ...rest
}: {
  ofWallet: number
  from: number
  megabytesFrom?: number
}) {
  const clock = new ManualClock()
  const store = await openStore('sqlite::memory:', { clock })
  const keys = openKeyring({ keys: store.keys, clock, extraKeys: ['key-of-the-operator'] })
  const chargeWrite = createWriteBudget({ store, clock, max: { megabytesFrom, ...rest } })
  // No write reads the catalog, follows the feed or logs an act.
  const deps = {
    store,
    keys,
    clock,
    draftPolicy,
    newId: createIdSource(),
    finder: createFinder({ store, catalog: { hidden: () => undefined }, clock }),
    waitUntilVisible: async () => {},
    noticesOn: () => [],
    chargeWrite,
  } as unknown as OperationDeps
  const { register } = authorizeCalls<Omit<Services, 'categories'>>(keys, createServices(deps))
  const owners = authorizeCalls<Owners>(keys, createOwners(deps))
  const keyOf = async (i: number) => {
    const wallet = `eip155:0x${String(i).padStart(40, '1')}`
    return (await keys.create({ name: 'x', scopes: ['register'], expiresAt: null, wallet })).key
  }
  return { clock, store, register, owners, keyOf }
}

const SPENT = { code: 'rate_limited' }

test('registrations, changes and removals of a wallet are counted together, by day, and those of a key are not', async () => {
  const { clock, store, register, owners, keyOf } = await open({ ofWallet: 4, from: 100 })
  await using _ = store
  const by = { key: await keyOf(1), from: '192.0.2.1' }
  const { id } = await register(draft(), by)
  await owners.edit(id, { description: 'Another text' }, by)
  await owners.retire(id, { message: 'Closed' }, by)
  await owners.restore(id, by)
  const before = await store.find(id)
  for (const write of [
    () => register(draft(), by),
    () => owners.edit(id, { description: 'One text more' }, by),
    () => owners.retire(id, { message: 'Closed' }, by),
    () => owners.claim(id, by),
    () => owners.remove(id, by),
  ])
    await expect(write()).rejects.toMatchObject(SPENT)
  expect(await store.find(id)).toEqual(before)
  const operator = { key: 'key-of-the-operator', from: '192.0.2.1' }
  for (let i = 0; i < 10; i++) await register(draft(), operator)
  clock.advance(DAY_MS)
  await owners.edit(id, { description: 'One text more' }, by)
})

test('many wallets from one address are counted together', async () => {
  const { store, register, keyOf } = await open({ ofWallet: 2, from: 5 })
  await using _ = store
  const listed = async (i: number, from?: string) => {
    const by = { key: await keyOf(i), ...(from && { from }) }
    return register(draft(), by).then(
      () => true,
      () => false,
    )
  }
  const answers = []
  for (let i = 0; i < 8; i++) answers.push(await listed(i, '192.0.2.1'))
  expect(answers).toEqual([true, true, true, true, true, false, false, false])
  expect(await listed(7, '192.0.2.2')).toBe(true)
  expect(await listed(8)).toBe(true)
})

test('what a wallet writes at once is counted for its network, also beyond what the wallet may', async () => {
  const { store, register, keyOf } = await open({ ofWallet: 2, from: 5 })
  await using _ = store
  const [by, other] = [await keyOf(1), await keyOf(2)].map(key => ({ key, from: '192.0.2.1' }))
  const made = await Promise.allSettled(Array.from({ length: 10 }, () => register(draft(), by!)))
  expect(made.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThanOrEqual(5)
  await expect(register(draft(), other!)).rejects.toMatchObject(SPENT)
})

test('what is refused, or repeats an earlier request, is not counted', async () => {
  const { store, register, owners, keyOf } = await open({ ofWallet: 2, from: 2 })
  await using _ = store
  const [by, other] = [await keyOf(1), await keyOf(2)].map(key => ({ key, from: '192.0.2.1' }))
  const { id } = await register(draft(), { ...by!, idempotencyKey: 'first' })
  const refused = { code: expect.stringMatching(/not_found|forbidden|invalid_request/) }
  for (let i = 0; i < 5; i++) {
    expect((await register(draft(), { ...by!, idempotencyKey: 'first' })).id).toBe(id)
    await expect(owners.edit('svc_unknown', { name: 'x' }, other!)).rejects.toMatchObject(refused)
    await expect(owners.edit(id, { name: 'x' }, other!)).rejects.toMatchObject(refused)
    await expect(owners.edit(id, { name: '' }, by!)).rejects.toMatchObject(refused)
  }
  await owners.edit(id, { name: 'Another name' }, by!)
  await expect(owners.edit(id, { name: 'A third name' }, by!)).rejects.toMatchObject(SPENT)
})

test('the networks of an IPv6 /48 share their writes and bytes', async () => {
  const { store, register, keyOf } = await open({ ofWallet: 100, from: 100, megabytesFrom: 0.01 })
  await using _ = store
  const description = 'x'.repeat(2_000)
  const isListed = async (i: number, from: string, by: { idempotencyKey?: string } = {}) =>
    register(draft({ description }), { key: await keyOf(i), from, ...by }).then(
      () => true,
      error => {
        expect(error).toMatchObject({ code: 'rate_limited', said: { code: 'writes_spent' } })
        return false
      },
    )
  const answers = []
  for (let i = 0; i < 10; i++) answers.push(await isListed(i, `2001:db8:7:${i}::/64`))
  expect(answers.filter(Boolean).length).toBeWithin(2, 6)
  expect(answers.at(-1)).toBe(false)
  // With a key for retries the entry is stored twice.
  const kept = []
  for (let i = 0; i < 10; i++) kept.push(await isListed(i, '2001:db8:8:1::/64', { idempotencyKey: `${i}` }))
  expect(kept.filter(Boolean).length).toBe(Math.ceil(answers.filter(Boolean).length / 2))
})

test('a known owner has a share that strangers of its network cannot use up', async () => {
  const { store, register, owners, keyOf } = await open({ ofWallet: 100, from: 3 })
  await using _ = store
  const paymentAddress = `0x${'1'.padStart(40, '1')}`
  const known = { key: await keyOf(1), from: '192.0.2.1' }
  const { id } = await register(draft({ x402Config: { paymentAddress, network: 'base' } }), known)
  await store.update([id], entry => ({
    entry: { ...entry, standing: { ...entry.standing, status: 'verified' } },
    events: [],
  }))
  for (const i of [2, 3]) await register(draft(), { key: await keyOf(i), from: '192.0.2.1' })
  await expect(register(draft(), { key: await keyOf(4), from: '192.0.2.1' })).rejects.toMatchObject(SPENT)
  await owners.edit(id, { name: 'Another name' }, known)
})
