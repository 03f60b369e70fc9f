// What no HTTP client would send, written to the socket byte by byte.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { body, KEY, openTestServer, type TestServer } from '../http/directory-server.ts'
import { type RawAnswer, RawConnection, sendRaw } from './raw-connection.ts'

let server: TestServer
let log = ''
beforeAll(async () => {
  server = await openTestServer({ TRUST_PROXY: '1', LOG_LEVEL: 'warn' }, { log: lines => (log += lines) })
})
afterAll(() => server[Symbol.asyncDispose]())

const draft = JSON.stringify(body())
const HOST = 'Host: directory.example\r\n'
const AUTHORIZED = `${HOST}Authorization: Bearer ${KEY}\r\n`
const post = (headers: string, content: string | Uint8Array = draft) =>
  Buffer.concat([
    Buffer.from(`POST /api/services HTTP/1.1\r\n${AUTHORIZED}${headers}\r\n`, 'latin1'),
    Buffer.from(content as Uint8Array),
  ])
const sized = (content: string | Uint8Array, headers = '') =>
  post(`${headers}Content-Length: ${Buffer.byteLength(content as string)}\r\n`, content)
const chunked = (...pieces: (string | Uint8Array)[]) =>
  post(
    'Transfer-Encoding: chunked\r\n',
    Buffer.concat([
      ...pieces.flatMap(piece => [
        Buffer.from(`${Buffer.byteLength(piece as string).toString(16)}\r\n`),
        Buffer.from(piece as Uint8Array),
        Buffer.from('\r\n'),
      ]),
      Buffer.from('0\r\n\r\n'),
    ]),
  )
const json = ({ body: bytes }: RawAnswer) => JSON.parse(new TextDecoder().decode(bytes))
const services = async (): Promise<number> =>
  Number((await server.get('/api/services?limit=1')).headers.get('x-total-count'))

async function refusal(bytes: string | Uint8Array) {
  const before = await services()
  const answer = await sendRaw(server.url, bytes)
  expect(await services()).toBe(before)
  return answer && { status: answer.status, problem: answer.body.length > 0 ? json(answer) : undefined }
}

