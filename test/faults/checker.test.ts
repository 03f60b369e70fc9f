// The checker of the fault tests must itself be able to find what it looks for.
import { describe, expect, test } from 'bun:test'
import { openCluster, startChecker } from './cluster.ts'
import { judgeExports } from './judge-exports.ts'

describe('the final state of nodes', () => {
  const promised = new Map([
    ['svc_1', 'One'],
    ['svc_2', 'Two'],
  ])
  const toExport = (entries: Record<string, string>, more = '') =>
    JSON.stringify({ endpoints: Object.entries(entries).map(([id, name]) => ({ id, name, more })) })
  const whole = toExport({ svc_1: 'One', svc_2: 'Two', svc_3: 'Refused and kept all the same' })

  test('is accepted if all promised entries are stored and all nodes are equal', () => {
    expect(judgeExports(promised, [whole, whole])).toEqual({
      losses: 0,
      duplicates: 0,
      isEqual: true,
      problems: [],
    })
  })

  test.each([
    ['an entry that one node lacks', [whole, toExport({ svc_1: 'One' })], { losses: 1, isEqual: false }],
    [
      'an entry that all lack',
      [toExport({ svc_2: 'Two' }), toExport({ svc_2: 'Two' })],
      { losses: 1, isEqual: true },
    ],
    [
      'different entries',
      [toExport({ svc_2: 'Two' }), toExport({ svc_1: 'One' })],
      { losses: 2, isEqual: false },
    ],
    [
      'another service under the id',
      [toExport({ svc_1: 'One', svc_2: 'Too' })],
      { losses: 1, isEqual: true },
    ],
    [
      'a registration that was kept twice',
      [toExport({ svc_1: 'One', svc_2: 'Two', svc_3: 'One' })],
      { duplicates: 1, losses: 0 },
    ],
    ['a node that gives nothing', [whole, undefined], { losses: 0, isEqual: false }],
  ])('%s is found', (_, exports, expected) => {
    const judgement = judgeExports(promised, exports)
    expect(judgement).toMatchObject(expected)
    expect(judgement.problems).not.toEqual([])
  })

  test('is rejected for a single different byte anywhere', () => {
    const other = toExport({ svc_1: 'One', svc_2: 'Two', svc_3: 'Refused and kept all the same' }, '!')
    expect(judgeExports(promised, [whole, other])).toMatchObject({ losses: 0, isEqual: false })
  })
})

/** A directory that says 201 and does as it likes. */
function openLiar({ keeps, shows }: { keeps: 0 | 1 | 2; shows: boolean }) {
  const endpoints: { id: string; name: string }[] = []
  const server = Bun.serve({
    port: 0,
    routes: {
      '/api/services': async request => {
        const { name } = (await request.json()) as { name: string }
        const id = `svc_${crypto.randomUUID()}`
        for (let i = 0; i < keeps; i++) endpoints.push({ id: i === 0 ? id : `${id}${i}`, name })
        return Response.json({ id, name }, { status: 201 })
      },
      '/api/services/:id': () => new Response(null, { status: shows ? 200 : 404 }),
      '/api/export': () => Response.json({ exportedAt: new Date(), endpoints }),
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) }
}

describe('the checker', () => {
  const check = async (liar: { url: string }) => {
    using clients = startChecker([liar], { clients: 2, perSecond: 100, agreeMs: 0 })
    await clients.more(10)
    return await clients.stop()
  }

  test('counts every registration that was confirmed and lost', async () => {
    await using liar = openLiar({ keeps: 0, shows: true })
    const { losses, promised } = await check(liar)
    expect(promised).toBeGreaterThanOrEqual(10)
    expect(losses).toBe(promised)
  })

  test('counts every registration that was stored twice', async () => {
    await using liar = openLiar({ keeps: 2, shows: true })
    const { losses, duplicates, promised } = await check(liar)
    expect([losses, duplicates]).toEqual([0, promised])
  })

  test('counts every 201 that cannot be read at once', async () => {
    await using liar = openLiar({ keeps: 1, shows: false })
    const { losses, brokenPromises, promised } = await check(liar)
    expect([losses, brokenPromises]).toEqual([0, promised])
  })

  test('detects entries lost by a primary that did not wait for its standby', async () => {
    await using cluster = await openCluster({ nodes: 2, isSynchronous: false })
    const atOnce = 10
    using clients = startChecker(cluster.nodes, { clients: atOnce, perSecond: 100, agreeMs: 3_000 })
    await clients.more(20)
    cluster.replication.cut()
    await clients.more(50)
    await cluster.failOver()
    await clients.more(20)
    const { losses, promised, problems } = await clients.stop()
    console.log(`${promised} promised, ${losses} lost by an asynchronous standby`)
    // What was on its way when the connection was cut may have reached the standby and been answered afterwards.
    expect(losses).toBeGreaterThanOrEqual(50 - atOnce)
    expect(losses).toBeLessThan(promised)
    expect(problems).not.toEqual([])
  })
})
