// A source that lists entries of others: only its own listings follow it, whichever source was first.
import { describe, expect, test } from 'bun:test'
import type { Service } from '../../src/domain/listing/service.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { createSourceState } from '../../src/store/sources.ts'
import { createReadyDatabase } from '../postgres.ts'
import { serveFeed } from './json-server.ts'
import { draft, Node } from './node.ts'

const THIEF = { paymentAddress: `0x${'6'.repeat(40)}`, network: 'base' }

/** A directory that says what the test makes it say. */
function startLiar() {
  let seq = 0
  const changes = new Map<string, { seq: number; id: string }>()
  const server = serveFeed(() => ({ changes: [...changes.values()], seq }))
  const say = (id: string, rest: object) => void changes.set(id, { seq: ++seq, id, ...rest })
  return {
    url: server.url,
    /** As if it were at home there. */
    list: (id: string, name: string, rest: object = {}) =>
      say(id, { type: 'upsert', service: { ...draft(name), x402Config: THIEF }, ...rest }),
    remove: (id: string) => say(id, { type: 'delete' }),
    [Symbol.dispose]: server[Symbol.dispose],
  }
}

const named = async (node: Node, name: string): Promise<Service[]> => {
  const services = await Promise.all(
    ((await node.shared()) as { id: string; name: string }[])
      .filter(each => each.name === name)
      .map(({ id }) => node.get(id)),
  )
  return services as Service[]
}
const provenance = async (node: Node, id: string) => (await node.directory.provenance(id)).decode()

