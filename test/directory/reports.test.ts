// Who is heard by the operator when many wallets have said enough already.
import { expect, test } from 'bun:test'
import { openKeyring } from '../../src/directory/keys.ts'
import { createReports } from '../../src/directory/reports.ts'
import { createIdSource } from '../../src/domain/ids.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { entry } from '../entries.ts'

const walletOf = (i: number) => `eip155:0x${(0xa000 + i).toString(16).padStart(40, '1')}`

test('throwaway wallets cannot block reports of another kind, of an operator key or of the wallet of a verified service', async () => {
  await using store = await openStore('sqlite::memory:', { clock: systemClock })
  const keys = openKeyring({ keys: store.keys, clock: systemClock, extraKeys: [] })
  const newId = createIdSource()
  const reports = createReports({
    store,
    keys,
    clock: systemClock,
    newId,
    get: async id => id,
    note: async () => {},
  })
  const own = walletOf(99)
  const x402Config = { paymentAddress: own.slice('eip155:'.length), network: 'base' }
  const impostor = entry()
  const victim = entry({ x402Config }, { standing: { status: 'verified' } })
  await store.insert([impostor, { ...victim, owner: own }])
  const send = async (wallet: string | undefined, kind: string) => {
    const scopes = ['register'] as const
    const { key } = await keys.create({ name: 'x', scopes, expiresAt: null, ...(wallet && { wallet }) })
    return reports.report(impostor.id, { kind, text: 'Works fine.' }, { key })
  }

  for (let i = 0; i < 20; i++) await send(walletOf(i), 'impostor')
  await expect(send(walletOf(20), 'impostor')).rejects.toMatchObject({ code: 'rate_limited' })
  for (const [wallet, kind] of [
    [walletOf(20), 'malware'],
    [undefined, 'impostor'],
    [own, 'impostor'],
  ] as const)
    expect((await send(wallet, kind)).report).toMatchObject({ serviceId: impostor.id, kind })
})
