// Services with a history, for bench/answers.ts: what their endpoints answer is written down here, what follows from it is found out.
import { createIdSource } from '../src/domain/ids.ts'
import { createEntry, type Entry } from '../src/domain/listing/service.ts'
import { judge } from '../src/domain/standing/judge.ts'
import { createProbe } from '../src/probe/probe.ts'
import { dnsFailure, type Failure, socketFailure } from '../src/probe/requests/addresses.ts'
import type { SafeFetch } from '../src/probe/requests/safe-fetch.ts'
import { toMeasurement } from '../src/probe/service-prober.ts'
import type { Store } from '../src/store/store.ts'
import type { Question } from './questions.ts'

export const KEY = 'a-key-of-the-recorder'
const PAYEE = `0x${'1'.repeat(40)}`
const STRANGER = `0x${'2'.repeat(40)}`
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const HOUR_MS = 3_600_000
const START = Date.parse('2026-10-20T00:00:00Z')

type Said = { status: number; headers?: Record<string, string>; body?: unknown } | Failure

const way = {
  scheme: 'exact',
  network: 'eip155:8453',
  payTo: PAYEE,
  asset: USDC,
  amount: '2500',
  maxTimeoutSeconds: 60,
}
const asks = (...accepts: unknown[]): Said => ({ status: 402, body: { x402Version: 1, accepts } })
const inHeader = (terms: unknown): Said => ({
  status: 402,
  headers: { 'payment-required': Buffer.from(JSON.stringify(terms)).toString('base64') },
})
const status = (status: number): Said => ({ status })
const socket = (code: string, reached: 'nothing' | 'tcp' | 'request' | 'headers'): Said =>
  socketFailure('pay.shop.dev', { code }, reached)
const many = (count: number) => Array.from({ length: count }, (_, i) => ({ ...way, payTo: `0x${i}` }))

/** The answers of one service each, an hour apart. */
const COURSES: readonly (readonly Said[])[] = [
  [asks(way), asks(way), asks({ ...way, amount: '9000' }), asks({ ...way, payTo: STRANGER }), asks(way)],
  [asks(way), status(503), socket('ECONNREFUSED', 'nothing'), status(503), asks(way), asks(way)],
  [socket('', 'nothing'), socket('CERT_HAS_EXPIRED', 'tcp'), socket('EPROTO', 'tcp'), asks(way), asks(way)],
  [socket('ECONNRESET', 'request'), socket('', 'headers'), socket('HPE_INVALID', 'request')],
  [dnsFailure('pay.shop.dev', { code: 'ENOTFOUND' }), dnsFailure('pay.shop.dev', { code: 'EAI_AGAIN' })],
  [asks(way, { ...way, payTo: STRANGER }), asks(...many(9)), asks({ ...way, network: 'solana' })],
  [asks({ ...way, scheme: 'upto' }), asks({ ...way, asset: STRANGER }), asks({ ...way, amount: 2500 })],
  [asks(), asks(5), asks({ ...way, payTo: undefined, amount: '0.01' }), asks(...many(3).map(() => ({})))],
  [status(404), status(200), status(429), status(401), status(410), status(402)],
  [
    { status: 402, headers: { 'payment-required': '{' } },
    { status: 200, body: { x402Version: 1, accepts: [way] } },
  ],
  [inHeader([]), inHeader({ x402Version: 2, accepts: [way] }), inHeader({ x402Version: 1, accepts: [way] })],
  [
    inHeader({ x402Version: 3, accepts: [] }),
    inHeader(way),
    { status: 402, headers: { 'www-authenticate': 'L402 x' } },
  ],
  [{ status: 402, body: { x402Version: '2', accepts: [{ ...way, network: 'base' }] } }, asks(...many(105))],
  [{ status: 402, body: { x402Version: 2, accepts: [], extensions: { 'sign-in-with-x': {} } } }],
]

export function createProbedEntries(): Entry[] {
  const newId = createIdSource(bytes => bytes.fill(9))
  return [...COURSES, [asks(way)]].map((_, i) => {
    const now = new Date(START + i)
    const paymentAddress = i === COURSES.length ? '0x12' : PAYEE
    const draft = {
      name: `Shop ${i}`,
      description: `What shop ${i} sells.`,
      endpoint: 'https://pay.shop.dev/v1',
      category: 'weather',
      pricing: { currency: 'USDC', pricePerRequest: '0.0025', freeQuota: 0 },
      x402Config: { paymentAddress, network: 'base' },
    }
    return createEntry(draft, { id: newId(now), now })
  })
}

