// Whether a domain speaks for a service on it: real files over HTTP, real signatures.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { isSignedByPayee } from '../../../src/directory/sign-in.ts'
import type { ProofReading } from '../../../src/domain/hosts/domain-proof.ts'
import { createProofReader } from '../../../src/probe/documents/proof-reader.ts'
import { HostBusy } from '../../../src/probe/requests/host-gate.ts'
import { createSafeFetch } from '../../../src/probe/requests/safe-fetch.ts'
import { entry } from '../../entries.ts'
import { ManualClock } from '../../store/manual-clock.ts'
import { type Merchant, openMerchant, PAYEE, type Routes, STRANGER } from '../merchant.ts'

const FILE = '/.well-known/shirube.json'
const PATIENCE = { patienceMs: 60_000 }
const FREE = { enter: async () => () => {} }

let parts: AsyncDisposableStack
let merchant: Merchant
const clock = new ManualClock()
beforeEach(() => {
  parts = new AsyncDisposableStack()
})
afterEach(() => parts.disposeAsync())

type World = { readonly routes?: Routes; readonly gate?: { enter(): Promise<() => void> } }

/** A merchant at `api.merchant.dev`, reached by its name. */
async function open({ routes = {}, gate = FREE }: World) {
  merchant = parts.use(openMerchant(routes))
  const readProof = createProofReader({
    fetch: createSafeFetch({ allowPrivate: true, lookup: async () => [{ address: '127.0.0.1', family: 4 }] }),
    isSigned: isSignedByPayee,
    userAgent: 'test',
    gate,
    clock,
  })
  const endpoint = `http://api.merchant.dev:${new URL(merchant.url).port}/v1`
  const listed = entry({ endpoint, x402Config: { paymentAddress: PAYEE, network: 'base' } })
  return { listed, read: (of = listed) => readProof(of, PATIENCE) }
}

const file = (document: unknown) => Response.json(document)
const BY_FILE = (names: 'wallet' | 'id') => ({ found: names })

describe('A file at the well-known path', () => {
  test('that names the wallet, in any of its spellings, is a proof', async () => {
    for (const name of [PAYEE, PAYEE.toUpperCase().replace('0X', '0x'), `eip155:8453:${PAYEE}`]) {
      const { read } = await open({ routes: { [FILE]: file({ wallets: [STRANGER, name] }) } })
      expect(await read()).toEqual(BY_FILE('wallet'))
    }
  })

  test('that names the id is a proof, and one that names neither proves only others', async () => {
    let id = ''
    const { read, listed } = await open({ routes: { [FILE]: () => file({ services: [id] }) } })
    id = listed.id
    expect(await read()).toEqual(BY_FILE('id'))
    expect(await read(entry({ endpoint: listed.endpoint }))).toEqual({ missing: 'elsewhere' })
  })

  test('does not name a wallet on another chain', async () => {
    const { read } = await open({ routes: { [FILE]: file({ wallets: [`eip155:137:${PAYEE}`] }) } })
    expect(await read()).toEqual({ missing: 'elsewhere' })
  })

  test.each<[string, Response]>([
    ['a redirect, which anybody may have set', Response.redirect('/v1/upload/shirube.json', 302)],
    [
      'a page that a user wrote',
      new Response(JSON.stringify({ wallets: [PAYEE] }), { headers: { 'content-type': 'text/html' } }),
    ],
    [
      'plain text',
      new Response(JSON.stringify({ wallets: [PAYEE] }), { headers: { 'content-type': 'text/plain' } }),
    ],
    ['an error', Response.json({ wallets: [PAYEE] }, { status: 404 })],
    ['larger than it may be', file({ wallets: [PAYEE], more: 'x'.repeat(70_000) })],
    ['no JSON', new Response('{', { headers: { 'content-type': 'application/json' } })],
    ['a list', file([PAYEE])],
    ['about something else', file({ wallet: PAYEE })],
    ['null', file(null)],
  ])('that is %s proves nothing', async (_, answer) => {
    const routes = { [FILE]: answer, '/v1/upload/shirube.json': file({ wallets: [PAYEE] }) }
    const { read } = await open({ routes })
    expect(await read()).toEqual({ missing: 'nowhere' })
    expect(merchant.asked).not.toContain('GET /v1/upload/shirube.json')
  })

  test.each<[unknown, object]>([
    [{ probe: false }, { missing: 'nowhere', declinesProbes: true }],
    [
      { probe: false, wallets: [PAYEE] },
      { ...BY_FILE('wallet'), declinesProbes: true },
    ],
    [
      { probe: false, wallets: [STRANGER] },
      { missing: 'elsewhere', declinesProbes: true },
    ],
    [{ probe: true, wallets: [PAYEE] }, BY_FILE('wallet')],
    [{ probe: 'false' }, { missing: 'nowhere' }],
    [{ probe: null }, { missing: 'nowhere' }],
    [[{ probe: false }], { missing: 'nowhere' }],
  ])('%j asks not to be probed only by the value false', async (document, reading) => {
    const { read } = await open({ routes: { [FILE]: file(document) } })
    expect(await read()).toEqual(reading as ProofReading)
  })

  test('is read once for all services of an origin, and again after a while', async () => {
    const { read, listed } = await open({ routes: { [FILE]: file({ wallets: [PAYEE] }) } })
    await Promise.all([read(), read({ ...listed, endpoint: `${listed.endpoint}/2` })])
    expect(merchant.asked).toEqual([`GET ${FILE}`])
    merchant.answer({ [FILE]: file({ wallets: [STRANGER] }) })
    expect(await read()).toEqual(BY_FILE('wallet'))
    clock.advance(11 * 60_000)
    expect(await read()).toEqual({ missing: 'elsewhere' })
  })

  test('of a host at its limit is read at the next probe', async () => {
    let isBusy = true
    const gate = {
      async enter() {
        if (isBusy) throw new HostBusy('api.merchant.dev', 1_000)
        return () => {}
      },
    }
    const { read } = await open({ routes: { [FILE]: file({ wallets: [PAYEE] }) }, gate })
    expect(await read()).toBeUndefined()
    isBusy = false
    expect(await read()).toEqual(BY_FILE('wallet'))
  })
})

describe('A manifest of x402', () => {
  const MANIFEST = '/.well-known/x402'

  test('with a signature of the origin by the wallet is a proof, and with any other is not', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    let proofs: unknown = []
    const { read, listed } = await open({ routes: { [MANIFEST]: () => file({ ownershipProofs: proofs }) } })
    const paid = { ...listed, x402Config: { paymentAddress: wallet.address, network: 'base' } }
    const { origin } = new URL(listed.endpoint)
    proofs = [
      7,
      'x',
      await wallet.signMessage({ message: `${origin}/` }),
      await wallet.signMessage({ message: origin }),
    ]
    expect(await read(paid)).toEqual(BY_FILE('wallet'))
    expect(await read()).toEqual({ missing: 'nowhere' })
    clock.advance(11 * 60_000)
    proofs = [await wallet.signMessage({ message: 'https://elsewhere.dev' })]
    expect(await read(paid)).toEqual({ missing: 'nowhere' })
  })
})