describe('a body', () => {
  test('without a declared length is assembled from its chunks', async () => {
    const answer = await sendRaw(server.url, chunked(draft.slice(0, 7), draft.slice(7, 8), draft.slice(8)))
    expect([answer!.status, json(answer!).name]).toEqual([201, 'Tokyo Weather'])
  })

  test('that is split inside a character is read correctly', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify(body({ name: '標識' })))
    const at = bytes.indexOf(('標'.charCodeAt(0) >> 12) | 0xe0)
    const answer = await sendRaw(server.url, chunked(bytes.slice(0, at + 1), bytes.slice(at + 1)))
    expect([answer!.status, json(answer!).name]).toEqual([201, '標識'])
  })

  test('that comes byte by byte is waited for', async () => {
    using connection = new RawConnection(server.url)
    const bytes = sized(draft)
    for (const byte of bytes) {
      connection.write(Uint8Array.of(byte))
      await new Promise(resolve => setImmediate(resolve))
    }
    expect((await connection.answer('POST'))!.status).toBe(201)
  })

  test('is requested with 100 Continue if the caller expects it', async () => {
    using connection = new RawConnection(server.url)
    const bytes = sized(draft, 'Expect: 100-continue\r\n')
    connection.write(bytes.subarray(0, bytes.length - draft.length))
    connection.write(draft)
    expect((await connection.answer('POST'))!.status).toBe(201)
  })

  test('that is aborted registers nothing, and is not a server error', async () => {
    const before = await services()
    for (const bytes of [sized(draft), chunked(draft)]) {
      using connection = new RawConnection(server.url)
      connection.write(bytes.subarray(0, bytes.length - 20))
      connection.end()
      expect(await connection.answer('POST')).toBeUndefined()
    }
    expect(await services()).toBe(before)
    expect(log).toBe('')
  })

  test.each([
    ['bytes that are no UTF-8', Buffer.from(draft.replace('Tokyo', 'T\xf6kyo'), 'latin1')],
    ['half a character at its end', Buffer.concat([Buffer.from(draft), Buffer.from([0xe6, 0xa8])])],
    ['an overlong NUL', Buffer.from(draft.replace('Tokyo', '\xc0\x80'), 'latin1')],
    ['a surrogate in UTF-8', Buffer.from(draft.replace('Tokyo', '\xed\xa0\x80'), 'latin1')],
    ['UTF-16', Buffer.from(`\ufeff${draft}`, 'utf16le')],
    ['a raw NUL in a text', Buffer.from(draft.replace('Tokyo', '\0'))],
    ['JSON and more', Buffer.from(`${draft} {}`)],
    ...['', '{"name":', '[]', '"x"', 'null', '1', 'true'].map(
      text => [text || 'nothing', Buffer.from(text)] as const,
    ),
    ['33 levels', Buffer.from(`{"a":${'['.repeat(32)}${']'.repeat(32)}}`)],
    ['60,000 levels that never end', Buffer.from('['.repeat(60_000))],
  ])('of %s is refused as a whole', async (_, bytes) => {
    for (const sent of [sized(bytes), chunked(bytes)]) {
      const answer = await refusal(sent)
      expect(answer?.status).toBe(400)
      expect(answer?.problem.errors).toMatchObject([{ path: 'body', message: expect.any(String) }])
    }
  })

  test('that begins with a byte order mark is read as JSON', async () => {
    expect((await sendRaw(server.url, sized(`\ufeff${draft}`)))!.status).toBe(201)
  })

  test('with a duplicate field uses the last value', async () => {
    const answer = await sendRaw(server.url, sized(draft.replace('{', '{"name":"First",')))
    expect(json(answer!).name).toBe('Tokyo Weather')
  })

  test.each(['gzip', 'GZIP', 'br', 'deflate, gzip', 'zstd'])(
    'that is compressed by %p is refused as such',
    async coding => {
      const answer = await refusal(sized(Bun.gzipSync(Buffer.from(draft)), `Content-Encoding: ${coding}\r\n`))
      expect([answer?.status, answer?.problem.code]).toEqual([415, 'unsupported_media_type'])
    },
  )

  test.each(['identity', 'utf-8', ''])('is read where its coding is said to be %p', async coding => {
    expect((await sendRaw(server.url, sized(draft, `Content-Encoding: ${coding}\r\n`)))!.status).toBe(201)
  })

  test.each([65_537, 1_000_000, 1e12])(
    'declared with %p bytes is rejected before it is sent',
    async length => {
      const answer = await refusal(post(`Content-Length: ${length}\r\n`, ''))
      expect([answer?.status, answer?.problem.code]).toEqual([413, 'body_too_large'])
    },
  )

  test('without end is rejected once it is too long, without using more memory', async () => {
    using connection = new RawConnection(server.url)
    connection.write(post('Transfer-Encoding: chunked\r\n', ''))
    const mebibyte = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(2 ** 20, 'a'),
      Buffer.from('\r\n'),
    ])
    connection.write(mebibyte)
    expect((await connection.answer('POST'))!.status).toBe(413)
    const before = process.memoryUsage.rss()
    for (let i = 0; i < 64; i++) {
      connection.write(mebibyte)
      await new Promise(resolve => setImmediate(resolve))
    }
    connection.write('0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    expect((await connection.answer())!.status).toBe(200)
    // The test sends from the same process: the bytes are counted once here, and not again over there.
    expect(process.memoryUsage.rss() - before).toBeLessThan(96 * 2 ** 20)
  })
})

