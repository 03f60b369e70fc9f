import { describe, expect, test } from 'bun:test'
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { tellInEnglish } from '../../src/messages/message.ts'
import type { Limits } from '../../src/probe/requests/exchange.ts'
import {
  createSafeFetch,
  type SafeFetchOptions,
  type SafeResponse,
} from '../../src/probe/requests/safe-fetch.ts'
import { fc } from '../fast-check.ts'
import {
  answerOf,
  drip,
  openHostile,
  openHostileOnConnect,
  openHostileTls,
  pour,
  redirectTo,
} from './hostile.ts'

const open = createSafeFetch({ allowPrivate: true })
const impatient = (limits: Partial<Limits>) => createSafeFetch({ allowPrivate: true, limits })
const never = <T>() => new Promise<T>(() => {})
const sentenceOf = (response: SafeResponse) => (response.ok ? undefined : tellInEnglish(response.message))

/** Strict, but for the one address on which the test's own server stands for a public one. */
const strict = (options: Partial<SafeFetchOptions> = {}) =>
  createSafeFetch({ allowPrivate: false, exempt: ['127.0.0.1'], ...options })

describe('private addresses are refused', () => {
  test('but for a place that is exempt, which no name and no other port of its host is', async () => {
    using inner = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('inner') })
    using other = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response('other') })
    const fetchInner = createSafeFetch({
      allowPrivate: false,
      exempt: [`127.0.0.1:${inner.port}`],
      lookup: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    expect(await fetchInner(`http://127.0.0.1:${inner.port}/`)).toMatchObject({ ok: true })
    for (const url of [`http://127.0.0.1:${other.port}/`, `http://stranger.dev:${inner.port}/`])
      expect(await fetchInner(url)).toMatchObject({ ok: false, reason: 'private_address' })
  })

  // As URLs write them; test/domain/hosts has the addresses themselves.
  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.0.0.0x1/',
    'http://127.0.0.1./',
    'http://127.0.0.1%2e/',
    'http://%31%32%37.0.0.1/',
    'http://\uff11\uff12\uff17\u3002\uff10\u3002\uff10\u3002\uff11/',
    'http:\\\\127.0.0.1/',
    'http:/127.0.0.1/',
    'http://169.254.169.254/latest/meta-data/',
    'http://192.0.2.1/',
    'https://[::1]/',
    'https://[::ffff:a9fe:a9fe]/',
    'http://LOCALHOST./',
  ])('%s, by its text alone', async url => {
    const lookups: string[] = []
    const closed = createSafeFetch({
      allowPrivate: false,
      lookup: async host => {
        lookups.push(host)
        return [{ address: '127.0.0.1', family: 4 }]
      },
    })
    expect(await closed(url)).toMatchObject({ ok: false, reason: 'private_address' })
    expect(lookups).toEqual([])
  })

  test.each([
    [{ address: '127.0.0.1', family: 4 }],
    [{ address: '169.254.169.254', family: 4 }],
    [{ address: '10.1.1.1', family: 4 }],
    [{ address: '::1', family: 6 }],
    [{ address: '::ffff:127.0.0.1', family: 6 }],
    [{ address: '64:ff9b::a00:1', family: 6 }],
    [{ address: 'fe80::1%eth0', family: 6 }],
    [{ address: 'not an address', family: 4 }],
  ] as const)('a name that resolves to %o, before any connection', async address => {
    await using server = await openHostile(socket => socket.end(answerOf('200 OK', {})))
    const closed = createSafeFetch({ allowPrivate: false, lookup: async () => [address] })
    const response = await closed(`http://merchant.dev:${server.port}/`)
    expect(response).toMatchObject({ ok: false, reason: 'private_address' })
    expect(server.requests).toHaveLength(0)
  })

  test('a name that resolves to a good address and a forbidden one', async () => {
    await using server = await openHostile(socket => socket.end(answerOf('200 OK', {})))
    const mixed = strict({
      lookup: async () => [
        { address: '127.0.0.1', family: 4 },
        { address: '127.0.0.2', family: 4 },
      ],
    })
    expect(await mixed(`http://merchant.dev:${server.port}/`)).toMatchObject({ reason: 'private_address' })
    expect(server.requests).toHaveLength(0)
  })

  test('a name that is rebound between two lookups is resolved once per connection, and refused when it changes', async () => {
    await using server = await openHostile(socket => socket.end(answerOf('200 OK', {})))
    const answers = ['127.0.0.1', '127.0.0.2']
    const rebinding = strict({ lookup: async () => [{ address: answers.shift()!, family: 4 }] })
    const url = `http://rebind.merchant.dev:${server.port}/`
    expect(await rebinding(url)).toMatchObject({ ok: true, status: 200 })
    expect(answers).toEqual(['127.0.0.2'])
    expect(await rebinding(url)).toMatchObject({ ok: false, reason: 'private_address' })
    expect(server.requests).toHaveLength(1)
  })

  test('a name that is rebound between a redirect and its target', async () => {
    const answers = ['127.0.0.1', '127.0.0.2']
    await using server = await openHostile(redirectTo('/next'))
    const rebinding = strict({ lookup: async () => [{ address: answers.shift()!, family: 4 }] })
    expect(await rebinding(`http://merchant.dev:${server.port}/`)).toMatchObject({
      reason: 'private_address',
    })
    expect(server.requests).toHaveLength(1)
  })

  test.each([
    ...'http://169.254.169.254/latest/meta-data/ //169.254.169.254/'.split(' '),
    ...'http://[::ffff:169.254.169.254]/ http://2852039166/ http://localhost/ http://127.0.0.2/'.split(' '),
    ...'http://0x7f.2/ https://[fd00:ec2::254]/ http://inside.merchant.dev/'.split(' '),
  ])('a redirect to %s', async location => {
    await using server = await openHostile(redirectTo(location))
    const closed = strict({ lookup: async () => [{ address: '169.254.169.254', family: 4 }] })
    expect(await closed(server.url)).toMatchObject({ ok: false, reason: 'private_address' })
  })

  test.each([
    ...'file:///etc/passwd gopher://127.0.0.1/ data:text/plain,x http://a:b@merchant.dev/'.split(' '),
    ...'http://['.split(' '),
  ])('a redirect to %s', async location => {
    await using server = await openHostile(redirectTo(location))
    expect(await strict()(server.url)).toMatchObject({ ok: false, reason: 'redirect' })
  })

  test.each([
    ['file:///etc/passwd', 'scheme'],
    ['ftp://merchant.dev/', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['', 'not_a_url'],
    ['merchant.dev', 'not_a_url'],
    ['http://', 'not_a_url'],
    ['http://a@merchant.dev/', 'not_a_url'],
  ])('an address like %p', async (url, reason) => {
    expect(await open(url)).toMatchObject({ ok: false, reason })
  })
})

