// No false negative and no false positive over the shapes in which merchants really come: made with their packages, and by hand.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { isPaidByCall } from '../../src/domain/call/call.ts'
import type { Conclusion, Target } from '../../src/probe/conclude.ts'
import { createProbe } from '../../src/probe/probe.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import {
  asksV2,
  listing,
  onBase,
  openMerchant,
  type Routes,
  SOLANA_PAYEE,
  STRANGER,
  status,
} from './merchant.ts'
import { MISMATCHED, PAYABLE, UNPAYABLE } from './shapes/by-hand.ts'
import {
  asError,
  asText,
  createByHand,
  createOfficial,
  paymentRequired,
  result,
  termsV1,
  termsV2,
} from './shapes/mcp.ts'
import { openPackages, type Packages } from './shapes/packages.ts'

const NAME = 'Shirube-Prober/1'
const fetch = createSafeFetch({ allowPrivate: true })
/** Alternately as a customer and under our name; a shape must not depend on it. */
const probers = [0.4, 1].map(chance => createProbe({ fetch, userAgent: NAME, random: () => chance }))
const onSolanaNet = { ...listing, paymentAddress: SOLANA_PAYEE, network: 'solana' }
const inEuro = { ...listing, pricing: { currency: 'EURC', pricePerRequest: '0.0025' } }

const CAUSES = ['not_by_default_client', 'needs_deposit', 'paid_by_deposit', 'way_unsignable', 'mpp_only']

/** What is verified and what no snippet can pay must have a note that says why. */
function tellWhyUnpaid(
  { paymentAddress, network }: Target,
  { outcome, x402Version, resources, notes }: Conclusion,
) {
  if (outcome !== 'payable' || paymentAddress === undefined || network === undefined) return
  if (isPaidByCall({ x402Config: { paymentAddress, network } }, { x402Version, resources: [...resources] }))
    return
  expect(
    notes.filter(({ code }) => CAUSES.includes(code)),
    JSON.stringify(resources[0]?.accepts),
  ).not.toEqual([])
}

async function outcomeOf(target: Target) {
  const outcomes = []
  for (const [i, probe] of probers.entries()) {
    const found = await probe({ ...target, hasNoTerms: i === 0 })
    expect(found.requests.length).toBeLessThanOrEqual(6)
    outcomes.push({ ...found, codes: found.reasons.map(({ code }) => code) })
  }
  const [first, second] = outcomes
  tellWhyUnpaid(target, first!)
  expect(second!.outcome).toBe(first!.outcome)
  return first!
}

describe('made with packages', () => {
  let packages: Packages
  beforeAll(async () => {
    packages = await openPackages()
  })
  afterAll(() => packages.disposeAsync())

  test.each([
    ['express', '/get', listing, 'payable'],
    ['express', '/post', listing, 'payable'],
    ['express', '/any', listing, 'payable'],
    ['express', '/dynamic-price', listing, 'payable'],
    ['express', '/amount', listing, 'payable'],
    ['express', '/eurc', inEuro, 'payable'],
    ['express', '/eurc', listing, 'mismatched'],
    ['express', '/upto', listing, 'payable'],
    ['express', '/upto-dear', listing, 'mismatched'],
    ['express', '/two', listing, 'payable'],
    ['express', '/two', onSolanaNet, 'payable'],
    ['express', '/three', listing, 'payable'],
    ['express', '/solana', onSolanaNet, 'payable'],
    ['express', '/solana', listing, 'mismatched'],
    ['express', '/dear', listing, 'mismatched'],
    ['express', '/batch', listing, 'payable'],
    ['express', '/dynamic-payee', listing, 'mismatched'],
    ['express', '/weather/tokyo', listing, 'payable'],
    ['express', '/declared', listing, 'payable'],
    ['express', '/declared-query', listing, 'payable'],
    ['express', '/nothing', listing, 'unpayable'],
    ['hono', '/get', listing, 'payable'],
    ['hono', '/post', listing, 'payable'],
    ['hono', '/any', listing, 'payable'],
    ['hono', '/upto', listing, 'payable'],
    ['hono', '/batch', listing, 'payable'],
    ['hono', '/two', onSolanaNet, 'payable'],
    ['hono', '/dynamic-payee', listing, 'mismatched'],
    ['hono', '/nothing', listing, 'unpayable'],
    ['express v1', '/get', listing, 'payable'],
    ['express v1', '/post', listing, 'payable'],
    ['express v1', '/described', listing, 'payable'],
    ['hono v1', '/get', listing, 'payable'],
    ['hono v1', '/post', listing, 'payable'],
    ['hono v1', '/described', listing, 'payable'],
    ['hono v1 solana', '/get', onSolanaNet, 'payable'],
    ['faremeter express', '/far', listing, 'payable'],
    ['faremeter hono', '/far', listing, 'payable'],
    ['dexter', '/get', listing, 'payable'],
    ['dexter', '/post', listing, 'payable'],
    ['dexter', '/both', onSolanaNet, 'payable'],
  ] as const)('%s %s', async (server, path, claims, expected) => {
    const found = await outcomeOf({ ...claims, endpoint: `${packages.at[server]}${path}` })
    expect({ outcome: found.outcome, codes: found.codes }).toMatchObject({ outcome: expected })
    if (path === '/dynamic-payee') expect(found.codes).toEqual(['payee_changes', 'request_was'])
    if (path === '/declared') {
      expect(found.firstRequest).toMatchObject({ method: 'POST' })
      expect(found.resources[0]).toMatchObject({
        method: 'POST',
        input: { example: { text: 'Hello', to: 'ja' } },
      })
    }
  })
})