describe.each(['SQLite', 'PostgreSQL'])('On %s, a source that is followed', engine => {
  const start = async () => {
    const home = await Node.start('home')
    const peer = await Node.start('peer', engine === 'SQLite' ? undefined : await createReadyDatabase())
    const liar = startLiar()
    return {
      home,
      peer,
      liar,
      async [Symbol.asyncDispose]() {
        liar[Symbol.dispose]()
        await Promise.all([home[Symbol.asyncDispose](), peer[Symbol.asyncDispose]()])
      },
    }
  }

  test('added after another cannot take over its id, even if it lists it first', async () => {
    await using parts = await start()
    const { home, peer, liar } = parts
    await peer.sync(home.url)
    await peer.sync(liar.url).catch(() => {})
    const { id } = await home.register('Honest')
    liar.list(id, 'Stolen')
    expect(await peer.sync(liar.url)).toMatchObject({ added: 1, conflicts: 0 })
    const report = await peer.sync(home.url)
    expect(report).toMatchObject({ conflicts: 1, skipped: 0 })
    expect(report.problems.join()).toContain(liar.url)
    expect(await peer.get(id)).toMatchObject(draft('Honest'))
    expect(await provenance(peer, id)).toMatchObject({ sourceUrl: home.url, contestedBy: [liar.url] })

    // Its own listing is not lost: it stands under an id of its own, and what the liar says counts for that alone.
    const [stolen] = await named(peer, 'Stolen')
    expect(stolen!.id).not.toBe(id)
    expect(await provenance(peer, stolen!.id)).toMatchObject({
      sourceUrl: liar.url,
      origin: { key: id, home: true },
    })
    liar.list(id, 'Stolen again')
    expect(await peer.sync(liar.url)).toMatchObject({ added: 0, changed: 1, conflicts: 0 })
    expect(await peer.get(id)).toMatchObject(draft('Honest'))
    expect((await peer.get(stolen!.id))!.name).toBe('Stolen again')
    liar.remove(id)
    expect(await peer.sync(liar.url)).toMatchObject({ removed: 1 })
    expect(await peer.get(stolen!.id)).toBeUndefined()
    expect(await peer.get(id)).toMatchObject(draft('Honest'))
  })

  test('added before another keeps the ids that it lists and hides none of the other', async () => {
    await using parts = await start()
    const { home, peer, liar } = parts
    const { id } = await home.register('Honest')
    liar.list(id, 'Stolen')
    await peer.sync(liar.url)
    const report = await peer.sync(home.url)
    expect(report).toMatchObject({ added: 1, conflicts: 1, skipped: 0 })
    const [honest] = await named(peer, 'Honest')
    expect(honest).toMatchObject(draft('Honest'))
    expect(report.problems.join()).toContain(honest!.id)
    expect(await provenance(peer, honest!.id)).toMatchObject({
      sourceUrl: home.url,
      origin: { key: id, home: true },
    })
    expect(await provenance(peer, id)).toMatchObject({ sourceUrl: liar.url, contestedBy: [home.url] })
    const page = async (of: string) => (await fetch(`${peer.url}/services/${of}`)).text()
    expect(await page(id)).toContain(`${new URL(home.url).hostname} lists another service under this ID`)
    expect(await page(honest!.id)).toContain(`Its ID there is ${id}`)

    await home.directory.edit(id, { pricing: { pricePerRequest: '0.5' } }, home)
    expect(await peer.sync(home.url)).toMatchObject({ changed: 1, conflicts: 0 })
    expect((await peer.get(honest!.id))!.pricing.pricePerRequest).toBe('0.5')
    // What goes round comes to its home under another id, and is known there.
    expect(await home.sync(peer.url)).toMatchObject({ added: 0, changed: 0, conflicts: 0 })
    liar.remove(id)
    await peer.sync(liar.url)
    expect(await peer.get(honest!.id)).toBeDefined()
    await home.directory.remove(id, home)
    expect(await peer.sync(home.url)).toMatchObject({ removed: 1 })
    expect(await named(peer, 'Honest')).toEqual([])
  })

  test('hides no entry of another by a tombstone, in any order', async () => {
    await using parts = await start()
    const { home, peer, liar } = parts
    const first = await home.register('First')
    liar.list(first.id, 'Stolen')
    await peer.sync(liar.url)
    liar.remove(first.id)
    await peer.sync(liar.url)
    await peer.sync(home.url)
    expect(await named(peer, 'First')).toHaveLength(1)

    await using later = await Node.start(
      'later',
      engine === 'SQLite' ? undefined : await createReadyDatabase(),
    )
    await later.sync(home.url)
    const second = await home.register('Second')
    liar.list(second.id, 'Stolen')
    await later.sync(liar.url)
    liar.remove(second.id)
    liar.remove(first.id)
    await later.sync(liar.url)
    expect(await later.sync(home.url)).toMatchObject({ added: 1 })
    expect(await later.get(second.id)).toMatchObject(draft('Second'))
    expect(await later.get(first.id)).toMatchObject(draft('First'))
    // Its standing is its own.
    const { items } = (await later.directory.history(second.id, { limit: 9, days: 0 })).decode()
    expect(items.map(item => item.kind === 'event' && item.type)).toEqual([
      'registered',
      'removed',
      'registered',
    ])
  })

  test('does not get an id after the home of that id was withdrawn', async () => {
    await using parts = await start()
    const { home, peer, liar } = parts
    const { id } = await home.register('Honest')
    await peer.sync(home.url)
    await home.directory.remove(id, home)
    await peer.sync(home.url)
    liar.list(id, 'Stolen', { followed: true, home: home.url })
    expect(await peer.sync(liar.url)).toMatchObject({ added: 0 })
    liar.list(id, 'Stolen')
    expect(await peer.sync(liar.url)).toMatchObject({ added: 1, conflicts: 1 })
    expect(await peer.get(id)).toBeUndefined()
  })

  test('cannot take over an entry that another source forwarded, but the home of the entry can', async () => {
    await using parts = await start()
    const { home, peer, liar } = parts
    await using between = await Node.start('between')
    const { id } = await home.register('Honest')
    await between.sync(home.url)
    await peer.sync(between.url)
    liar.list(id, 'Stolen')
    expect(await peer.sync(liar.url)).toMatchObject({ added: 1, conflicts: 1 })
    expect(await peer.get(id)).toMatchObject(draft('Honest'))
    expect(await peer.sync(home.url)).toMatchObject({ added: 0, conflicts: 0 })
    expect(await provenance(peer, id)).toMatchObject({ sourceUrl: home.url, origin: { home: true } })
    // Nor what its home is said to be by somebody who does not know.
    const other = await home.register('Other')
    liar.list(other.id, 'Stolen', { followed: true, home: 'https://elsewhere.example' })
    await peer.sync(liar.url)
    await peer.sync(home.url)
    expect(await named(peer, 'Other')).toMatchObject([draft('Other')])
  })

  test('stored by an earlier version precedes new ones and sends the homes of its entries again', async () => {
    await using parts = await start()
    const { home, peer, liar } = parts
    await using between = await Node.start('between')
    const { id } = await home.register('Honest')
    await between.sync(home.url)
    await peer.sync(between.url)
    await using store = await openStore(peer.databaseUrl, { clock: systemClock })
    const [{ rank: _, aliasKey: __, ...old } = createSourceState('')] = await store.sources.list()
    await store.sources.save(old)
    await store.update([id], ({ provenance: { origin, ...provenance }, ...kept }) => {
      const { homeUrl: _, ...before } = origin!
      return { entry: { ...kept, provenance: { ...provenance, origin: before } }, events: [] }
    })
    liar.list(id, 'Stolen')
    expect(await peer.sync(liar.url)).toMatchObject({ conflicts: 1 })
    expect(await peer.get(id)).toMatchObject(draft('Honest'))
    expect(await peer.sync(between.url)).toMatchObject({ added: 0, changed: 0 })
    expect(await provenance(peer, id)).toMatchObject({ origin: { homeUrl: home.url } })
    expect(await peer.sync(home.url)).toMatchObject({ conflicts: 0 })
    expect(await provenance(peer, id)).toMatchObject({ sourceUrl: home.url })
    expect(JSON.stringify(await peer.sources())).not.toContain('aliasKey')
  })

  test('that forwards a different payment address than an earlier source is reported', async () => {
    await using parts = await start()
    const { home, peer, liar } = parts
    await using between = await Node.start('between')
    const { id } = await home.register('Honest')
    await between.sync(home.url)
    await peer.sync(between.url)
    liar.list(id, 'Stolen', { followed: true, home: home.url })
    const report = await peer.sync(liar.url)
    expect(report).toMatchObject({ added: 0, changed: 0, conflicts: 1 })
    expect(report.problems).toEqual([
      expect.stringContaining(`${liar.url} passes it on with another payment address than ${between.url}`),
    ])
    expect(await peer.get(id)).toMatchObject(draft('Honest'))
  })

  test('cannot stop payments to a seller by listing another payee, or a closed or removed service', async () => {
    await using nodes = await start()
    const { home, peer, liar } = nodes
    const { id } = await home.register('Never listed here')
    const url = 'https://victim.example/v1/weather'
    const asked = { url, payTo: `0x${'1'.repeat(40)}`, network: 'base', amount: '10000' }
    const verdict = async () => (await peer.directory.resolve(asked)).decode().verdict
    expect(await verdict()).toBe('unknown')
    liar.list(id, 'Victim', {
      service: { ...draft('Victim'), endpoint: 'https://victim.example/', x402Config: THIEF },
    })
    await peer.sync(liar.url)
    expect(await verdict()).toBe('caution')
    liar.remove(id)
    await peer.sync(liar.url)
    expect(await verdict()).toBe('unknown')
  })

  test('cannot change entries that were registered or removed here', async () => {
    await using parts = await start()
    const { peer, liar } = parts
    const own = await peer.register('Own')
    const gone = await peer.register('Gone')
    await peer.directory.remove(gone.id, peer)
    liar.list(own.id, 'Stolen')
    liar.list(gone.id, 'Back')
    const report = await peer.sync(liar.url)
    expect(report).toMatchObject({ added: 1, conflicts: 1, known: 1 })
    expect(await peer.get(own.id)).toEqual(own)
    expect(await provenance(peer, own.id)).toMatchObject({ contestedBy: [liar.url] })
    expect(await peer.get(gone.id)).toBeUndefined()
    const [stolen] = await named(peer, 'Stolen')
    await peer.directory.remove(stolen!.id, peer)
    liar.list(own.id, 'Stolen anew')
    expect(await peer.sync(liar.url)).toMatchObject({ added: 0, conflicts: 0 })
    liar.remove(own.id)
    await peer.sync(liar.url)
    expect(await peer.get(own.id)).toEqual(own)
    expect(await named(peer, 'Stolen anew')).toEqual([])
  })
})
