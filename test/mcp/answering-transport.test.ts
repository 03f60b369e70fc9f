import { expect, test } from 'bun:test'
import { PassThrough } from 'node:stream'
import { createAnsweringTransport } from '../../src/mcp/stdio.ts'
import { MAIN } from '../program.ts'

const request = (id: number, name = 'find_service') => ({
  ...{ jsonrpc: '2.0' as const, id, method: 'tools/call' },
  params: { name, arguments: {} },
})
const response = (id: number) => ({ jsonrpc: '2.0' as const, id, result: {} })

async function open(...requests: readonly object[]) {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const transport = createAnsweringTransport(stdin, stdout)
  const received: object[] = []
  let isClosed = false
  transport.onmessage = message => received.push(message)
  transport.onclose = () => (isClosed = true)
  await transport.start()
  stdin.end(requests.map(each => `${JSON.stringify(each)}\n`).join(''))
  return { transport, received, isClosed: () => isClosed }
}

test('at the end of the input, the transport stays open until every request is answered', async () => {
  const { transport, received, isClosed } = await open(request(1), request(2))
  const drained = transport.drain('call_service')
  await transport.send(response(1))
  expect(await Promise.race([drained, Bun.sleep(20).then(() => 'waiting')])).toBe('waiting')
  expect([received.length, isClosed()]).toEqual([2, false])
  await transport.send(response(2))
  await drained
})

test('at the end of the input, a call that could pay is cancelled', async () => {
  const { transport, received } = await open(request(7, 'call_service'))
  await transport.drain('call_service')
  expect(received.at(-1)).toMatchObject({ method: 'notifications/cancelled', params: { requestId: 7 } })
})

test('the transport does not wait for requests that the client cancelled', async () => {
  const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
  const { transport } = await open(request(1), cancelled)
  await transport.drain('call_service')
})

test('a request from a pipe is answered even if the directory responds after the pipe has ended', async () => {
  using slow = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async () => {
      await Bun.sleep(50)
      return Response.json([])
    },
  })
  const initialize = {
    ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'pipe', version: '1' },
    },
  }
  const child = Bun.spawn([process.execPath, MAIN, 'mcp', '--url', slow.url.origin], {
    stdin: new Blob([initialize, request(2, 'list_categories')].map(each => `${JSON.stringify(each)}\n`)),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const lines = (await child.stdout.text()).trim().split('\n')
  expect(lines.map(line => JSON.parse(line).id)).toEqual([1, 2])
  expect(await child.exited).toBe(0)
})
