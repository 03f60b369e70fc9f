// A provider changes what is theirs: by the key that registered it, or by the wallet that it pays.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generateKeyPairSync, sign } from 'node:crypto'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { parseSiweMessage } from 'viem/siwe'
import { ask, body, createSetClock, KEY, openTestServer, type TestServer } from '../directory-server.ts'

const PUBLIC_URL = 'https://directory.example:8443/x402'
const clock = createSetClock('2026-11-10T08:00:00.000Z')

let server: TestServer
beforeAll(async () => {
  server = await openTestServer({ PUBLIC_URL, RATE_LIMIT: '0' }, { clock })
})
afterAll(() => server[Symbol.asyncDispose]())

const send = (method: string, path: string, { key = KEY, json, headers = {} }: Sent = {}) =>
  ask(server.url + path, {
    method,
    headers: {
      'accept-encoding': 'identity',
      ...(key !== '' && { authorization: `Bearer ${key}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })
type Sent = { key?: string; json?: unknown; headers?: Record<string, string> }

const register = async (parts: object = {}, key = KEY) =>
  (await (await server.register(body(parts), { authorization: `Bearer ${key}` })).json()) as {
    id: string
    [field: string]: unknown
  }
const eventsOf = async (id: string) =>
  (await server.json(`/api/services/${id}/history?limit=100`)).items.filter(
    (item: { kind: string }) => item.kind === 'event',
  )
describe('PATCH', () => {
  test('names the field that was meant by one that does not exist, and accepts a whole service', async () => {
    const service = await register()
    const path = `/api/services/${service.id}`
    const misnamed = await send('PATCH', path, { json: { price: '0.002', mood: 1 } })
    expect(misnamed.headers.get('x-ignored-fields')).toBe('price, mood')
    expect((await send('PATCH', path, { json: service })).status).toBe(200)
  })

  test('changes the named fields, keeps the rest, and returns the ETag of the detail', async () => {
    const service = await register({ pricing: { currency: 'USDC', pricePerRequest: '0.1', freeQuota: 7 } })
    clock.set('2026-11-10T09:00:00.000Z')
    const answer = await send('PATCH', `/api/services/${service.id}`, {
      json: { name: 'New name', pricing: { freeQuota: null }, trustScore: 100, extra: 1 },
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-ignored-fields')).toBe('trustScore, extra')
    const changed = await answer.json()
    expect(changed).toEqual({
      ...service,
      name: 'New name',
      pricing: { currency: 'USDC', pricePerRequest: '0.1', freeQuota: 0 },
      updatedAt: '2026-11-10T09:00:00.000Z',
    })
    const detail = await server.get(`/api/services/${service.id}`)
    expect(detail.headers.get('etag')).toBe(answer.headers.get('etag'))
    expect(await detail.json()).toEqual(changed)
    const [event] = await eventsOf(service.id)
    expect(event).toEqual({
      kind: 'event',
      at: '2026-11-10T09:00:00.000Z',
      type: 'updated',
      reason: 'Its owner changed the listing.',
      code: 'edited',
      values: { by: 'owner', what: 'listing' },
      before: { name: service.name, pricing: { freeQuota: 7 } },
      after: { name: 'New name', pricing: { freeQuota: 0 } },
    })
  })

  test('creates events for another price and another address, with before and after', async () => {
    const service = await register()
    const wallet = `0x${'9'.repeat(40)}`
    await send('PATCH', `/api/services/${service.id}`, {
      json: { pricing: { pricePerRequest: '0.5' }, x402Config: { paymentAddress: wallet } },
    })
    const events = await eventsOf(service.id)
    expect(events.map(({ type, before, after }: never) => ({ type, before, after })).slice(0, 2)).toEqual([
      {
        type: 'price',
        before: { amount: '0.0025', currency: 'USDC' },
        after: { amount: '0.5', currency: 'USDC' },
      },
      { type: 'pay_to', before: [`0x${'1'.repeat(40)}`], after: [wallet] },
    ])
  })

  test('without changes writes nothing', async () => {
    const service = await register()
    const { seq } = await server.json('/readyz')
    const answer = await send('PATCH', `/api/services/${service.id}`, { json: { name: service.name } })
    expect(await answer.json()).toEqual(service)
    expect((await server.json('/readyz')).seq).toBe(seq)
  })

  test.each([
    ['PATCH', 'svc_00000000000000000000000000', { json: {} }, 404],
    ['PATCH', 'x', { json: {} }, 404],
    ['PATCH', 'x', { json: [] }, 400],
    ['PATCH', 'x', { json: {}, headers: { 'content-type': 'text/plain' } }, 415],
    ['PATCH', 'x?a=1', { json: {} }, 400],
    ['DELETE', 'svc_00000000000000000000000000', {}, 404],
    ['DELETE', 'x?a=1', {}, 400],
  ])('%s %s %j is %d', async (method, id, sent, status) => {
    expect((await send(method, `/api/services/${id}`, sent as Sent)).status).toBe(status)
  })
})

describe('A probe at once', () => {
  test('is not promised for a reserved host that is restored', async () => {
    const noticeOf = async (endpoint: string) => {
      const { id } = await register({ endpoint })
      await send('POST', `/api/services/${id}/retire`, { json: { message: 'Closed' } })
      const restored = await send('POST', `/api/services/${id}/restore`)
      return [restored.status, restored.headers.get('x-notice')]
    }
    expect(await noticeOf('https://api.example.com/v1')).toEqual([
      200,
      'It is not probed: its host is reserved for examples and tests, and such hosts never are.',
    ])
    expect(await noticeOf('https://gone.dev/v1')).toEqual([200, null])
  })

  test('is possible ten times a minute, for all keys of an owner together', async () => {
    const { id } = await register()
    const statuses = []
    for (let i = 0; i < 11; i++) statuses.push((await send('POST', `/api/services/${id}/probe`)).status)
    expect(statuses).toEqual([...Array(10).fill(200), 429])
  })
})

type Signer = {
  readonly network: string
  readonly address: string
  readonly account: string
  sign(message: string): Promise<string>
}

function newEvmWallet(network = 'base'): Signer {
  const wallet = privateKeyToAccount(generatePrivateKey())
  return {
    network,
    address: wallet.address,
    account: `eip155:${wallet.address.toLowerCase()}`,
    sign: message => wallet.signMessage({ message }),
  }
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
function toBase58(bytes: Uint8Array): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = BASE58[Number(number % 58n)] + text
  for (const byte of bytes) {
    if (byte !== 0) break
    text = `1${text}`
  }
  return text
}

function newSolanaWallet(encode: (signature: Uint8Array) => string = toBase58): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  const address = toBase58(raw)
  return {
    network: 'solana',
    address,
    account: `solana:${address}`,
    sign: async message => encode(sign(null, Buffer.from(message), privateKey)),
  }
}

const challenge = async ({ address, network }: Pick<Signer, 'address' | 'network'>) =>
  (await send('POST', '/api/auth/challenge', { key: '', json: { address, network } })).json()

const signIn = async (wallet: Signer): Promise<string> => (await newKey(wallet)).key

async function newKey(wallet: Signer): Promise<{ key: string; id: string }> {
  const { message } = await challenge(wallet)
  const json = { message, signature: await wallet.sign(message) }
  const answer = await send('POST', '/api/auth/keys', { key: '', json })
  const created = await answer.json()
  expect([answer.status, created]).toEqual([
    201,
    expect.objectContaining({ wallet: wallet.account, scopes: ['register'], revokedAt: null }),
  ])
  return created
}

describe.each([
  ['an EVM wallet', () => newEvmWallet()],
  ['an EVM wallet on a network that is not in the table', () => newEvmWallet('eip155:424242')],
  ['a Solana wallet', () => newSolanaWallet()],
  ['a Solana wallet that signs in hex', () => newSolanaWallet(bytes => Buffer.from(bytes).toString('hex'))],
])('%s', (_, newWallet) => {
  test('corrects the price of its service with only its signature, claims it and retires it', async () => {
    const wallet = newWallet()
    const { network, address: paymentAddress } = wallet
    // Somebody else listed it, on whatever chain of the family.
    const service = await register({ x402Config: { paymentAddress, network } })
    const key = await signIn(wallet)
    const path = `/api/services/${service.id}`
    const edited = await send('PATCH', path, { key, json: { pricing: { pricePerRequest: '0.0042' } } })
    expect((await edited.json()).pricing.pricePerRequest).toBe('0.0042')
    expect((await send('PATCH', path, { json: { name: 'Still mine' } })).status).toBe(200)
    expect((await send('POST', `${path}/claim`)).status).toBe(403)
    expect((await send('POST', `${path}/claim`, { key })).status).toBe(200)
    expect((await send('PATCH', path, { json: { name: 'No longer' } })).status).toBe(403)
    const message = 'We have moved.'
    const retired = await send('POST', `${path}/retire`, { key, json: { message } })
    expect((await retired.json()).status).toBe('inactive')
    expect((await send('DELETE', path, { key: await signIn(wallet) })).status).toBe(204)
  })

  test('gets a key for as many hours as it asks for, and ends it at once', async () => {
    const wallet = newWallet()
    const { message } = await challenge(wallet)
    const json = { message, signature: await wallet.sign(message), hours: 2 }
    const wrong = await send('POST', '/api/auth/keys', { key: '', json: { ...json, hours: 2_161 } })
    expect((await wrong.json()).errors).toEqual([
      expect.objectContaining({ path: 'hours', message: 'must be a whole number from 1 to 2160' }),
    ])
    const created = await (await send('POST', '/api/auth/keys', { key: '', json })).json()
    expect(Date.parse(created.expiresAt) - Date.parse(created.createdAt)).toBe(2 * 3_600_000)
    const { key } = created
    expect((await send('DELETE', '/api/auth/keys/self', { key })).status).toBe(204)
    expect((await send('GET', '/api/auth/keys', { key })).status).toBe(401)
    expect((await send('DELETE', '/api/auth/keys/self')).status).toBe(403)
  })

  test('is rejected with another message, signature or wallet, or a second time', async () => {
    const wallet = newWallet()
    const attempt = async (change: (message: string) => Promise<{ message: string; signature: string }>) => {
      const { message } = await challenge(wallet)
      return (await send('POST', '/api/auth/keys', { key: '', json: await change(message) })).status
    }
    const signed = async (message: string) => ({ message, signature: await wallet.sign(message) })
    expect(await attempt(message => signed(message.replace('example', 'examp1e')))).toBe(401)
    expect(await attempt(message => signed(message.replace(/Nonce: \w+/, 'Nonce: 12345678')))).toBe(401)
    expect(await attempt(async message => ({ message, signature: await wallet.sign(`${message} `) }))).toBe(
      401,
    )
    expect(await attempt(async message => ({ message, signature: await newWallet().sign(message) }))).toBe(
      401,
    )
    for (const signature of ['x', '0x', `0x${'0'.repeat(130)}`, '1'.repeat(64), 'f'.repeat(128)])
      expect(await attempt(async message => ({ message, signature }))).toBe(401)
    const { message } = await challenge(wallet)
    const wrong = { message, signature: await newWallet().sign(message) }
    expect((await send('POST', '/api/auth/keys', { key: '', json: wrong })).status).toBe(401)
    // A wrong signature leaves the message to the right one, which counts once.
    const good = await signed(message)
    const both = await Promise.all([1, 2].map(() => send('POST', '/api/auth/keys', { key: '', json: good })))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 401])
  })

  test('is valid for five minutes', async () => {
    const wallet = newWallet()
    clock.set('2026-11-11T10:00:00.000Z')
    const [early, late] = [await challenge(wallet), await challenge(wallet)]
    expect(early.expiresAt).toBe('2026-11-11T10:05:00.000Z')
    const finish = async ({ message }: { message: string }) =>
      (
        await send('POST', '/api/auth/keys', {
          key: '',
          json: { message, signature: await wallet.sign(message) },
        })
      ).status
    clock.set('2026-11-11T10:04:59.999Z')
    expect(await finish(early)).toBe(201)
    clock.set('2026-11-11T10:05:00.000Z')
    expect(await finish(late)).toBe(401)
  })

  test('lists and revokes its own keys and no others', async () => {
    const wallet = newWallet()
    const [{ key: first, id }, { key: second }] = [await newKey(wallet), await newKey(wallet)]
    const listed = await (await send('GET', '/api/auth/keys', { key: first })).json()
    expect(listed.map((record: { wallet: string }) => record.wallet)).toEqual([
      wallet.account,
      wallet.account,
    ])
    expect(JSON.stringify(listed)).not.toContain('hash')
    const stranger = await signIn(newWallet())
    expect((await send('DELETE', `/api/auth/keys/${id}`, { key: stranger })).status).toBe(404)
    expect((await send('DELETE', `/api/auth/keys/${id}`, { key: second })).status).toBe(204)
    expect((await send('DELETE', `/api/auth/keys/${id}`, { key: second })).status).toBe(404)
    expect((await send('GET', '/api/auth/keys', { key: first })).status).toBe(401)
    expect(await (await send('GET', '/api/auth/keys', { key: KEY })).json()).toEqual([])
  })
})

describe('The message to sign', () => {
  test('is one of EIP-4361 that names this directory, as every wallet reads it', async () => {
    const wallet = newEvmWallet()
    clock.set('2026-11-12T10:00:00.000Z')
    const { message, nonce } = await challenge({ ...wallet, address: wallet.address.toLowerCase() })
    expect(parseSiweMessage(message)).toEqual({
      domain: 'directory.example:8443',
      address: wallet.address as `0x${string}`,
      statement: expect.any(String),
      uri: PUBLIC_URL,
      version: '1',
      chainId: 8453,
      nonce,
      issuedAt: new Date('2026-11-12T10:00:00.000Z'),
      expirationTime: new Date('2026-11-12T10:05:00.000Z'),
    })
  })

  test.each([
    [{ address: '0x12', network: 'base' }, ['address']],
    [{ address: 'x', network: 'stellar' }, ['address', 'network']],
    [{ network: 'base' }, ['address']],
    [{}, ['address', 'network']],
  ])('is not made for %j', async (json, paths) => {
    const answer = await send('POST', '/api/auth/challenge', { key: '', json })
    expect(answer.status).toBe(400)
    const { errors } = await answer.json()
    expect(errors.map(({ path }: { path: string }) => path).sort()).toEqual(paths)
  })

  test('is not created by a directory without a public URL', async () => {
    await using other = await openTestServer()
    const json = JSON.stringify({ address: newEvmWallet().address, network: 'base' })
    const headers = { 'content-type': 'application/json' }
    const answer = await ask(`${other.url}/api/auth/challenge`, { method: 'POST', headers, body: json })
    expect(answer.status).toBe(403)
    expect((await answer.json()).detail).toContain('PUBLIC_URL')
  })
})
