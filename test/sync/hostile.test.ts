// A source that lists entries of others: only its own listings follow it, whichever source was first.
import { describe, expect, test } from 'bun:test'
import type { Service } from '../../src/domain/listing/service.ts'
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
    (await Array.fromAsync(node.directory.export()))
      .filter(each => each.name === name)
      .map(({ id }) => node.get(id)),
  )
  return services as Service[]
}

describe('A source that is followed', () => {
  const start = async () => {
    const home = await Node.start('home')
    const peer = await Node.start('peer')
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

  test('cannot take over, change or hide what another source lists, whichever was first', async () => {
    await using parts = await start()
    const { home, peer, liar } = parts
    const first = await home.register('First')
    const second = await home.register('Second')
    liar.list(first.id, 'Stolen')
    await peer.sync(liar.url)
    expect(await peer.sync(home.url)).toMatchObject({ added: 2, skipped: 0 })
    liar.list(second.id, 'Stolen too')
    liar.remove(first.id)
    expect(await peer.sync(liar.url)).toMatchObject({ added: 1, changed: 0, removed: 1 })
    for (const [name, { id }] of Object.entries({ First: first, Second: second }))
      expect(await peer.get(peer.idOf(id, home))).toMatchObject(draft(name))
    expect(await named(peer, 'Stolen too')).toHaveLength(1)
    // Nor by saying that it has it from there.
    liar.list(second.id, 'Stolen again', { followed: true, home: home.url })
    expect(await peer.sync(liar.url)).toMatchObject({ added: 0, changed: 0, forwarded: 1 })
    await home.directory.remove(first.id, home)
    await peer.sync(home.url)
    liar.list(first.id, 'Back')
    await peer.sync(liar.url)
    expect(await peer.get(peer.idOf(first.id, home))).toBeUndefined()
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
    expect(await peer.sync(liar.url)).toMatchObject({ added: 2 })
    expect(await peer.get(own.id)).toEqual(own)
    expect(await peer.get(gone.id)).toBeUndefined()
    const [stolen] = await named(peer, 'Stolen')
    await peer.directory.remove(stolen!.id, peer)
    liar.list(own.id, 'Stolen anew')
    expect(await peer.sync(liar.url)).toMatchObject({ added: 0 })
    liar.remove(own.id)
    await peer.sync(liar.url)
    expect(await peer.get(own.id)).toEqual(own)
    expect(await named(peer, 'Stolen anew')).toEqual([])
  })
})
