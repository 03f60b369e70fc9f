// Is a registration ever lost while nodes die, networks fail and the primary is replaced? Options: rounds of faults (6), registrations a second (200).
import { openCluster, startChecker } from '../test/faults/cluster.ts'

const [rounds = 6, perSecond = 200] = process.argv.slice(2).map(Number)
const random = <T>(values: readonly T[]): T => values[Math.floor(Math.random() * values.length)]!

await using cluster = await openCluster({ nodes: 3 })
using clients = startChecker(cluster.nodes, { clients: 30, perSecond })
const began = performance.now()
let faults = 0

/** A silence is noticed when an answer is late by ten seconds: the others go on meanwhile. */
const fault: Record<string, () => Promise<void>> = {
  'kill -9 of a node': async () => {
    const node = random(cluster.nodes)
    await node.kill()
    await clients.more(100)
    await node.start()
  },
  'a cut network': async () => {
    const network = random(cluster.networks)
    network.cut()
    await clients.more(100)
    network.restore()
  },
  'a silent network': async () => {
    const network = random(cluster.networks)
    network.silence()
    await clients.more(300)
    network.restore()
  },
  'all networks cut': async () => {
    for (const network of cluster.networks) network.cut()
    await Bun.sleep(1_000)
    for (const network of cluster.networks) network.restore()
  },
}

for (let round = 1; round <= rounds; round++) {
  for (const [name, cause] of Object.entries(fault)) {
    await clients.more(200)
    await cause()
    faults++
    console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${name}`)
  }
  if (round === Math.ceil(rounds / 2)) {
    await clients.more(200)
    // Cut off first: what the standby does not have, nobody may have been promised.
    cluster.replication.cut()
    await Bun.sleep(2_000)
    await cluster.failOver()
    faults += 2
    console.log(
      `${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  the standby is cut off, the primary lost, the standby promoted`,
    )
  }
}
await clients.more(300)
const verdict = await clients.stop()
console.log(
  `${verdict.requests} requests, ${verdict.promised} promised, ${verdict.refused} refused with 503, ${verdict.failed} failed, ` +
    `${faults} faults, ${verdict.losses} losses, ${verdict.duplicates} twice, ${verdict.brokenPromises} not shown after 201, catalogs ${verdict.isEqual ? 'equal' : 'DIFFERENT'}`,
)
for (const problem of verdict.problems) console.log(problem)
if (verdict.losses + verdict.duplicates + verdict.brokenPromises > 0 || !verdict.isEqual) process.exitCode = 1
