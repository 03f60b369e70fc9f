// Three directories, each of which follows both others: everybody has everything once, and nothing goes round.
import { expect, test } from 'bun:test'
import { createReadyDatabase } from '../postgres.ts'
import { Node } from './node.ts'

type Trio = readonly [Node, Node, Node]

async function syncRound(nodes: Trio) {
  const reports = []
  for (const node of nodes)
    for (const other of nodes) if (other !== node) reports.push(await node.sync(other.url))
  return reports
}

/** All have the same, and another round brings nothing to anybody. */
async function expectRest(nodes: Trio): Promise<void> {
  const [first, ...others] = await Promise.all(nodes.map(node => node.shared()))
  for (const other of others) expect(other).toEqual(first!)
  const seqs = () => Promise.all(nodes.map(async ({ directory }) => (await directory.health()).seq))
  const before = await seqs()
  for (const report of await syncRound(nodes)) {
    expect(report).toMatchObject({ added: 0, changed: 0, removed: 0, vanished: 0, skipped: 0 })
  }
  expect(await seqs()).toEqual(before)
}

test('additions, edits and removals arrive once, and nothing echoes back', async () => {
  await using a = await Node.start('a')
  await using b = await Node.start('b')
  await using c = await Node.start('c', await createReadyDatabase())
  const nodes: Trio = [a, b, c]
  const [ofA, ofB, ofC] = [await a.register('Of A'), await b.register('Of B'), await c.register('Of C')]
  await syncRound(nodes)
  await expectRest(nodes)
  expect((await a.shared()).length).toBe(3)

  await a.directory.edit(ofA.id, { pricing: { pricePerRequest: '0.5' } }, a)
  await b.directory.edit(ofB.id, { name: 'Renamed by B' }, b)
  await syncRound(nodes)
  await expectRest(nodes)
  for (const node of nodes) {
    expect((await node.get(node.idOf(ofA.id, a)))!.pricing.pricePerRequest).toBe('0.5')
    const copy = node.idOf(ofB.id, b)
    expect((await node.get(copy))!.name).toBe('Renamed by B')
    const { items } = (await node.directory.history(copy, { limit: 20, days: 0 })).decode()
    expect(items.map(item => item.kind === 'event' && item.type)).toEqual(['updated', 'registered'])
  }

  await c.directory.remove(ofC.id, c)
  await syncRound(nodes)
  await expectRest(nodes)
  for (const node of nodes) expect(await node.get(node.idOf(ofC.id, c))).toBeUndefined()
})

test('what a directory has from another is not passed on: its home has to be followed', async () => {
  await using home = await Node.start('home')
  await using between = await Node.start('between')
  await using peer = await Node.start('peer')
  const { id } = await home.register('Passed on')
  await between.sync(home.url)
  const { changes } = (await between.directory.changes({ since: 0, limit: 10 })).decode()
  expect(changes).toMatchObject([{ id: between.idOf(id, home), followed: true, home: home.url }])
  expect(await peer.sync(between.url)).toMatchObject({ added: 0, forwarded: 1 })
  expect(await peer.sync(home.url)).toMatchObject({ added: 1, forwarded: 0 })
})
