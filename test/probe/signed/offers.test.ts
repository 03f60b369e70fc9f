// Signed offers of a 402: made with the official package, and by whoever would like to pass for the seller.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createOfferJWS, type OfferReceiptIssuer } from '@x402/extensions/offer-receipt'
import { privateKeyToAccount } from 'viem/accounts'
import type { SignedOffer } from '../../../src/domain/terms/terms.ts'
import { createProber } from '../../../src/probe/prober.ts'
import { createSafeFetch } from '../../../src/probe/requests/safe-fetch.ts'
import { judgeOffers } from '../../../src/probe/signed/judge-offers.ts'
import type { KeySource } from '../../../src/probe/signed/key-source.ts'
import { systemClock } from '../../../src/runtime/clock.ts'
import { type Merchant, onBase, openMerchant } from '../merchant.ts'
import { ALGORITHMS, byWallet, createKeys } from './issuers.ts'

const URL_ = 'https://api.seller.example/v1/weather'
const OWN = `0x${'11'.repeat(32)}` as const
const OTHER = `0x${'22'.repeat(32)}` as const
const payTo = privateKeyToAccount(OWN).address
const input = { ...onBase, payTo, acceptIndex: 0 }
const accepts = [{ ...onBase, payTo, chain: 'eip155:8453', amount: BigInt(onBase.amount) }]
const now = new Date()

const NOTHING: KeySource = { document: async () => undefined, txt: async () => [] }
const publishing = (documents: Readonly<Record<string, unknown>>, asked: string[] = []): KeySource => ({
  async document(url) {
    asked.push(url)
    return documents[url]
  },
  txt: async () => [],
})

const judge = async (offers: readonly unknown[], source = NOTHING, at = now): Promise<SignedOffer[]> =>
  judgeOffers(offers, { url: URL_, accepts, now: at }, source)
const issue = (issuer: OfferReceiptIssuer, url = URL_, terms: object = {}) =>
  issuer.issueOffer(url, { ...input, ...terms } as never)
const valid = (speaksFor: string) => ({ valid: true, speaksFor, count: 1, code: 'signed_by' })
const invalid = (code: string) => ({ valid: false, speaksFor: null, count: 1, code })
const didDocument = (host: string, ...methods: readonly object[]) => ({
  id: `did:web:${host}`,
  verificationMethod: methods,
})

describe('of a tool', () => {
  const judgeTool = async (signed: string, tool?: string) => {
    const offers = [await issue(byWallet(OWN), signed)]
    return judgeOffers(offers, { url: URL_, tool, accepts, now }, NOTHING)
  }

  test('the name given by the transport identifies it', async () => {
    expect(await judgeTool('mcp://tool/tides', 'tides')).toMatchObject([valid('payee')])
    expect(await judgeTool(URL_, 'tides')).toMatchObject([valid('payee')])
  })

  test('the name of another tool does not, and only tools have one', async () => {
    expect(await judgeTool('mcp://tool/tide', 'tides')).toMatchObject([invalid('signed_other_resource')])
    expect(await judgeTool('mcp://tool/tides')).toMatchObject([invalid('signed_other_resource')])
    expect(await judgeTool('mcp://else/tides', 'tides')).toMatchObject([invalid('signed_other_resource')])
  })
})

