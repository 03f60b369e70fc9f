import { expect, test } from 'bun:test'
import { openCluster, startChecker } from './cluster.ts'

test('3 nodes, 30 clients: a node is killed, the network cut, the primary lost; no 201 is lost and all nodes agree', async () => {
  await using cluster = await openCluster({ nodes: 3 })
  using clients = startChecker(cluster.nodes, { clients: 30, perSecond: 100 })
  const [first, second] = cluster.nodes
  await clients.more(100)
  await first!.kill()
  await clients.more(100)
  await first!.start()
  cluster.networks[1]!.cut()
  await clients.more(100)
  cluster.networks[1]!.restore()
  await clients.more(100)
  await cluster.failOver()
  await clients.more(200)
  await second!.kill()
  await second!.start()
  await clients.more(50)
  const verdict = await clients.stop()
  console.log(
    `${verdict.requests} requests, ${verdict.promised} promised, ${verdict.refused} refused, ` +
      `${verdict.failed} failed, 4 faults, ${verdict.losses} losses, ${verdict.duplicates} twice`,
  )
  expect(verdict).toMatchObject({ problems: [], losses: 0, duplicates: 0, brokenPromises: 0, isEqual: true })
  // The faults were felt.
  expect(verdict.refused).toBeGreaterThan(0)
  expect(verdict.failed).toBeGreaterThan(0)
})
