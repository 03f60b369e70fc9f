// Three directories that follow each other: in a ring, and each both others.
import { describe, expect, test } from 'bun:test'
import { createReadyDatabase } from '../postgres.ts'
import { Node } from './node.ts'

type Trio = readonly [Node, Node, Node]
/** Whom each follows. */
type Shape = readonly [readonly number[], readonly number[], readonly number[]]

const SHAPES: readonly (readonly [string, Shape])[] = [
  ['in a ring', [[2], [0], [1]]],
  [
    'each both others',
    [
      [1, 2],
      [0, 2],
      [0, 1],
    ],
  ],
]
/** A change needs as many rounds as there are steps to the farthest. */
const ROUNDS = 3

async function syncRound(nodes: Trio, shape: Shape) {
  const reports = []
  for (const [i, follows] of shape.entries()) {
    for (const other of follows) reports.push(await nodes[i]!.sync(nodes[other]!.url))
  }
  return reports
}

async function settle(nodes: Trio, shape: Shape): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await syncRound(nodes, shape)
}

/** All the same, and another round brings nothing to anybody. */
async function expectRest(nodes: Trio, shape: Shape): Promise<void> {
  const [first, ...others] = await Promise.all(nodes.map(node => node.shared()))
  for (const other of others) expect(other).toEqual(first!)
  const seqs = () => Promise.all(nodes.map(async ({ directory }) => (await directory.health()).seq))
  const before = await seqs()
  for (const report of await syncRound(nodes, shape)) {
    expect(report).toMatchObject({ added: 0, changed: 0, removed: 0, vanished: 0, skipped: 0 })
  }
  expect(await seqs()).toEqual(before)
}

describe.each([...SHAPES])('Three directories that follow each other, %s,', (_, shape) => {
  test('forward additions, edits and removals, and nothing echoes back', async () => {
    await using a = await Node.start('a')
    await using b = await Node.start('b')
    await using c = await Node.start('c', await createReadyDatabase())
    const nodes: Trio = [a, b, c]
    const [ofA, ofB, ofC] = [await a.register('Of A'), await b.register('Of B'), await c.register('Of C')]
    await settle(nodes, shape)
    await expectRest(nodes, shape)
    expect((await a.shared()).length).toBe(3)

    await a.directory.edit(ofA.id, { pricing: { pricePerRequest: '0.5' } }, a)
    await b.directory.edit(ofB.id, { name: 'Renamed by B' }, b)
    await settle(nodes, shape)
    await expectRest(nodes, shape)
    for (const node of nodes) {
      expect((await node.get(ofA.id))!.pricing.pricePerRequest).toBe('0.5')
      expect((await node.get(ofB.id))!.name).toBe('Renamed by B')
      // Told once for each change, by its home or its source.
      const { items } = (await node.directory.history(ofB.id, { limit: 20, days: 0 })).decode()
      expect(items.map(item => item.kind === 'event' && item.type)).toEqual(['updated', 'registered'])
    }

    await c.directory.remove(ofC.id, c)
    await settle(nodes, shape)
    await expectRest(nodes, shape)
    for (const node of nodes) expect(await node.get(ofC.id)).toBeUndefined()
  })

  test('converge after concurrent changes in all of them', async () => {
    await using a = await Node.start('a')
    await using b = await Node.start('b')
    await using c = await Node.start('c')
    const nodes: Trio = [a, b, c]
    const own: [string[], string[], string[]] = [[], [], []]
    let state = 7_041
    const random = (below: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    }
    for (let step = 0; step < 120; step++) {
      const side = random(3)
      const node = nodes[side]!
      const id = own[side]![random(own[side]!.length)]
      const dice = random(100)
      if (dice < 40 || id === undefined) own[side]!.push((await node.register(`Service ${step}`)).id)
      else if (dice < 65) await node.directory.edit(id, { description: `Described in ${step}` }, node)
      else if (dice < 78) {
        await node.directory.remove(id, node)
        own[side] = own[side]!.filter(each => each !== id)
      } else if (dice < 97) await node.sync(nodes[shape[side]![random(shape[side]!.length)]!]!.url)
      else await node.restart()
    }
    await settle(nodes, shape)
    await expectRest(nodes, shape)
    const ids = (await a.shared()).map(each => (each as { id: string }).id)
    expect(ids).toEqual(own.flat().sort())
  })
})

test('a forwarded entry is followed at its home directory once that is a source, and stays when the forwarder drops it', async () => {
  await using home = await Node.start('home')
  await using between = await Node.start('between')
  await using peer = await Node.start('peer', await createReadyDatabase())
  const { id } = await home.register('Passed on')
  await between.sync(home.url)
  await peer.sync(between.url)
  const origin = async () => {
    const { sourceUrl, origin } = (await peer.directory.provenance(id)).decode()
    return { sourceUrl, home: origin!.home }
  }
  expect(await origin()).toEqual({ sourceUrl: between.url, home: false })
  const { changes } = (await between.directory.changes({ since: 0, limit: 10, wait: 0 })).decode()
  expect(changes).toMatchObject([{ id, followed: true }])

  // Whoever corrected something here keeps it.
  await peer.directory.edit(id, { category: 'weather' }, peer)
  expect(await peer.sync(home.url)).toMatchObject({ added: 0, changed: 0 })
  expect(await origin()).toEqual({ sourceUrl: home.url, home: true })
  expect((await peer.directory.provenance(id)).decode().overrides).toEqual(['category'])

  await between.directory.remove(id, between)
  expect(await peer.sync(between.url)).toMatchObject({ removed: 0 })
  await home.directory.edit(id, { name: 'Renamed at home', category: 'maps' }, home)
  await peer.sync(home.url)
  expect(await peer.get(id)).toMatchObject({ name: 'Renamed at home', category: 'weather' })
  await home.directory.remove(id, home)
  await peer.sync(home.url)
  expect(await peer.get(id)).toBeUndefined()
})
