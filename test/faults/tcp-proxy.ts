// The network between a node and its database: it can be cut, go silent, lead to another server, and alter what passes.
import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy extends AsyncDisposable {
  readonly port: number
  /** How often somebody tried to connect. */
  readonly attempts: number
  /** Ends every connection and refuses new ones. */
  cut(): void
  /** Keeps every connection and lets nothing through: nobody is told anything. */
  silence(): void
  /** Lets everything through again. What came during a silence is lost with its connection. */
  restore(): void
  /** New connections lead there. */
  leadTo(port: number): void
}

/** One for each direction of each connection, as it may have to remember; what it answers goes on. */
export type Alter = (chunk: Buffer) => Buffer

const asItIs = (): Alter => chunk => chunk

export async function openTcpProxy(
  target: number,
  { toServer = asItIs, toClient = asItIs }: { toServer?: () => Alter; toClient?: () => Alter } = {},
): Promise<TcpProxy> {
  let mode: 'open' | 'cut' | 'silent' = 'open'
  const pairs = new Set<readonly Socket[]>()
  const endAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
    pairs.clear()
  }
  let attempts = 0
  const server = createServer(client => {
    attempts++
    if (mode === 'cut') return void client.destroy()
    const upstream = connect({ host: '127.0.0.1', port: target })
    const pair = [client, upstream]
    pairs.add(pair)
    const end = () => {
      // A server that goes away during a silence cannot tell either.
      if (mode === 'silent') return
      pairs.delete(pair)
      client.destroy()
      upstream.destroy()
    }
    for (const [from, to, alter] of [
      [client, upstream, toServer()],
      [upstream, client, toClient()],
    ] as const) {
      from.on('data', (chunk: Buffer) => {
        if (mode === 'open') to.write(alter(chunk))
      })
      from.on('close', end)
      from.on('error', end)
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    get attempts() {
      return attempts
    },
    cut() {
      mode = 'cut'
      endAll()
    },
    silence() {
      mode = 'silent'
    },
    restore() {
      if (mode === 'silent') endAll()
      mode = 'open'
    },
    leadTo(port) {
      target = port
    },
    async [Symbol.asyncDispose]() {
      mode = 'cut'
      endAll()
      await new Promise<void>(resolve => server.close(() => resolve()))
    },
  }
}