describe('a request with two framings', () => {
  const length = draft.length
  const chunks = `${length.toString(16)}\r\n${draft}\r\n0\r\n\r\n`
  test.each([
    ['two lengths that differ', `Content-Length: ${length}\r\nContent-Length: 3\r\n`, draft],
    ['a list of lengths', `Content-Length: ${length}, ${length}\r\n`, draft],
    ['a signed length', `Content-Length: +${length}\r\n`, draft],
    ['a negative length', 'Content-Length: -1\r\n', draft],
    ['a hexadecimal length', 'Content-Length: 0x10\r\n', draft],
    ['a length beyond counting', 'Content-Length: 99999999999999999999\r\n', draft],
    ['a blank before the colon', `Content-Length : ${length}\r\n`, draft],
    ['a length and chunks', `Content-Length: ${length}\r\nTransfer-Encoding: chunked\r\n`, chunks],
    ['chunks under another name', 'Transfer-Encoding: xchunked\r\n', chunks],
    ['chunks twice over', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', chunks],
    ['a chunk of no size', 'Transfer-Encoding: chunked\r\n', `zz\r\n${draft}\r\n0\r\n\r\n`],
    [
      'a chunk of endless size',
      'Transfer-Encoding: chunked\r\n',
      `ffffffffffffffffff\r\n${draft}\r\n0\r\n\r\n`,
    ],
    ['a folded header', 'X-Folded: a\r\n b\r\nContent-Length: 2\r\n', '{}'],
    ['a NUL in a header', 'X-Nul: a\0b\r\nContent-Length: 2\r\n', '{}'],
  ])('by %s is refused, and the connection ends there', async (_, headers, content) => {
    const before = await services()
    using connection = new RawConnection(server.url)
    connection.write(post(headers, content))
    connection.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    expect((await connection.answer('POST'))?.status).toBe(400)
    await connection.closed()
    expect(await connection.answer()).toBeUndefined()
    expect(await services()).toBe(before)
  })

  test('cannot smuggle a second request in a body that is rejected unread', async () => {
    using connection = new RawConnection(server.url)
    const hidden = sized(draft)
    connection.write(`POST /api/services HTTP/1.1\r\n${HOST}Content-Length: ${hidden.length}\r\n\r\n`)
    connection.write(hidden)
    connection.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    const before = await services()
    expect((await connection.answer('POST'))!.status).toBe(401)
    expect(json((await connection.answer())!)).toEqual({ state: 'alive' })
    expect(await services()).toBe(before)
  })

  test.each(['GET', 'HEAD', 'OPTIONS', 'DELETE'])(
    'cannot hide one in the body of %s either',
    async method => {
      using connection = new RawConnection(server.url)
      const hidden = 'GET /nope HTTP/1.1\r\nHost: x\r\n\r\n'
      for (const framed of [
        `Content-Length: ${hidden.length}\r\n\r\n${hidden}`,
        `Transfer-Encoding: chunked\r\n\r\n${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
      ]) {
        connection.write(`${method} /api/services HTTP/1.1\r\n${HOST}${framed}`)
        connection.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
        expect((await connection.answer(method))!.status).toBeOneOf([200, 204, 405])
        expect(json((await connection.answer())!)).toEqual({ state: 'alive' })
      }
    },
  )
})

describe('a flood', () => {
  test('of requests on one connection is answered in order', async () => {
    using connection = new RawConnection(server.url)
    const ids = Array.from({ length: 120 }, (_, i) => `pipelined-${i}`)
    connection.write(
      ids
        .map(
          (id, i) =>
            `GET /${i % 2 === 0 ? 'api/services' : 'nope'} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n\r\n`,
        )
        .join(''),
    )
    for (const [i, id] of ids.entries()) {
      const answer = await connection.answer()
      expect([answer?.status, answer?.headers['x-request-id']]).toEqual([i % 2 === 0 ? 200 : 404, id])
    }
  })

  test.each([
    ['150 headers', Array.from({ length: 150 }, (_, i) => `X-Flood-${i}: 1\r\n`).join(''), [200]],
    ['1,000 headers', Array.from({ length: 1000 }, (_, i) => `X-Flood-${i}: 1\r\n`).join(''), [431]],
    ['a header of 15 KB', `X-Flood: ${'a'.repeat(15_000)}\r\n`, [200]],
    ['a header of 1 MB', `X-Flood: ${'a'.repeat(1_000_000)}\r\n`, [431]],
    ['one header 100 times', 'Accept-Encoding: gzip\r\n'.repeat(100), [200]],
    ['many tags', `If-None-Match: ${'"a", '.repeat(2_500)}"b"\r\n`, [200]],
    ['a quote that never ends', `If-None-Match: "${'a'.repeat(14_000)}\r\n`, [200]],
    ['many codings', `Accept-Encoding: ${'gzip;q=0.1,'.repeat(1_200)}\r\n`, [200]],
    ['many proxies', `X-Forwarded-For: ${'1.1.1.1, '.repeat(1_500)}\r\n`, [200]],
    ['a key of 15 KB', `Authorization: Bearer ${'a'.repeat(15_000)}\r\n`, [401]],
    ['a bearer of blanks', `Authorization: Bearer${' '.repeat(14_000)}x y\r\n`, [200]],
  ])('of %s is answered at once', async (_, headers, statuses) => {
    const answer = await sendRaw(server.url, `GET /api/services HTTP/1.1\r\n${HOST}${headers}\r\n`)
    expect(answer?.status).toBeOneOf(statuses)
  })

  test('of parameters is rejected with the names of the first', async () => {
    const query = Array.from({ length: 1_000 }, (_, i) => `p${i}=1`).join('&')
    const answer = await sendRaw(server.url, `GET /api/services?${query} HTTP/1.1\r\n${HOST}\r\n`)
    expect([answer?.status, json(answer!).errors.length]).toEqual([400, 20])
  })

  test.each(['toString', '__proto__', 'constructor', 'hasOwnProperty'])(
    'cannot reach behind the parameters by %p',
    async name => {
      for (const path of ['/api/services?', '/api/catalog/search?q=a&', '/api/services/search/intent?q=a&']) {
        for (const query of [name, `${name}=`, `${name}=1`]) {
          const answer = await sendRaw(server.url, `GET ${path}${query} HTTP/1.1\r\n${HOST}\r\n`)
          expect([path, answer?.status]).toEqual([path, 400])
          expect(json(answer!).errors).toMatchObject([
            { path: name, message: expect.stringContaining('not a parameter') },
          ])
        }
      }
    },
  )

  test('of pages beyond the end is cheap', async () => {
    await server.register(body())
    for (const words of [
      '',
      'query=weather&',
      'query=weather&sortOrder=asc&',
      'query=weather&sortBy=price&',
    ]) {
      for (const offset of ['536870893', '4294967295', '9007199254740991', '9'.repeat(30)]) {
        const answer = await server.get(`/api/services?${words}offset=${offset}`)
        expect([words, offset, answer.status, await answer.text()]).toEqual([words, offset, 200, '[]'])
      }
    }
  })
})

describe('a request line', () => {
  test.each([
    ['a version to come', 'GET / HTTP/2.0'],
    ['a raw control character', 'GET /api/services?query=\x01 HTTP/1.1'],
    ['a raw blank', 'GET /api/services?query=a b HTTP/1.1'],
    ['no path', 'GET  HTTP/1.1'],
    ['a path without a slash', 'GET api/services HTTP/1.1'],
    ['a method that nobody knows', 'BREW /api/services HTTP/1.1'],
    ['another protocol', '\x16\x03\x01\x00\x05\x01'],
  ])('with %s does no harm', async (_, line) => {
    const answer = await sendRaw(server.url, `${line}\r\n${HOST}\r\n`)
    expect(answer === undefined || (answer.status >= 400 && answer.status !== 500)).toBe(true)
    expect((await server.get('/healthz')).status).toBe(200)
  })

  test.each([
    ['/api/../api/services', 404],
    ['/../../etc/passwd', 404],
    ['//api/services', 404],
    ['/api/services/%2e%2e%2f%2e%2e', 404],
    ['/api/services/%00', 404],
    ['/api/services/%ff%fe/status', 404],
    ['/api/services/\xff\xfe', 404],
    ['/api/services/svc_%F0%9F%98%80%0D%0AX-Injected:%201', 404],
    ['/api/services?query=%ff', 400],
    ['/api/services?query=%', 400],
    ['http://elsewhere.example/api/services', 200],
  ])('that asks for %p is answered %p, and nothing of it gets into the headers', async (target, status) => {
    const answer = await sendRaw(server.url, Buffer.from(`GET ${target} HTTP/1.1\r\n${HOST}\r\n`, 'latin1'))
    expect(answer?.status).toBe(status)
    expect(JSON.stringify(answer!.headers)).not.toMatch(/injected|elsewhere/i)
  })

  test('may name any host, and no link leads there', async () => {
    for (const host of ['evil.example', '<>"%%%', '[::::]:99999', 'a, b', '']) {
      const answer = await sendRaw(server.url, `GET /api/services HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      if (answer?.status === 400) continue
      expect(answer?.status).toBe(200)
      expect(answer?.headers.link).toStartWith('</api/services?')
    }
  })
})

test('a response header never contains input of the caller', async () => {
  const fields = { 'a\r\nX-Injected: 1': 1, 'b\u0000': 1, 標: 1 }
  const answer = await sendRaw(
    server.url,
    sized(JSON.stringify(body({ ...fields, x402Config: { paymentAddress: '0x\u00e9', network: 'base' } }))),
  )
  expect(answer?.status).toBe(201)
  expect(answer?.headers['x-injected']).toBeUndefined()
  expect(answer?.headers['x-ignored-fields']).toMatch(/^[\x20-\x7e]+$/)
  expect(answer?.headers['x-notice']).toMatch(/^[\x20-\x7e]+$/)
})

test('none of these requests is logged as a server error', () => {
  expect(log).toBe('')
})
