// A directory that means harm answers the commands that ask one: nothing it says steers the terminal or poses as a line of ours.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { draft } from '../entries.ts'
import { type Folder, openFolder } from './shirube.ts'

/** Clears the screen, sets the title, colours by both sets of controls, turns the text round, hides, begins a line and poses as verified. */
const EVIL =
  'Evil\u001b[2J\u001b]0;owned\u0007\u009b31m\u202eTXT\u2066\u200f\u{e0041}\u2028\rover\nForged line \u001b[32mFAKE\u007f'
const STEERING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const COLORS = /\u001b\[(?:0|1|2|31|32|33)m/g

const service = {
  id: EVIL,
  name: EVIL,
  description: EVIL,
  endpoint: EVIL,
  category: EVIL,
  pricing: { currency: EVIL, pricePerRequest: EVIL, freeQuota: 0 },
  x402Config: { paymentAddress: EVIL, network: EVIL },
  trustScore: 1,
  status: EVIL,
  supportedChains: [EVIL],
  createdAt: EVIL,
  updatedAt: EVIL,
}
const standing = {
  id: EVIL,
  trustScore: 1,
  status: EVIL,
  uptimeScore: 1,
  lastChecked: EVIL,
  txCount: 1,
  totalRevenue: 1,
}
const provenance = { id: EVIL, source: 'imported', sourceUrl: EVIL, follows: true, overrides: [EVIL] }
const result = { service, score: 1, matchedTokens: [EVIL], reason: EVIL }
const intent = {
  query: EVIL,
  tokens: [EVIL],
  matchedTokens: [EVIL],
  reason: EVIL,
  constraints: { excluded: [EVIL], unapplied: [{ text: EVIL, why: EVIL }] },
  wishes: [EVIL],
  results: [result],
  steps: [{ text: EVIL, results: [result] }],
  nearest: { relaxed: EVIL, results: [result] },
}
const check = {
  checks: [{ check: EVIL, result: 'failed', detail: EVIL }],
  notes: [EVIL],
  resources: [
    {
      source: '402',
      accepts: [{ scheme: EVIL, network: EVIL, payTo: EVIL, amount: EVIL, asset: EVIL }],
    },
  ],
  requests: [{ method: EVIL, path: EVIL, status: 402, as: 'customer' }],
  domain: { host: EVIL },
  wouldVerify: false,
}
const backing = {
  claimed: false,
  domain: { host: EVIL },
  representative: { id: EVIL },
  others: [{ id: 'svc_2', shares: [EVIL] }],
}
const terms = {
  seenAt: EVIL,
  x402Version: 2,
  asListed: { price: EVIL, address: true, network: true },
  payableByDefaultClient: true,
  notes: [EVIL],
  resources: [
    {
      ...{ method: EVIL, url: EVIL, tool: EVIL, source: EVIL, input: { type: EVIL } },
      accepts: [{ scheme: EVIL, network: EVIL, amount: EVIL, asset: EVIL, payTo: EVIL }],
    },
  ],
}
const purchases = {
  delivery: { purchases: EVIL, delivered: EVIL, failedInARow: 1 },
  payers: { payers: 1, delivered: EVIL },
  peers: { purchases: EVIL, delivered: EVIL },
  purchases: [
    {
      ...{ at: EVIL, source: 'payer', outcome: EVIL, through: EVIL, transaction: EVIL, reasons: [EVIL] },
      payment: { payer: EVIL, price: EVIL, currency: EVIL },
      answer: { status: EVIL, bytes: EVIL, conformance: EVIL },
    },
  ],
}
const problem = { type: EVIL, title: EVIL, status: 400, detail: EVIL, code: 'invalid_request' }

function answer(request: Request): Response {
  const { pathname } = new URL(request.url)
  const json = (value: unknown, status = 200, type = 'application/json') =>
    new Response(JSON.stringify(value), { status, headers: { 'content-type': type } })
  const failure = (extra: object, status = 400) =>
    json({ ...problem, ...extra }, status, 'application/problem+json')
  if (pathname.includes('many')) return failure({ errors: [{ path: EVIL, message: EVIL }] })
  if (pathname.includes('unknown')) return failure({ code: 'not_found' }, 404)
  if (pathname.endsWith('/status')) return json(standing)
  if (pathname.endsWith('/provenance')) return json(provenance)
  if (pathname.endsWith('/backing')) return json(backing)
  if (pathname.endsWith('/history'))
    return json({ id: EVIL, items: [{ kind: 'probe', outcome: 'unpayable', reasons: [EVIL] }], days: [{}] })
  if (pathname.endsWith('/terms')) return json(terms)
  if (pathname.endsWith('/purchases')) return json(purchases)
  if (pathname.endsWith('/trust')) return json({ components: [{ reason: EVIL }] })
  if (pathname.endsWith('/search/intent')) return json(intent)
  if (pathname === '/api/check') return json(check)
  if (pathname === '/api/services' && request.method === 'GET') return json([service])
  return json(service, request.method === 'POST' && pathname === '/api/services' ? 201 : 200)
}

const BODY = JSON.stringify(draft())
const COMMANDS: readonly (readonly string[])[] = [
  ['list'],
  ['search', 'tides'],
  ['show', 'svc_1'],
  ['register', 'body.json'],
  ['check', 'https://api.example.com'],
]
const FAILURES: readonly (readonly string[])[] = [
  ['show', 'svc_unknown'],
  ['show', 'svc_many'],
]

describe('responses of a hostile directory', () => {
  let folder: Folder
  let env: Record<string, string>
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  beforeAll(async () => {
    folder = await openFolder()
    await folder.file('body.json', BODY)
    env = { SHIRUBE_URL: server.url.origin, SHIRUBE_KEY: 'a-key-for-nobody' }
  })
  afterAll(async () => {
    await server.stop(true)
    await folder[Symbol.asyncDispose]()
  })

  const expectHarmless = (text: string) => {
    expect(text).toContain('Evil')
    for (const line of text.split('\n')) expect(line).not.toMatch(STEERING)
  }

  test.each(COMMANDS)('%s: is shown without terminal control sequences', async (...args) => {
    const { stdout, stderr } = await folder.run(args, { env })
    expectHarmless(stdout + stderr)
    // A description has lines; nothing else of theirs begins one.
    if (args[0] !== 'show') expect(stdout + stderr).not.toMatch(/^Forged line/m)
  })

  test.each(COMMANDS)('%s --json: is complete and escaped', async (...args) => {
    const { stdout } = await folder.run([...args, '--json'], { env })
    expectHarmless(stdout)
    expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(EVIL))
  })

  test.each(FAILURES)('%s: an error is one line', async (...args) => {
    const { code, stdout, stderr } = await folder.run(args, { env })
    expect([code, stdout]).toEqual([1, ''])
    expectHarmless(stderr)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  test.each(
    COMMANDS.filter(args => ['list', 'search', 'show'].includes(args[0]!) && !/^--/.test(args.at(-1)!)),
  )('%s: on a terminal the colours are ours alone', async (...args) => {
    const shown = await folder.runOnTerminal(args, 400, env)
    expect(shown).toMatch(COLORS)
    expect(shown).not.toContain('\u001b[32m')
    expectHarmless(shown.replaceAll(COLORS, ''))
  })
})

describe('responses of something else than a directory', () => {
  const WRITES: readonly (readonly string[])[] = [
    ['register', 'body.json'],
    ['check', 'https://api.example.com'],
  ]

  test.each(WRITES)('a redirect of %s %s is not followed, with its body and key', async (...args) => {
    const asked: string[] = []
    using elsewhere = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ method }) => Response.json({ id: asked.push(method) }),
    })
    using server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => Response.redirect(elsewhere.url.origin, 307),
    })
    await using folder = await openFolder()
    await folder.file('body.json', BODY)
    const env = { SHIRUBE_URL: server.url.origin, SHIRUBE_KEY: 'a-key-for-nobody' }
    const { code, stdout, stderr } = await folder.run(args, { env })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain(`sends writes on to ${elsewhere.url.origin}; nothing was sent there.`)
    expect(asked).toEqual([])
  })
})