const saying =
  (said: Said): SafeFetch =>
  async url => {
    const place = { url, latencyMs: 120 }
    if ('reason' in said) return { ok: false, ...place, ...said }
    const isDocument = /x402(\.json)?$|openapi\.json$/.test(url)
    return {
      ok: true,
      ...place,
      status: isDocument ? 404 : said.status,
      headers: new Map(Object.entries(said.headers ?? {})),
      body: new TextEncoder().encode(said.body === undefined ? '' : JSON.stringify(said.body)),
      address: '203.0.113.7',
    }
  }

export async function probeAll(store: Store, entries: readonly Entry[]): Promise<void> {
  for (const [i, entry] of entries.entries())
    for (const [hour, said] of (COURSES[i] ?? [asks(way)]).entries()) {
      const probe = createProbe({ fetch: saying(said), userAgent: 'recorder', random: () => 1 })
      const { endpoint, pricing, x402Config } = entry
      const outcome = await probe({ endpoint, pricing, ...x402Config })
      const measured = toMeasurement(entry, outcome, new Date(START + (hour + 1) * HOUR_MS))
      await store.probes.record(entry.id, current => ({
        probe: measured.probe,
        judge: history => ({ ...judge(current, measured, history), dueAt: null }),
      }))
    }
}

/** Changes first, so that the histories tell them. */
export function askedOfProbed(entries: readonly Entry[]): Question[] {
  const json = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }
  const send = (method: string, path: string, body: unknown): Question => ({
    method,
    path,
    headers: json,
    body: JSON.stringify(body),
  })
  const at = (i: number) => `/api/services/${entries[i]!.id}`
  const changes = [
    send('PATCH', at(0), { pricing: { pricePerRequest: '0.009' } }),
    send('PATCH', at(1), { name: 'Shop of another name', x402Config: { paymentAddress: STRANGER } }),
    send('PATCH', at(2), { endpoint: 'https://pay.shop.dev/v2' }),
    send('POST', `${at(3)}/retire`, { message: 'Closed. See you.' }),
    send('POST', `${at(5)}/retire`, { message: 'Closed.' }),
    send('POST', `${at(5)}/restore`, {}),
    send('PATCH', at(4), { endpoint: 'http://10.0.0.1/', name: '' }),
    send('POST', '/api/services', {}),
    send('POST', '/api/services', { name: '\u202e', endpoint: 'ftp://x', pricing: 1, x402Config: {} }),
    send('POST', '/api/check', { endpoint: 'https://pay.shop.dev/' }),
    { method: 'DELETE', path: at(6), headers: json },
  ]
  const each = entries.flatMap(({ id }) => [
    { path: `/api/services/${id}/history` },
    { path: `/api/services/${id}/trust` },
    { path: `/services/${id}`, headers: { 'accept-language': 'ja' } },
    { path: `/services/${id}`, headers: { 'accept-language': 'en' } },
  ])
  const form = {
    'content-type': 'application/x-www-form-urlencoded',
    'accept-language': 'ja',
    accept: 'text/html',
  }
  const forms = [
    `key=${KEY}&action=register`,
    `key=${KEY}&action=register&name=a&description=b&endpoint=http://10.0.0.1/&category=-&pricing.pricePerRequest=x&x402Config.network=base&x402Config.paymentAddress=0x12`,
    `key=wrong-key-here&action=register`,
    `key=&action=register`,
    `key=${KEY}&action=check&endpoint=https://pay.shop.dev/`,
  ].flatMap(body => [
    { method: 'POST', path: '/register', headers: form, body },
    { method: 'POST', path: '/register', headers: { ...form, 'accept-language': 'en' }, body },
  ])
  const lost = ['/nowhere', '/?limit=x&status=y', '/services/unknown', '/?sortBy=z'].flatMap(path => [
    { path, headers: { accept: 'text/html', 'accept-language': 'ja' } },
    { path, headers: { accept: 'text/html', 'accept-language': 'en' } },
  ])
  return [...changes, ...each, ...forms, ...lost]
}