describe('by a wallet (EIP-712)', () => {
  test('the paid wallet is accepted for itself', async () => {
    expect(await judge([await issue(byWallet(OWN))])).toMatchObject([{ ...valid('payee'), signer: payTo }])
  })

  test('another one proves nothing', async () => {
    expect(await judge([await issue(byWallet(OTHER))])).toMatchObject([invalid('signed_by_others')])
  })

  test('another one that the domain publishes represents the origin, in its document or by its name', async () => {
    const { address } = privateKeyToAccount(OTHER)
    const offer = await issue(byWallet(OTHER))
    const account = { id: '#wallet', blockchainAccountId: `eip155:1:${address}` }
    const source = publishing({
      'https://api.seller.example/.well-known/did.json': didDocument('api.seller.example', account),
    })
    expect(await judge([offer], source)).toMatchObject([valid('origin')])
    const asked: string[] = []
    const txt = async (name: string) => {
      asked.push(name)
      return ['v=spf1', `v=1;controller=did:pkh:eip155:1:${address.toLowerCase()}`]
    }
    expect(await judge([offer], { ...NOTHING, txt })).toMatchObject([valid('origin')])
    expect(asked).toEqual(['_controllers.api.seller.example'])
  })

  test.each(['amount', 'payTo', 'resourceUrl', 'validUntil', 'network'] as const)(
    'a changed %s makes it a signature of another party, or of other terms',
    async field => {
      const offer = (await issue(byWallet(OWN))) as unknown as { payload: Record<string, unknown> }
      const others = {
        amount: '1',
        payTo: privateKeyToAccount(OTHER).address,
        resourceUrl: `${URL_}?a=1`,
        validUntil: 4_000_000_000,
        network: 'base',
      }
      const [judged] = await judge([{ ...offer, payload: { ...offer.payload, [field]: others[field] } }])
      expect(judged).toMatchObject({ valid: false })
    },
  )
})

describe.each(ALGORITHMS)('by a key (JWS, %s)', algorithm => {
  const keys = createKeys(algorithm)
  const kid = 'did:web:api.seller.example#key-1'
  const at = 'https://api.seller.example/.well-known/did.json'

  test.each([
    ['a JWK', { publicKeyJwk: keys.jwk }],
    ['multibase', { publicKeyMultibase: keys.multibase }],
  ])('that the host publishes as %s represents the origin', async (_, material) => {
    const source = publishing({ [at]: didDocument('api.seller.example', { id: kid, ...material }) })
    expect(await judge([await issue(keys.issuer(kid))], source)).toMatchObject([valid('origin')])
  })

  test('that a parent domain publishes represents it too', async () => {
    const above = publishing({
      'https://seller.example/.well-known/did.json': didDocument('seller.example', {
        id: '#a',
        publicKeyJwk: keys.jwk,
      }),
    })
    const offer = await issue(keys.issuer('did:web:seller.example#a'))
    expect(await judge([offer], above)).toMatchObject([valid('origin')])
  })

  test('that names itself proves nothing until the host names it', async () => {
    const names = [
      `did:key:${keys.multibase}#${keys.multibase}`,
      `did:jwk:${Buffer.from(JSON.stringify(keys.jwk)).toString('base64url')}#0`,
    ]
    for (const name of names) {
      const offer = await issue(keys.issuer(name))
      expect(await judge([offer])).toMatchObject([invalid('signed_by_others')])
      const txt = async () => [`v=1;controller=${name.split('#')[0]}`]
      expect(await judge([offer], { ...NOTHING, txt })).toMatchObject([valid('origin')])
    }
  })

  test('that is not the published one is refused', async () => {
    const source = publishing({
      [at]: didDocument('api.seller.example', { id: kid, publicKeyJwk: createKeys(algorithm).jwk }),
    })
    expect(await judge([await issue(keys.issuer(kid))], source)).toMatchObject([
      invalid('signed_bad_signature'),
    ])
  })
})

