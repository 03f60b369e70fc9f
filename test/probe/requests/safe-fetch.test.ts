import { describe, expect, spyOn, test } from 'bun:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { tellInEnglish } from '../../../src/messages/message.ts'
import {
  createSafeFetch,
  type ResolvedHost,
  type SafeResponse,
} from '../../../src/probe/requests/safe-fetch.ts'
import { CERTIFICATE } from '../certificate.ts'
import { answerOf, drip, openHostile, openHostileTls, redirectTo } from '../hostile.ts'
import { openMerchant } from '../merchant.ts'

const open = createSafeFetch({ allowPrivate: true })
const textOf = (response: SafeResponse) => (response.ok ? new TextDecoder().decode(response.body) : response)

describe('an honest server', () => {
  test('returns status, headers, body, URL and latency', async () => {
    await using server = await openHostile(socket =>
      socket.end(answerOf('402 Payment Required', { 'X-Two': 'a', 'x-two': 'b' }, '{"x402Version":1}')),
    )
    const response = await open(`${server.url}v1?city=Tokyo`, { headers: { 'User-Agent': 'tester/1' } })
    expect(response).toMatchObject({ ok: true, status: 402, url: `${server.url}v1?city=Tokyo` })
    expect(textOf(response)).toBe('{"x402Version":1}')
    expect(response.latencyMs).toBeWithin(0, 5_000)
    expect(response.headers?.get('x-two')).toBe('a, b')
    expect(server.requests[0]).toStartWith('GET /v1?city=Tokyo HTTP/1.1\r\n')
    expect(server.requests[0]).toMatch(/\r\nUser-Agent: tester\/1\r\n/i)
    expect(server.requests[0]).toContain(`127.0.0.1:${server.port}\r\n`)
    expect(server.requests[0]).toMatch(/\r\naccept-encoding: identity\r\n/i)
  })

  test('gets a body when one is sent', async () => {
    await using server = await openHostile(socket => socket.end(answerOf('200 OK', {})))
    await open(server.url, {
      method: 'post',
      body: '{"名":1}',
      headers: { 'content-type': 'application/json' },
    })
    expect(server.requests[0]).toStartWith('POST / HTTP/1.1\r\n')
    expect(server.requests[0]).toMatch(/\r\ncontent-length: 9\r\n/i)
    expect(Buffer.from(server.requests[0]!, 'latin1').toString()).toEndWith('\r\n\r\n{"名":1}')
  })

  test('may use TLS with a certificate of a trusted authority', async () => {
    const trusting = createSafeFetch({
      allowPrivate: true,
      ca: [CERTIFICATE],
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    await using server = await openHostileTls(socket => socket.end(answerOf('200 OK', {}, 'secret')))
    expect(textOf(await trusting(`https://merchant.test:${server.port}/`))).toBe('secret')
  })

  test('may send a header of 100 KiB, and 900 header lines', async () => {
    const lines = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`X-${n}`, 'y']))
    await using server = await openHostile(socket =>
      socket.end(answerOf('402 Pay', { 'PAYMENT-REQUIRED': 'a'.repeat(100 * 1024), ...lines })),
    )
    const response = await open(server.url)
    expect(response.headers?.get('payment-required')).toHaveLength(100 * 1024)
    expect(response.headers?.get('x-899')).toBe('y')
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('may compress with %s though it was not asked to', async (coding, compress) => {
    await using server = await openHostile(socket => {
      const body = compress('あいう')
      socket.write(answerOf('200 OK', { 'Content-Encoding': coding, 'Content-Length': String(body.length) }))
      socket.end(body)
    })
    expect(textOf(await open(server.url))).toBe('あいう')
  })

  test('may send exactly as much as is allowed', async () => {
    const body = 'x'.repeat(256 * 1024)
    await using server = await openHostile(socket => socket.end(answerOf('200 OK', {}, body)))
    expect(textOf(await open(server.url))).toBe(body)
  })

  test('may declare a length in response to HEAD', async () => {
    await using server = await openHostile(socket =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n'),
    )
    expect(await open(server.url, { method: 'HEAD' })).toMatchObject({ ok: true, status: 200 })
  })
})

describe('redirects', () => {
  test('are followed up to three times, relative ones too', async () => {
    await using server = await openHostile((socket, request) => {
      const step = Number(/^GET \/(\d*)/.exec(request)?.[1] || '0')
      socket.end(
        step < 3 ? answerOf('302 Found', { Location: `/${step + 1}` }) : answerOf('200 OK', {}, 'there'),
      )
    })
    const response = await open(server.url)
    expect(textOf(response)).toBe('there')
    expect(response.url).toBe(`${server.url}3`)
    expect(server.requests).toHaveLength(4)
  })

  test('a fourth one is not', async () => {
    await using server = await openHostile(redirectTo('/again'))
    expect(await open(server.url)).toMatchObject({ ok: false, reason: 'redirect', url: `${server.url}again` })
    expect(server.requests).toHaveLength(4)
  })

  test.each([
    ['301 Moved', 'GET'],
    ['302 Found', 'GET'],
    ['303 See Other', 'GET'],
    ['307 Temporary', 'POST'],
    ['308 Permanent', 'POST'],
  ])('after a POST, %s asks by %s', async (status, method) => {
    await using target = await openHostile(socket => socket.end(answerOf('200 OK', {})))
    await using server = await openHostile(redirectTo(target.url, status))
    await open(server.url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
    expect(target.requests[0]).toStartWith(`${method} / `)
    expect(target.requests[0]!.includes('application/json')).toBe(method === 'POST')
    expect(target.requests[0]!.endsWith('{}')).toBe(method === 'POST')
  })

  test('carry no secret to another origin', async () => {
    await using target = await openHostile(socket => socket.end(answerOf('200 OK', {})))
    await using server = await openHostile(redirectTo(target.url))
    await open(server.url, { headers: { Authorization: 'Bearer x', Cookie: 'y=1', Accept: '*/*' } })
    expect(target.requests[0]).not.toMatch(/authorization|cookie/i)
    expect(target.requests[0]).toMatch(/accept: \*\/\*/i)
  })

  test('pass the gate of every host, one after the other, and waiting does not count as latency', async () => {
    await using target = openMerchant({ '/there': new Response('found') })
    const there = target.url.replace('127.0.0.1', 'localhost')
    await using merchant = openMerchant({ '/here': Response.redirect(`${there}/there`) })
    const doors: string[] = []
    const { now } = performance
    let waitedMs = 0
    using _ = spyOn(performance, 'now').mockImplementation(() => now.call(performance) + waitedMs)
    const answer = await createSafeFetch({ allowPrivate: true })(`${merchant.url}/here`, {
      async enter({ host }) {
        waitedMs += 60_000
        doors.push(`into ${host}`)
        return () => void doors.push(`out of ${host}`)
      },
    })
    expect(answer).toMatchObject({ ok: true, status: 200 })
    expect(answer.latencyMs).toBeLessThan(60_000)
    const [from, to] = [merchant.url, there].map(url => new URL(url).host)
    expect(doors).toEqual([`into ${from}`, `out of ${from}`, `into ${to}`, `out of ${to}`])
  })

  test('pass the gate of the resolved addresses, at most two of each family, and connect to no other', async () => {
    await using merchant = openMerchant({ '/v1': new Response('found') })
    const addresses = ['127.0.0.1', '127.0.0.9', '127.0.0.10', '2001:db8::1', '2001:db8::2', '2001:db8::3']
    let lookups = 0
    const places: ResolvedHost[] = []
    const named = createSafeFetch({
      allowPrivate: true,
      lookup: async () => {
        lookups++
        return addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
      },
    })
    const url = merchant.url.replace('127.0.0.1', 'many.dev')
    const answer = await named(`${url}/v1`, {
      async enter(place) {
        places.push(place)
        return () => {}
      },
    })
    expect(textOf(answer)).toBe('found')
    expect(places).toEqual([
      { host: new URL(url).host, addresses: ['127.0.0.1', '127.0.0.9', '2001:db8::1', '2001:db8::2'] },
    ])
    // What was counted is what was connected to: nobody asked the resolver again.
    expect(lookups).toBe(1)
  })

  test.each([
    ['to a name for examples', 'https://api.example.com/'],
    ['to a name for tests', 'http://merchant.test/'],
    ['to a scheme of endless length', `${'a'.repeat(60_000)}:x`],
  ])('%s are not followed, and reported in few words', async (_, location) => {
    await using merchant = openMerchant({ '/here': new Response('', { status: 302, headers: { location } }) })
    const doors: string[] = []
    const enter = async ({ host }: ResolvedHost) => {
      doors.push(host)
      return () => {}
    }
    const answer = await open(`${merchant.url}/here`, { enter })
    expect(answer).toMatchObject({ ok: false, reason: 'redirect' })
    if (!answer.ok) expect(tellInEnglish(answer.message).length).toBeLessThan(300)
    expect(doors).toEqual([new URL(merchant.url).host])
  })

  test('may be refused by the gate of a host', async () => {
    await using merchant = openMerchant({ '/here': Response.redirect('http://127.0.0.2:1/') })
    const enter = async ({ host }: ResolvedHost) => {
      if (host === '127.0.0.2:1') throw new Error('not now')
      return () => {}
    }
    await expect(open(`${merchant.url}/here`, { enter })).rejects.toThrow('not now')
  })

  test('to a name that is longer than any name are not followed', async () => {
    const endless = `http://${'a.'.repeat(150)}dev/`
    await using merchant = openMerchant({
      '/here': new Response('', { status: 302, headers: { location: endless } }),
    })
    expect(await open(`${merchant.url}/here`)).toMatchObject({ ok: false, reason: 'redirect' })
    expect(await open(endless)).toMatchObject({ ok: false, reason: 'not_a_url' })
  })

  test('without a location are responses', async () => {
    await using server = await openHostile(socket => socket.end(answerOf('302 Found', {})))
    expect(await open(server.url)).toMatchObject({ ok: true, status: 302 })
  })
})

describe('failures on our side are exceptions', () => {
  test('the caller gives up before the start', async () => {
    const reason = new Error('enough')
    await expect(open('http://127.0.0.1:1/', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  test('the caller gives up while waiting', async () => {
    const giveUp = new AbortController()
    const reason = new Error('enough')
    await using server = await openHostile(() => giveUp.abort(reason))
    await expect(open(server.url, { signal: giveUp.signal })).rejects.toBe(reason)
    await server.abandoned
  })

  test('the machine has no sockets left', async () => {
    const distress = Object.assign(new Error('too many open files'), { code: 'EMFILE' })
    const short = createSafeFetch({ allowPrivate: true, lookup: () => Promise.reject(distress) })
    await expect(short('http://merchant.test/')).rejects.toBe(distress)
  })

  test('a header that cannot be sent', async () => {
    await expect(open('http://127.0.0.1:1/', { headers: { 'x-y': 'a\r\nb' } })).rejects.toThrow()
  })
})

describe('options of the caller', () => {
  test('set the order of the headers, but not the Host', async () => {
    await using server = await openHostile(socket => socket.end(answerOf('200 OK', {})))
    const headers = {
      connection: 'keep-alive',
      host: 'elsewhere.test',
      'accept-encoding': 'gzip',
      accept: '*/*',
    }
    await open(server.url, { headers })
    const names = [...server.requests[0]!.matchAll(/\r\n([\w-]+): /g)].map(([, name]) => name!.toLowerCase())
    expect(names).toEqual(['connection', 'host', 'accept-encoding', 'accept'])
    expect(server.requests[0]).toContain(`host: 127.0.0.1:${server.port}\r\n`)
    expect(server.requests[0]).toContain('accept-encoding: gzip\r\n')
  })

  test('return a redirect that may not be followed', async () => {
    await using server = await openHostile(redirectTo('http://127.0.0.1:9/away'))
    const seen: string[] = []
    const response = await open(server.url, {
      mayFollow: (to, { status, method }) => seen.push(`${status} ${method} ${to.pathname}`) < 0,
    })
    expect(response).toMatchObject({ ok: true, status: 302, url: server.url })
    expect(response.headers?.get('location')).toBe('http://127.0.0.1:9/away')
    expect(seen).toEqual(['302 GET /away'])
  })

  test('change the body limit', async () => {
    await using server = await openHostile(socket =>
      socket.end(answerOf('200 OK', {}, 'x'.repeat(300 * 1024))),
    )
    expect(textOf(await open(server.url, { maxBodyBytes: 400 * 1024 }))).toHaveLength(300 * 1024)
    expect(await open(server.url, { maxBodyBytes: 1024 })).toMatchObject({
      ok: false,
      reason: 'body_too_large',
    })
  })

  test('end an endless body once enough has been read', async () => {
    await using server = await openHostile(socket => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n')
      drip(socket, n => `data: ${n}\n\n`)
    })
    const response = await open(server.url, {
      readAlong: headers =>
        headers.get('content-type') === 'text/event-stream'
          ? part => new TextDecoder().decode(part).includes('data: 3\n')
          : undefined,
    })
    expect(textOf(response)).toEndWith('data: 3\n\n')
    await server.abandoned
  })
})
