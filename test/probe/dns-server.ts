/** A name server on loopback that answers as a test tells it to. */
import { createSocket } from 'node:dgram'

const A = 1
const NO_SUCH_NAME = 3

export type DnsServer = AsyncDisposable & {
  /** As a resolver is told of it. */
  readonly address: string
}

/** @param hosts IPv4 addresses by name; null never answers */
export async function openDnsServer(hosts: Readonly<Record<string, string | null>>): Promise<DnsServer> {
  const socket = createSocket('udp4')
  socket.on('message', (question, { port, address }) => {
    const { name, end } = readName(question)
    const host = hosts[name]
    if (host === null) return
    const isAddress = host !== undefined && question.readUInt16BE(end + 1) === A
    const answers = isAddress ? [toAddress(host)] : []
    const head = Buffer.alloc(12)
    question.copy(head, 0, 0, 2)
    head.writeUInt16BE(0x8180 | (answers.length === 0 && host === undefined ? NO_SUCH_NAME : 0), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(answers.length, 6)
    socket.send(Buffer.concat([head, question.subarray(12, end + 5), ...answers]), port, address)
  })
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  return {
    address: `127.0.0.1:${socket.address().port}`,
    [Symbol.asyncDispose]: () => new Promise(resolve => socket.close(() => resolve())),
  }
}

function readName(question: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  while (question[at] !== 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!))
    at += question[at]! + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at }
}

const toAddress = (host: string): Buffer =>
  Buffer.from([0xc0, 0x0c, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...host.split('.').map(Number)])
