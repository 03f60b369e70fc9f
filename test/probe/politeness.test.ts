// The manners of a whole directory towards one host: several processes with their threads, and the command line beside them.
import { expect, test } from 'bun:test'
import type { Service } from '../../src/domain/listing/service.ts'
import { openFolder, type Serving } from '../cli/shirube.ts'
import { draft } from '../entries.ts'
import { askAgain } from '../http/ask-again.ts'
import { createReadyDatabase } from '../postgres.ts'
import { asksV2, PAYEE } from './merchant.ts'

const KEYS = ['a-key-of-one', 'a-key-of-another']
const ANSWERS_AFTER_MS = 1_300

/** Counts what it is asked as 127.0.0.1; as 127.0.0.2 it sends everybody there, and nobody follows. */
function openCountingMerchant() {
  const starts: number[] = []
  const inFlight = { now: 0, most: 0 }
  const server = Bun.serve({
    hostname: '0.0.0.0',
    port: 0,
    async fetch(request) {
      const { hostname, pathname, port } = new URL(request.url)
      if (hostname === '127.0.0.2') return Response.redirect(`http://127.0.0.1:${port}${pathname}`)
      starts.push(performance.now())
      inFlight.most = Math.max(inFlight.most, ++inFlight.now)
      await Bun.sleep(ANSWERS_AFTER_MS)
      inFlight.now--
      // What is asked below /other is found by way of the origin's documents.
      if (pathname === '/.well-known/x402') return Response.json({ resources: ['/other/paid'] })
      return pathname === '/other' ? new Response('hello') : asksV2()
    },
  })
  return {
    port: server.port!,
    starts,
    inFlight,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

const post = (url: string, key: string, body: object) =>
  askAgain(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
      // A fresh connection each time, so that every worker has its share.
      connection: 'close',
    },
    body: JSON.stringify(body),
  })

async function check(node: Serving, key: string, endpoint: string): Promise<number> {
  const answer = await post(`${node.url}/api/check`, key, { endpoint })
  expect([200, 429]).toContain(answer.status)
  if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  await answer.text()
  return answer.status
}

// Both wait most of the time, and neither for the other.
test.concurrent.each(['SQLite', 'PostgreSQL'])('on %s', async engine => {
  await using folder = await openFolder({
    API_KEYS: KEYS.join(','),
    PROBE: 'on',
    ALLOW_PRIVATE_ENDPOINTS: 'on',
    ...(engine === 'PostgreSQL' && { DATABASE_URL: await createReadyDatabase() }),
  })
  await using parts = new AsyncDisposableStack()
  const merchant = parts.use(openCountingMerchant())
  const nodes = [parts.use(await folder.serve(['--workers', '2'])), parts.use(await folder.serve())]
  const register = async (host: string, path: string): Promise<string> => {
    const x402Config = { paymentAddress: PAYEE, network: 'base' }
    const endpoint = `http://${host}:${merchant.port}${path}`
    const answer = await post(`${nodes[0]!.url}/api/services`, KEYS[0]!, draft({ endpoint, x402Config }))
    expect(answer.status).toBe(201)
    return ((await answer.json()) as Service).id
  }

  const began = performance.now()
  const ids = await Promise.all([register('127.0.0.1', '/a'), register('127.0.0.1', '/other')])
  const checks: Promise<number[]>[] = nodes.flatMap((node, i) =>
    ['127.0.0.1', '127.0.0.2'].map(async host => {
      const seen: number[] = []
      while (seen.length < 10 && !seen.includes(200))
        seen.push(await check(node, KEYS[i]!, `http://${host}:${merchant.port}/checked`))
      return seen
    }),
  )
  const command = folder.run(['check', ids[0]!])

  for (const id of ids)
    for (;;) {
      const service = (await (await fetch(`${nodes[1]!.url}/api/services/${id}`)).json()) as Service
      if (service.status === 'verified') break
      await Bun.sleep(250)
    }
  expect((await Promise.all(checks)).flat()).toContain(200)
  const { code, stdout, stderr } = await command
  // A person who waited for a minute is told that the host was never free.
  if (code !== 0) expect(stderr).toContain('is busy with other probes')
  else expect(stdout).toContain('payable')

  expect(merchant.starts.length).toBeGreaterThan(8)
  expect(merchant.inFlight.most).toBeLessThanOrEqual(2)
  // A busy machine makes a request late, never early; only a timer may be so, by a hair.
  merchant.starts.forEach((at, i) => void expect(at - began).toBeGreaterThan(i * 995))
})
