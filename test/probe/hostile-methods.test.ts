// Merchants that are honest to one request and not to another at the same place: a customer may make either.
import { describe, expect, test } from 'bun:test'
import type { Resource } from '../../src/domain/standing/finding.ts'
import { createProber } from '../../src/probe/prober.ts'
import { createSafeFetch } from '../../src/probe/requests/safe-fetch.ts'
import { asksV2, listing, onBase, openMerchant, type Routes, STRANGER, status } from './merchant.ts'
import { signedBy } from './official-client.ts'

const NAME = 'Shirube-Prober/1'
const EXTRA = { name: 'USD Coin', version: '2' }
const honest = { ...onBase, extra: EXTRA }
const dear = { ...honest, amount: '900000' }
const thief = { ...dear, payTo: STRANGER }
const declares = (input: object) => ({
  extensions: { bazaar: { info: { input: { type: 'http', ...input } }, schema: {} } },
})

/** Seeded, so that each run is the same. */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** Probes until it is not payable, as the rounds do: each knows what the one before found. */
async function probeUntilBad(routes: Routes, known: Resource | null | undefined, most = 60) {
  await using merchant = openMerchant(routes)
  const endpoint = `${merchant.url}/v1`
  const probe = createProber({
    fetch: createSafeFetch({ allowPrivate: true }),
    userAgent: NAME,
    random: createRandom(4_711),
  })
  let resource = known && { ...known, url: endpoint }
  for (let count = 1; count <= most; count++) {
    const outcome = await probe({ ...listing, endpoint, ...(resource !== undefined && { resource }) })
    expect(outcome.requests.length).toBeLessThanOrEqual(6)
    expect(outcome.requests.every(({ method }) => method === 'GET' || method === 'POST')).toBe(true)
    resource = outcome.resource
    if (outcome.outcome === 'payable') continue
    // What was found once is found again until it is mended, whatever chance says.
    for (let i = 0; i < 4; i++) {
      const again = await probe({ ...listing, endpoint, resource })
      expect(again.outcome).not.toBe('payable')
      resource = again.resource
    }
    merchant.answer({ '/v1': asksV2([honest]) })
    const mended = await probe({ ...listing, endpoint, resource })
    return { count, codes: outcome.reasons.map(({ code }) => code), mended }
  }
  return { count: undefined, codes: [], mended: undefined }
}

const POST: Resource = { url: '', method: 'POST' }
const byQuery = (request: Request) =>
  asksV2(
    [new URL(request.url).search ? thief : honest],
    declares({ method: 'GET', queryParams: { city: 'Tokyo' } }),
  )

describe('not payable for long:', () => {
  test.each<[string, Routes, Resource | null | undefined, code: string, most: number]>([
    [
      'a GET that leads to another origin',
      { 'GET /v1': status(302, { location: 'http://127.0.0.3:9/thief' }), 'POST /v1': asksV2([honest]) },
      undefined,
      'redirects_elsewhere',
      1,
    ],
    [
      'a GET that is dear and declares a cheap POST',
      {
        'GET /v1': asksV2([dear], declares({ method: 'POST', bodyType: 'json', body: {} })),
        'POST /v1': asksV2([honest]),
      },
      undefined,
      'asks_more',
      1,
    ],
    [
      'a GET that becomes a thief',
      { 'GET /v1': asksV2([thief]), 'POST /v1': asksV2([honest]) },
      POST,
      'other_address',
      4,
    ],
    [
      'a GET that becomes dear',
      { 'GET /v1': asksV2([dear]), 'POST /v1': asksV2([honest]) },
      POST,
      'asks_more',
      4,
    ],
    [
      'a GET that begins to lead to another origin',
      { 'GET /v1': status(307, { location: 'http://127.0.0.3:9/thief' }), 'POST /v1': asksV2([honest]) },
      POST,
      'redirects_elsewhere',
      4,
    ],
    [
      'a GET that becomes unreadable',
      { 'GET /v1': asksV2([{ ...honest, amount: '0xdbba0' }]), 'POST /v1': asksV2([honest]) },
      POST,
      'amount_malformed',
      4,
    ],
    ['a thief behind the declared query', { '/v1': byQuery }, null, 'other_address', 4],
    [
      'a thief by POST beside an honest GET',
      { 'GET /v1': asksV2([honest]), 'POST /v1': asksV2([thief]) },
      null,
      'other_address',
      40,
    ],
  ])('%s', async (_, routes, known, code, most) => {
    const { count, codes, mended } = await probeUntilBad(routes, known)
    expect(codes).toContain(code as never)
    expect(count).toBeLessThanOrEqual(most)
    expect(mended).toMatchObject({ outcome: 'payable' })
    expect(mended?.resource?.recheck).toBeUndefined()
  })

  test('a thief for customers at the declared query, also in probes under our name', async () => {
    const { codes } = await probeUntilBad(
      {
        '/v1': request => (request.headers.get('user-agent') === NAME ? asksV2([honest]) : byQuery(request)),
      },
      null,
    )
    expect(codes).not.toEqual([])
  })

  test('is what the official client would sign', async () => {
    await using merchant = openMerchant({ '/v1': byQuery })
    expect(await signedBy(await fetch(`${merchant.url}/v1?city=Tokyo`))).toMatchObject({ to: STRANGER })
  })
})

describe('always payable:', () => {
  test.each<[string, Routes, Resource | null]>([
    ['a POST beside a page on GET', { 'GET /v1': status(200), 'POST /v1': asksV2([honest]) }, POST],
    ['a POST beside nothing on GET', { 'POST /v1': asksV2([honest]) }, POST],
    [
      'a POST beside a redirect of GET to its own pages',
      { 'GET /v1': status(302, { location: '/docs' }), 'POST /v1': asksV2([honest]) },
      POST,
    ],
    ['a GET that refuses POST', { 'GET /v1': asksV2([honest]), 'POST /v1': status(405) }, null],
    ['a GET whose POST is busy', { 'GET /v1': asksV2([honest]), 'POST /v1': status(429) }, null],
    [
      'a declared query that is refused without its key',
      {
        '/v1': request =>
          new URL(request.url).search
            ? status(400)
            : asksV2([honest], declares({ method: 'GET', queryParams: { city: 'Tokyo' } })),
      },
      null,
    ],
    [
      'a declared query for less',
      {
        '/v1': request =>
          asksV2(
            [new URL(request.url).search ? { ...honest, amount: '1000' } : honest],
            declares({ method: 'GET', queryParams: { city: 'Tokyo' } }),
          ),
      },
      null,
    ],
  ])('%s', async (_, routes, known) => {
    expect((await probeUntilBad(routes, known, 24)).count).toBeUndefined()
  })
})