describe('keys', () => {
  const keys = createKeys('EdDSA')

  test('are looked for at the host of the resource and above it, and nowhere else', async () => {
    const asked: string[] = []
    const source = publishing({}, asked)
    for (const host of [
      'evil.example',
      'notseller.example',
      'example',
      '169.254.169.254',
      'api.seller.example%3A8443',
      'api.seller.example:user:mallory',
      'sub.api.seller.example',
    ]) {
      const [judged] = await judge([await issue(keys.issuer(`did:web:${host}#k`))], source)
      expect(judged).toMatchObject(invalid('signed_by_others'))
    }
    expect(asked.filter(url => !url.startsWith('https://api.seller.example/'))).toEqual([])
  })

  test('that cannot be found are reported as such', async () => {
    const offers = await Promise.all(
      ['did:web:api.seller.example#k', 'did:pkh:eip155:1:0x1', 'did:ion:abc', 'did:key:zzz'].map(kid =>
        issue(keys.issuer(kid)),
      ),
    )
    for (const offer of offers) expect(await judge([offer])).toMatchObject([invalid('signed_key_missing')])
  })

  test('in the header prove only possession, and must be the named ones', async () => {
    const kid = 'did:web:api.seller.example#k'
    const forge = (jwk: object) => {
      const header = { alg: 'EdDSA', kid, jwk }
      const payload = { ...onBase, payTo, version: 1, resourceUrl: URL_ }
      const signed = [header, payload]
        .map(part => Buffer.from(JSON.stringify(part)).toString('base64url'))
        .join('.')
      return { format: 'jws', signature: `${signed}.${keys.sign(Buffer.from(signed))}` }
    }
    const other = createKeys('EdDSA').jwk
    const source = publishing({
      'https://api.seller.example/.well-known/did.json': didDocument('api.seller.example', {
        id: kid,
        publicKeyJwk: other,
      }),
    })
    expect(await judge([forge(keys.jwk)], source)).toMatchObject([{ valid: false }])
    expect(await judge([forge(keys.jwk)])).toMatchObject([invalid('signed_key_missing')])
  })

  test('of the wallet that is paid represent the payee in a JWS too', async () => {
    const wallet = createKeys('ES256K')
    const offers = await judgeWith(wallet)
    expect(offers).toMatchObject([valid('payee')])
  })

  async function judgeWith(wallet: ReturnType<typeof createKeys>) {
    const { publicKeyToAddress } = await import('viem/accounts')
    const point = Buffer.concat([
      Buffer.from([4]),
      Buffer.from(wallet.jwk.x!, 'base64url'),
      Buffer.from(wallet.jwk.y!, 'base64url'),
    ])
    const payee = publicKeyToAddress(`0x${point.toString('hex')}`)
    const offer = await createOfferJWS(
      URL_,
      { ...input, payTo: payee },
      {
        kid: `did:key:${wallet.multibase}`,
        format: 'jws',
        algorithm: 'ES256K',
        sign: async (bytes: Uint8Array) => wallet.sign(bytes),
      },
    )
    return judgeOffers([offer], { url: URL_, accepts: [{ ...accepts[0]!, payTo: payee }], now }, NOTHING)
  }
})

