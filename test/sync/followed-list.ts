// A list of another directory in the form of x402, and a node that follows it.
import type { Entry, Service } from '../../src/domain/listing/service.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { at, serve } from './json-server.ts'
import { Node } from './node.ts'

export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
export const WALLET = '0x7aA3B0D047d135f43e8699E07783a548819BC25c'

/** An item of a list of version 2. */
export const v2 = (resource: string, parts: object = {}, accepts: object = {}) => ({
  resource,
  type: 'http',
  x402Version: 2,
  accepts: [
    {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '2500',
      asset: USDC,
      payTo: WALLET,
      maxTimeoutSeconds: 60,
      ...accepts,
    },
  ],
  lastUpdated: '2026-10-01T00:00:00Z',
  description: `About ${resource}`,
  ...parts,
})

export const servicesOf = async (node: Node): Promise<Service[]> => {
  const all = await Promise.all(
    (await Array.fromAsync(node.directory.export())).map(({ id }) => node.get(id)),
  )
  return all.map(service => service!)
}

/** A node and a list, which the node has not read yet. */
export async function followList(...items: readonly unknown[]) {
  const list = serve(at('/list', { items }))
  const node = await Node.start('node')
  const source = `${list.url}/list`
  const withStore = async <T>(work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>) => {
    await using store = await openStore(node.databaseUrl, { clock: systemClock })
    return work(store)
  }
  return {
    node,
    source,
    answer: list.change,
    /** Replaces the items of the list. */
    relist: (...items: readonly unknown[]) => list.change(at('/list', { items })),
    sync: () => node.sync(source),
    services: () => servicesOf(node),
    /** Reads the list, and returns the id of the only service. */
    async syncOne(): Promise<string> {
      await node.sync(source)
      const [service] = await servicesOf(node)
      return service!.id
    },
    entry: (id: string): Promise<Entry> => withStore(async store => (await store.find(id))!.entry!),
    /** Changes an entry in the database of the node, as a probe or an owner would. */
    edit: (id: string, change: (entry: Entry) => Partial<Entry>) =>
      withStore(store =>
        store.update([id], entry => ({ entry: { ...entry, ...change(entry) }, events: [] })),
      ),
    async [Symbol.asyncDispose](): Promise<void> {
      list[Symbol.dispose]()
      await node[Symbol.asyncDispose]()
    },
  }
}
