// What is set here stays, whatever a source says.
import { describe, expect, test } from 'bun:test'
import { draft, Node } from './node.ts'

const eventsOf = async (node: Node, id: string) =>
  (await node.directory.history(id, { limit: 10, days: 0 })).decode().items

describe('A followed entry that an operator corrected', () => {
  const start = async () => {
    const home = await Node.start('home')
    const peer = await Node.start('peer')
    const { id } = await home.register('Followed', '0.5')
    await peer.sync(home.url)
    return {
      home,
      peer,
      id,
      copy: peer.idOf(id, home),
      async [Symbol.asyncDispose]() {
        await Promise.all([home[Symbol.asyncDispose](), peer[Symbol.asyncDispose]()])
      },
    }
  }

  test('belongs to the key of the operator, and its source changes nothing any more', async () => {
    await using parts = await start()
    const { home, peer, id, copy } = parts
    await peer.directory.edit(copy, { pricing: { pricePerRequest: '0.05' } }, peer)
    expect((await peer.directory.provenance(copy)).decode()).toMatchObject({ owned: true, follows: false })
    await home.directory.edit(id, { name: 'Renamed' }, home)
    await peer.sync(home.url)
    await home.directory.remove(id, home)
    await peer.sync(home.url)
    expect(await peer.get(copy)).toMatchObject({ name: 'Followed', pricing: { pricePerRequest: '0.05' } })
  })

  test('is followed further if it was only probed on request', async () => {
    await using parts = await start()
    const { home, peer } = parts
    // A host that is not reserved, since those are never probed.
    const body = { ...draft('Probed'), endpoint: 'https://probed.shop/v1' }
    const { id } = (await home.directory.register(body, home)).service.decode()
    await peer.sync(home.url)
    const copy = peer.idOf(id, home)
    await peer.directory.probe(copy, peer)
    expect((await peer.directory.provenance(copy)).decode()).toMatchObject({ owned: false, follows: true })
    await home.directory.edit(id, { name: 'Renamed' }, home)
    await peer.sync(home.url)
    expect(await peer.get(copy)).toMatchObject({ name: 'Renamed' })
  })

  test('stays retired as set here', async () => {
    await using parts = await start()
    const { home, peer, id, copy } = parts
    await peer.directory.retire(copy, { message: 'It misleads.' }, peer)
    await home.directory.edit(id, { name: 'Renamed' }, home)
    await peer.sync(home.url)
    expect(await peer.get(copy)).toMatchObject({ name: 'Followed', status: 'inactive' })
  })
})

test('A wallet becomes the owner of an unowned entry that pays it when it changes the entry', async () => {
  await using home = await Node.start('home')
  await using peer = await Node.start('peer')
  const wallet = '0x7aA3B0D047d135f43e8699E07783a548819BC25c'
  const body = { ...draft('Paid'), x402Config: { paymentAddress: wallet, network: 'base' } }
  const { id } = (await home.directory.register(body, home)).service.decode()
  await peer.sync(home.url)
  const copy = peer.idOf(id, home)
  const key = await peer.walletKey(wallet)
  await peer.directory.edit(copy, { pricing: { pricePerRequest: '0.02' } }, { key })
  expect((await peer.directory.provenance(copy)).decode()).toMatchObject({ owned: true, follows: false })
  expect(await eventsOf(peer, copy)).toMatchObject([
    { reason: 'The wallet that it pays claimed it.' },
    { reason: 'Its owner changed the price.' },
    { type: 'registered' },
  ])
  await home.directory.edit(id, { name: 'Renamed at home', pricing: { pricePerRequest: '9' } }, home)
  await home.directory.remove(id, home)
  await peer.sync(home.url)
  expect(await peer.get(copy)).toMatchObject({ name: 'Paid', pricing: { pricePerRequest: '0.02' } })
})