describe('an offer', () => {
  test('that has expired is reported as expired', async () => {
    const offer = await issue(byWallet(OWN))
    const later = new Date(now.getTime() + 3_600_000)
    expect(await judge([offer], NOTHING, later)).toMatchObject([invalid('signed_expired')])
  })

  test.each([
    ['another host', 'https://api.other.example/v1/weather', 'signed_other_resource'],
    ['another path', 'https://api.seller.example/v1/other', 'signed_other_resource'],
    ['what is no URL', 'weather', 'signed_other_resource'],
  ])('for %s is not one of this resource', async (_, url, code) => {
    expect(await judge([await issue(byWallet(OWN), url)])).toMatchObject([invalid(code)])
  })

  test('by a server that does not know its scheme or names a query holds', async () => {
    const url = 'http://api.seller.example/v1/weather/?city=Tokyo'
    expect(await judge([await issue(byWallet(OWN), url)])).toMatchObject([valid('payee')])
  })

  test.each([
    ['amount', '1'],
    ['scheme', 'upto'],
    ['asset', payTo],
    ['network', 'eip155:137'],
  ] as const)('with another %s than the answer is not for its terms', async (field, value) => {
    const offer = await issue(byWallet(OWN), URL_, { [field]: value })
    expect(await judge([offer])).toMatchObject([invalid('signed_other_terms')])
  })

  test.each([
    [null, 'format'],
    [{ format: 'pgp', signature: 'x' }, 'format'],
    [{ format: 'eip712', signature: '0x' }, 'payload'],
    [{ format: 'eip712', payload: {}, signature: '0x12' }, 'signature'],
    [{ format: 'eip712', payload: {}, signature: `0x${'1b'.repeat(65)}` }, 'version'],
    [{ format: 'jws', signature: 'a.b' }, 'signature'],
    [{ format: 'jws', signature: `${'a'.repeat(5_000)}.b.c` }, 'signature'],
    [{ format: 'jws', signature: `${btoa('{"alg":"none"}').replace(/=+$/, '')}.e30.e30` }, 'kid'],
    [
      {
        format: 'jws',
        signature: `${btoa('{"alg":"EdDSA","kid":"a","crit":["b"]}').replace(/=+$/, '')}.e30.e30`,
      },
      'crit',
    ],
  ])('that cannot be read is reported with the field: %j', async (offer, field) => {
    const [judged] = await judge([offer])
    expect(judged).toMatchObject({ ...invalid('signed_unreadable'), values: { field } })
  })

  test('is one of many: equal ones are reported together, and only a limited number is read', async () => {
    const offer = await issue(byWallet(OWN))
    expect(await judge(Array(500).fill(offer))).toMatchObject([{ valid: true, count: 8 }])
    expect(await judge(Array(500).fill(null))).toMatchObject([{ valid: false, count: 8 }])
  })
})

describe('a probe', () => {
  const seller = createKeys('ES256')
  let merchant: Merchant
  let answer: object = {}
  beforeAll(() => {
    merchant = openMerchant({
      'GET /v1': () =>
        new Response('{}', {
          status: 402,
          headers: { 'payment-required': Buffer.from(JSON.stringify(answer)).toString('base64') },
        }),
      'GET /.well-known/did.json': () =>
        Response.json({
          id: did(),
          verificationMethod: [{ id: `${did()}#1`, publicKeyJwk: seller.jwk }],
        }),
    })
  })
  afterAll(() => merchant[Symbol.asyncDispose]())
  const did = () => `did:web:127.0.0.1%3A${new URL(merchant.url).port}`
  const probe = createProber({
    fetch: createSafeFetch({ allowPrivate: true }),
    userAgent: 'Shirube-Prober/1',
    clock: systemClock,
    random: () => 1,
  })
  const probed = async (offers: readonly unknown[]) => {
    const url = `${merchant.url}/v1`
    answer = {
      x402Version: 2,
      resource: { url },
      accepts: [{ ...onBase, payTo }],
      extensions: { 'offer-receipt': { info: { offers } } },
    }
    return probe({
      endpoint: url,
      paymentAddress: payTo,
      network: 'base',
      pricing: { currency: 'USDC', pricePerRequest: '0.0025' },
    })
  }

  test('reports the offers in the terms, and fetching keys counts as one of its requests', async () => {
    const offer = await issue(seller.issuer(`${did()}#1`), `${merchant.url}/v1`)
    const outcome = await probed([offer])
    expect(outcome.resources[0]).toMatchObject({
      extensions: ['offer-receipt'],
      signedOffers: [valid('origin')],
    })
    expect(outcome.requests.map(({ url }) => new URL(url).pathname)).toContain('/.well-known/did.json')
    expect(outcome.requests.length).toBeLessThanOrEqual(6)
  })

  test('reports invalid offers, which decide nothing', async () => {
    const outcome = await probed([await issue(byWallet(OTHER), `${merchant.url}/v1`)])
    expect(outcome).toMatchObject({
      outcome: 'payable',
      resources: [{ signedOffers: [invalid('signed_by_others')] }],
    })
  })

  test('gives the same result for the same response', async () => {
    const tell = async () =>
      (await probed([await issue(seller.issuer(`${did()}#1`), `${merchant.url}/v1`)])).resources
    expect(await tell()).toEqual(await tell())
  })
})