describe('made by hand', () => {
  const judged = async (routes: Routes) => {
    await using merchant = openMerchant(routes)
    return await outcomeOf({ ...listing, endpoint: `${merchant.url}/v1` })
  }
  const told = (shapes: typeof UNPAYABLE) =>
    Object.entries(shapes).flatMap(([code, each]) =>
      Object.entries(each).map(([name, routes]) => [name, routes, code] as const),
    )

  test.each(Object.entries(PAYABLE))('payable: %s', async (_, routes) => {
    const { outcome, codes } = await judged(routes)
    expect({ outcome, codes }).toMatchObject({ outcome: 'payable' })
  })

  test.each(told(UNPAYABLE))('not payable: %s', async (_, routes, code) => {
    const { outcome, codes } = await judged(routes)
    expect(outcome).toBeOneOf(['unpayable', 'refused'])
    expect(codes[0]).toBe(code as never)
  })

  test.each(told(MISMATCHED))('mismatched: %s', async (_, routes, code) => {
    const { outcome, codes } = await judged(routes)
    expect(outcome).toBe('mismatched')
    expect(codes).toContain(code as never)
  })

  test('not payable: terms that another origin asks', async () => {
    await using other = openMerchant({ '/v1': asksV2() })
    await using merchant = openMerchant({ '/v1': status(307, { location: `${other.url}/v1` }) })
    const { outcome, codes } = await outcomeOf({ ...listing, endpoint: `${merchant.url}/v1` })
    expect({ outcome, code: codes[0] }).toEqual({ outcome: 'unpayable', code: 'redirects_elsewhere' })
    expect(other.asked).toEqual([])
  })
})

describe('MCP servers', () => {
  const serve = (handler: (request: Request) => Response | Promise<Response>) => {
    const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: handler })
    return { url: `http://127.0.0.1:${server.port}`, [Symbol.asyncDispose]: () => server.stop(true) }
  }
  const tools = [
    { name: 'wipe', annotations: { destructiveHint: true }, description: 'Costs $1' },
    { name: 'free', inputSchema: { type: 'object' } },
    { name: 'tides', description: 'paid with x402', inputSchema: { type: 'object' } },
  ]

  test.each([
    ['of the official library', createOfficial(), 'tides'],
    ['with sessions', createByHand(() => paymentRequired(termsV2), { sessions: true }), 'tides'],
    [
      'that answers by events',
      createByHand(() => paymentRequired(termsV2), { sessions: true, events: true }),
      'tides',
    ],
    ['with the terms as text alone, of version 1', createByHand(() => asText(termsV1)), 'tides'],
    ['with a JSON-RPC error', createByHand(() => asError(termsV1)), 'tides'],
    [
      'with free tools besides',
      createByHand(tool => (tool === 'tides' ? paymentRequired(termsV2) : result({ content: [] })), {
        tools,
      }),
      'tides',
    ],
  ] as const)('payable: %s, by URL and tool', async (_, handler, tool) => {
    await using server = serve(handler)
    const endpoint = `${server.url}/mcp`
    const found = await outcomeOf({ ...listing, endpoint })
    expect({ outcome: found.outcome, codes: found.codes }).toMatchObject({ outcome: 'payable' })
    expect(found.resources[0]).toMatchObject({ url: endpoint, method: 'POST', tool })
    expect(found.firstRequest).toMatchObject({ url: endpoint, tool })
    expect(found.resources[0]?.input).toMatchObject({ type: 'object' })
    const again = await probers[1]!({ ...listing, endpoint, firstRequest: found.firstRequest })
    expect(again).toMatchObject({ outcome: 'payable', firstRequest: found.firstRequest })
    // The tool in its session, and what a customer may send besides.
    expect(again.requests).toHaveLength(4)
  })

  test('payable: at an address that does not say so', async () => {
    await using server = serve(createByHand(() => paymentRequired(termsV2)))
    const { outcome, firstRequest } = await outcomeOf({ ...listing, endpoint: `${server.url}/rpc` })
    expect({ outcome, tool: firstRequest.tool }).toEqual({ outcome: 'payable', tool: 'tides' })
  })

  test.each([
    [
      'terms that a free tool returns as its data',
      () => result({ structuredContent: termsV2, content: [] }),
      'unpayable',
    ],
    [
      'an error that is none of payment',
      () => result({ isError: true, content: [{ type: 'text', text: 'no such port' }] }),
      'unpayable',
    ],
    [
      'a stranger’s address',
      () => paymentRequired({ ...termsV2, accepts: [{ ...onBase, payTo: STRANGER }] }),
      'mismatched',
    ],
  ] as const)('not payable: %s', async (_, answer, expected) => {
    await using server = serve(createByHand(answer))
    expect((await outcomeOf({ ...listing, endpoint: `${server.url}/mcp` })).outcome).toBe(expected)
  })

  test('a tool marked as destructive is never called', async () => {
    const called: string[] = []
    await using server = serve(
      createByHand(
        tool => {
          called.push(tool)
          return result({ content: [] })
        },
        { tools },
      ),
    )
    await outcomeOf({ ...listing, endpoint: `${server.url}/mcp` })
    expect(called).not.toContain('wipe')
  })
})
