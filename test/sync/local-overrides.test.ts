// What is set here stays, whatever a source says.
import { describe, expect, test } from 'bun:test'
import { createReadyDatabase } from '../postgres.ts'
import { draft, Node } from './node.ts'

const eventsOf = async (node: Node, id: string) =>
  (await node.directory.history(id, { limit: 10, days: 0 })).decode().items

describe.each(['SQLite', 'PostgreSQL'])('On %s, a followed entry that an operator corrected', engine => {
  const start = async () => {
    const home = await Node.start('home')
    const peer = await Node.start('peer', engine === 'SQLite' ? undefined : await createReadyDatabase())
    const { id } = await home.register('Followed', '0.5')
    await peer.sync(home.url)
    return {
      home,
      peer,
      id,
      async [Symbol.asyncDispose]() {
        await Promise.all([home[Symbol.asyncDispose](), peer[Symbol.asyncDispose]()])
      },
    }
  }

  test('keeps the corrected fields and follows the source in all others', async () => {
    await using parts = await start()
    const { home, peer, id } = parts
    await peer.directory.edit(id, { pricing: { pricePerRequest: '0.05' } }, peer)
    expect((await peer.directory.provenance(id)).decode()).toMatchObject({
      follows: true,
      overrides: ['price'],
    })
    const more = { name: 'Renamed', pricing: { pricePerRequest: '5', currency: 'JPYC', freeQuota: 9 } }
    await home.directory.edit(id, more, home)
    expect(await peer.sync(home.url)).toMatchObject({ changed: 1 })
    expect(await peer.get(id)).toMatchObject({
      name: 'Renamed',
      // Half of a price would be another price.
      pricing: { pricePerRequest: '0.05', currency: 'USDC', freeQuota: 9 },
    })
  })

  test('follows a field again once source and correction agree', async () => {
    await using parts = await start()
    const { home, peer, id } = parts
    await peer.directory.edit(id, { name: 'Right' }, peer)
    await home.directory.edit(id, { name: 'Right' }, home)
    await peer.sync(home.url)
    expect((await peer.directory.provenance(id)).decode().overrides).toEqual([])
    await home.directory.edit(id, { name: 'Newer' }, home)
    await peer.sync(home.url)
    expect((await peer.get(id))!.name).toBe('Newer')
  })

  test('is still removed with its source', async () => {
    await using parts = await start()
    const { home, peer, id } = parts
    await peer.directory.edit(id, { name: 'Corrected' }, peer)
    await home.directory.remove(id, home)
    await peer.sync(home.url)
    expect(await peer.get(id)).toBeUndefined()
  })

  test('stays active or retired as set here', async () => {
    await using parts = await start()
    const { home, peer, id } = parts
    await peer.directory.retire(id, { message: 'It misleads.' }, peer)
    await home.directory.edit(id, { name: 'Renamed' }, home)
    await peer.sync(home.url)
    expect(await peer.get(id)).toMatchObject({ name: 'Renamed', status: 'inactive' })
    expect((await peer.directory.provenance(id)).decode().overrides).toEqual(['status'])
  })
})

test('A wallet becomes the owner of an unowned entry that pays it when it changes the entry', async () => {
  await using home = await Node.start('home')
  await using peer = await Node.start('peer')
  const wallet = '0x7aA3B0D047d135f43e8699E07783a548819BC25c'
  const body = { ...draft('Paid'), x402Config: { paymentAddress: wallet, network: 'base' } }
  const { id } = (await home.directory.register(body, home)).service.decode()
  await peer.sync(home.url)
  const key = await peer.walletKey(wallet)
  await peer.directory.edit(id, { pricing: { pricePerRequest: '0.02' } }, { key })
  expect((await peer.directory.provenance(id)).decode()).toMatchObject({
    owned: true,
    follows: false,
    overrides: [],
  })
  expect(await eventsOf(peer, id)).toMatchObject([
    { reason: 'The wallet that it pays claimed it.' },
    { reason: 'Its owner changed the price.' },
    { type: 'registered' },
  ])
  await home.directory.edit(id, { name: 'Renamed at home', pricing: { pricePerRequest: '9' } }, home)
  await home.directory.remove(id, home)
  await peer.sync(home.url)
  expect(await peer.get(id)).toMatchObject({ name: 'Paid', pricing: { pricePerRequest: '0.02' } })
})