describe('a slow server is abandoned', () => {
  test('while its name is looked up', async () => {
    const waiting = createSafeFetch({ allowPrivate: true, limits: { connectMs: 60 }, lookup: never })
    expect(await waiting('http://merchant.dev/')).toMatchObject({ reason: 'connect_timeout' })
  })

  test('when it accepts the connection but not TLS', async () => {
    await using server = await openHostileOnConnect(() => {})
    const url = server.url.replace('http:', 'https:')
    expect(await impatient({ connectMs: 60 })(url)).toMatchObject({ reason: 'connect_timeout' })
    await server.abandoned
  })

  test('when it accepts the request and sends nothing', async () => {
    await using server = await openHostile(() => {})
    const response = await impatient({ firstByteMs: 60 })(server.url)
    expect(response).toMatchObject({ ok: false, reason: 'first_byte_timeout' })
    expect(sentenceOf(response)).toBe('127.0.0.1 did not answer within 0.06 s.')
    await server.abandoned
  })

  test('when it drips its headers', async () => {
    await using server = await openHostile(socket => {
      socket.write('HTTP/1.1 200 OK\r\n')
      drip(socket, n => `X-${n}: y\r\n`)
    })
    expect(await impatient({ firstByteMs: 80 })(server.url)).toMatchObject({ reason: 'first_byte_timeout' })
    await server.abandoned
  })

  test('when it repeats informational responses', async () => {
    await using server = await openHostile(socket => drip(socket, () => 'HTTP/1.1 103 Early Hints\r\n\r\n'))
    expect(await impatient({ firstByteMs: 80 })(server.url)).toMatchObject({ reason: 'first_byte_timeout' })
    await server.abandoned
  })

  test('when it drips its body', async () => {
    await using server = await openHostile(socket => {
      socket.write('HTTP/1.1 402 Pay\r\nContent-Length: 10000\r\n\r\n')
      drip(socket, () => 'x')
    })
    expect(await impatient({ totalMs: 100 })(server.url)).toMatchObject({ reason: 'total_timeout' })
    await server.abandoned
  })

  test('when every redirect takes a while', async () => {
    await using server = await openHostile(socket =>
      setTimeout(() => socket.end(answerOf('302 Found', { Location: '/' })), 60),
    )
    expect(await impatient({ totalMs: 100 })(server.url)).toMatchObject({ reason: 'total_timeout' })
  })
})

