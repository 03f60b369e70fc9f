/** Servers that write whatever bytes a test wants, well-formed or not. */

import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { CERTIFICATE, KEY } from './certificate.ts'

export type Hostile = AsyncDisposable & {
  readonly port: number
  readonly url: string
  /** What clients have sent so far, one text per connection. */
  readonly requests: readonly string[]
  /** Ends when the first client has gone. */
  readonly abandoned: Promise<void>
}

type Behaviour = (socket: Socket, request: string) => void

/** Calls `answer` once a request has come whole. */
export const openHostile = (answer: Behaviour): Promise<Hostile> => listen('http', answer)

export const openHostileTls = (answer: Behaviour): Promise<Hostile> => listen('https', answer)

/** Calls `greet` as soon as a client connects, before it says anything. */
export const openHostileOnConnect = (greet: (socket: Socket) => void): Promise<Hostile> =>
  listen('http', () => {}, greet)

async function listen(
  scheme: 'http' | 'https',
  answer: Behaviour,
  greet: (socket: Socket) => void = () => {},
): Promise<Hostile> {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const { promise: abandoned, resolve } = Promise.withResolvers<void>()
  const meet = (socket: Socket) => {
    const index = requests.push('') - 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      resolve()
    })
    socket.on('data', bytes => {
      requests[index] += bytes.toString('latin1')
      if (isWhole(requests[index]!)) answer(socket, requests[index]!)
    })
    greet(socket)
  }
  const server: Server =
    scheme === 'https' ? createTlsServer({ key: KEY, cert: CERTIFICATE }, meet) : createServer(meet)
  server.on('tlsClientError', () => {})
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    port: address.port,
    url: `${scheme}://127.0.0.1:${address.port}/`,
    requests,
    abandoned,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise(closed => server.close(closed))
    },
  }
}

function isWhole(request: string): boolean {
  const end = request.indexOf('\r\n\r\n')
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(request)?.[1] ?? 0)
  return end >= 0 && request.length === end + 4 + length
}

export const answerOf = (status: string, headers: Readonly<Record<string, string>>, body = ''): string =>
  [
    `HTTP/1.1 ${status}`,
    ...Object.entries({ 'Content-Length': String(Buffer.byteLength(body)), ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '',
    body,
  ].join('\r\n')

export const redirectTo = (location: string, status = '302 Found'): Behaviour => {
  return socket => socket.end(answerOf(status, { Location: location }))
}

/** Writes the same bytes for as long as the client stays, no faster than it reads. */
export function pour(socket: Socket, bytes: string | Uint8Array): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on('drain', more)
  more()
}

/** Writes a little every few milliseconds for as long as the client stays. */
export function drip(socket: Socket, next: (n: number) => string): void {
  let n = 0
  const timer = setInterval(() => socket.write(next(n++)), 5)
  socket.on('close', () => clearInterval(timer))
}