describe('a server that sends too much is abandoned', () => {
  test('an endless body', async () => {
    await using server = await openHostile(socket => {
      socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')
      pour(socket, 'x'.repeat(64 * 1024))
    })
    expect(await open(server.url)).toMatchObject({ ok: false, reason: 'body_too_large', status: 200 })
    await server.abandoned
  })

  test('an endless body in chunks', async () => {
    await using server = await openHostile(socket => {
      socket.write('HTTP/1.1 402 Pay\r\nPAYMENT-REQUIRED: e30=\r\nTransfer-Encoding: chunked\r\n\r\n')
      pour(socket, `4000\r\n${'x'.repeat(0x4000)}\r\n`)
    })
    const response = await open(server.url)
    expect(response).toMatchObject({ ok: false, reason: 'body_too_large', status: 402 })
    expect(response.headers?.get('payment-required')).toBe('e30=')
    await server.abandoned
  })

  test('a body declared too long, before it is sent', async () => {
    await using server = await openHostile(socket =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${256 * 1024 + 1}\r\n\r\n`),
    )
    expect(await open(server.url)).toMatchObject({ reason: 'body_too_large' })
    await server.abandoned
  })

  test('the endless body of a redirect, which is not read', async () => {
    await using target = await openHostile(socket => socket.end(answerOf('200 OK', {})))
    await using server = await openHostile(socket => {
      socket.write(`HTTP/1.1 302 Found\r\nLocation: ${target.url}\r\n\r\n`)
      pour(socket, 'x'.repeat(64 * 1024))
    })
    expect(await open(server.url)).toMatchObject({ ok: true, status: 200 })
    await server.abandoned
  })

  test.each([
    ['gzip', gzipSync(Buffer.alloc(64 * 1024 * 1024))],
    ['br', brotliCompressSync(Buffer.alloc(4 * 1024 * 1024))],
    ['zstd', zstdCompressSync(Buffer.alloc(64 * 1024 * 1024))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(64 * 1024 * 1024)))],
  ])('a bomb of %s', async (coding, bomb) => {
    await using server = await openHostile(socket => {
      socket.write(answerOf('200 OK', { 'Content-Encoding': coding, 'Content-Length': String(bomb.length) }))
      socket.end(bomb)
    })
    expect(bomb.length).toBeLessThan(256 * 1024)
    expect(await open(server.url)).toMatchObject({ ok: false, reason: 'body_too_large', status: 200 })
  })

  test.each([
    ['one huge header', `X-Big: ${'a'.repeat(140 * 1024)}\r\n`],
    ['many headers', Array.from({ length: 20_000 }, (_, n) => `X-${n}: abc\r\n`).join('')],
    ['a huge reason', ''],
  ])('%s', async (_, headers) => {
    await using server = await openHostile(socket =>
      socket.end(
        `HTTP/1.1 200 ${headers ? 'OK' : 'O'.repeat(300 * 1024)}\r\n${headers}Content-Length: 0\r\n\r\n`,
      ),
    )
    expect(await open(server.url)).toMatchObject({ ok: false, reason: 'headers_too_large' })
  })

  test('endless headers', async () => {
    await using server = await openHostile(socket => {
      socket.write('HTTP/1.1 200 OK\r\n')
      pour(socket, `X-Flood: ${'a'.repeat(8000)}\r\n`)
    })
    expect(await open(server.url)).toMatchObject({ ok: false, reason: 'headers_too_large' })
    await server.abandoned
  })

  test.each([
    ['endless trailers', '0\r\n', `X-Flood: ${'a'.repeat(8000)}\r\n`],
    ['endless chunk extensions', '1;', 'a'.repeat(8000)],
  ])('%s', async (_, start, rest) => {
    await using server = await openHostile(socket => {
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${start}`)
      pour(socket, rest)
    })
    expect(await open(server.url)).toMatchObject({ ok: false, status: 200 })
    await server.abandoned
  })
})

describe('a server with invalid responses is reported as such', () => {
  test.each([
    ['no HTTP at all', 'SSH-2.0-OpenSSH_9.9\r\n', 'protocol'],
    ['a broken status', 'HTTP/1.1 abc OK\r\n\r\n', 'protocol'],
    ['a broken chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 'protocol'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 'protocol'],
    ['less than it promised', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort', 'closed'],
    ['half a header', 'HTTP/1.1 200 OK\r\nX-Ha', 'closed'],
    ['nothing', '', 'closed'],
    ['another protocol', 'HTTP/1.1 101 S\r\nUpgrade: ws\r\nConnection: Upgrade\r\n\r\n', 'protocol'],
    ['an unknown coding', answerOf('200 OK', { 'Content-Encoding': 'rot13' }, 'x'), 'content_coding'],
    ['a broken coding', answerOf('200 OK', { 'Content-Encoding': 'gzip' }, 'not gzip'), 'content_coding'],
    ['too many codings', answerOf('200 OK', { 'Content-Encoding': 'gzip,gzip,gzip' }, 'x'), 'content_coding'],
  ])('%s', async (_, bytes, reason) => {
    await using server = await openHostile(socket => socket.end(bytes))
    const response = await open(server.url)
    expect(response).toMatchObject({ ok: false, reason })
    expect(sentenceOf(response)).toMatch(/^[A-Z0-9].*\.$/)
  })

  test.each([
    ['plain HTTP', answerOf('400 Bad', {})],
    ['noise', 'ʬʬʬ'.repeat(500)],
    ['a broken TLS record', '\x16\x03\x01\x00\x05hello'],
  ])('%s where TLS should be', async (_, bytes) => {
    await using server = await openHostileOnConnect(socket => socket.end(bytes))
    const response = await open(server.url.replace('http:', 'https:'))
    expect(response).toMatchObject({ ok: false, reason: 'tls' })
  })

  test('an untrusted certificate', async () => {
    await using server = await openHostileTls(socket => socket.end(answerOf('200 OK', {})))
    const response = await open(server.url)
    expect(response).toMatchObject({ reason: 'tls' })
    expect(sentenceOf(response)).toBe('No secure connection to 127.0.0.1: its certificate is self-signed.')
    expect(server.requests.join('')).toBe('')
  })

  test('a closed port', async () => {
    const server = await openHostile(() => {})
    await server[Symbol.asyncDispose]()
    expect(await open(server.url)).toMatchObject({ reason: 'connect' })
  })

  test('a name that has no address, and a resolver that is unavailable', async () => {
    const failing = (code: string) =>
      createSafeFetch({
        allowPrivate: true,
        lookup: () => Promise.reject(Object.assign(new Error(), { code })),
      })
    expect(await failing('ENOTFOUND')('http://merchant.dev/')).toMatchObject({ reason: 'dns' })
    expect(await failing('EAI_AGAIN')('http://merchant.dev/')).toMatchObject({ reason: 'dns_temporary' })
    const empty = createSafeFetch({ allowPrivate: true, lookup: async () => [] })
    expect(await empty('http://merchant.dev/')).toMatchObject({ reason: 'dns' })
    expect(await open('http://nobody.invalid/')).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^dns/),
    })
  })

  test('any bytes', async () => {
    let bytes = new Uint8Array()
    await using server = await openHostile(socket => socket.end(bytes))
    const ask = impatient({ totalMs: 2_000 })
    const start = fc.constantFrom(
      '',
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.1 402 Pay\r\nTransfer-Encoding: chunked\r\n\r\n',
    )
    await fc.assert(
      fc.asyncProperty(start, fc.uint8Array({ maxLength: 200 }), async (line, noise) => {
        bytes = Buffer.concat([Buffer.from(line), noise])
        const response = await ask(server.url)
        return response.ok || tellInEnglish(response.message).endsWith('.')
      }),
      { numRuns: 60 },
    )
  })
})
