// What every Directory promises, whichever way it is reached. Each test file runs it on one way.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { applyPurchases } from '../../packages/buyer/src/rounds.ts'
import { readConfig } from '../../src/app/config.ts'
import { type Operator, openOperator } from '../../src/app/operator.ts'
import { type App, openApp } from '../../src/app/server.ts'
import type { Directory } from '../../src/directory/directory.ts'
import { CALL_LANGUAGES } from '../../src/domain/call/call.ts'
import { DirectoryError, type ErrorCode } from '../../src/domain/errors.ts'
import { FEED_EVENT_TYPES, type FeedEvent } from '../../src/domain/feed.ts'
import { bazaarSearchQuerySchema, parseBazaarQuery } from '../../src/domain/formats/bazaar.ts'
import { isServiceId } from '../../src/domain/ids.ts'
import { type OwnServices, parseOwnServicesQuery } from '../../src/domain/listing/seller.ts'
import type { Service } from '../../src/domain/listing/service.ts'
import { parseReportsQuery } from '../../src/domain/operating.ts'
import type { AnswerEvidence, PurchaseOutcome } from '../../src/domain/purchases/purchases.ts'
import {
  parsePurchaseFeedQuery,
  parsePurchasesQuery,
  purchaseFeedSchema,
  purchasesSchema,
} from '../../src/domain/purchases/purchases-view.ts'
import {
  parseChangesQuery,
  parseHistoryQuery,
  parseIntentQuery,
  parseKeywordQuery,
  parseListQuery,
} from '../../src/domain/queries/queries.ts'
import { parseResolveQuery } from '../../src/domain/resolve/resolution.ts'
import type { Scope } from '../../src/domain/sign-in.ts'
import type { ProbeRecord } from '../../src/domain/standing/standing.ts'
import type { Trust } from '../../src/domain/standing/trust.ts'
import { termsSchema } from '../../src/domain/terms/terms.ts'
import { say } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { hideService, showService } from '../hiding.ts'
import { probeOf, recordJudged } from '../probes.ts'
import { purchase, report, reported } from '../store/purchases.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { seen as seenTerms, requirements as seenWay } from '../terms.ts'
import { until } from '../until.ts'

export const WALLET = '0x7aA3B0D047d135f43e8699E07783a548819BC25c'
export const draft = {
  name: 'Tides of Japan',
  description: 'Tide tables for every harbour, hour by hour.',
  endpoint: 'https://tides.example/v1',
  category: 'weather',
  pricing: { currency: 'USDC', pricePerRequest: '0.0025', freeQuota: 10 },
  x402Config: { paymentAddress: WALLET, network: 'base' },
}

const SERVICE_FIELDS = [
  ...['id', 'name', 'description', 'endpoint', 'category', 'pricing', 'x402Config', 'trustScore', 'status'],
  ...['supportedChains', 'createdAt', 'updatedAt'],
]

export type Opened = AsyncDisposable & {
  readonly app: App
  readonly operator: Operator
  readonly databaseUrl: string
  readonly key: string
  /** That of the directory, once more. */
  readonly store: Store
  /** Settles so many good probes of a service, as the rounds would, and waits until they are served. */
  found(id: string, probes: number): Promise<{ readonly seen: readonly ProbeRecord[] }>
}

/** A whole directory with the sample catalog on a file of its own, listening on a free port. */
export async function openSampleApp(): Promise<Opened> {
  await using parts = new AsyncDisposableStack()
  const config = readConfig({
    DATABASE_URL: `sqlite:${temporaryPath('sample.db')}`,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'silent',
    PROBE: 'off',
    RATE_LIMIT: '0',
    PUBLIC_URL: 'https://directory.example',
  })
  const app = parts.use(await openApp(config, { sample: true }))
  const operator = parts.use(await openOperator(config))
  const store = parts.use(await openStore(config.databaseUrl, { clock: systemClock }))
  await app.caughtUp
  const owned = parts.move()
  return {
    app,
    operator,
    databaseUrl: config.databaseUrl,
    key: app.firstKey!.key,
    store,
    found: (id, probes) => settleGoodProbes(store, app.directory, id, probes),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** @param first of the probes; later than the registration, which may be in this very millisecond */
export async function settleGoodProbes(
  store: Store,
  directory: Directory,
  id: string,
  count: number,
  first = Date.now() + 1,
) {
  const seen: ProbeRecord[] = []
  for (let i = 0; i < count; i++) {
    const probe = probeOf(id, {
      at: new Date(first + i).toISOString(),
      latencyMs: 80,
      priceSeen: '0.0025',
      reasons: [say('address_as_registered', { address: WALLET }), say('answers', { status: 402 })],
    })
    const terms = { payTo: [WALLET], price: null, furtherChains: [], seen: seenTerms() }
    await recordJudged(store, probe, { terms })
    seen.push(probe)
  }
  while ((await directory.status(id)).decode().lastChecked !== seen.at(-1)?.at) await Bun.sleep(5)
  return { seen }
}

export async function errorOf(promise: Promise<unknown>): Promise<DirectoryError> {
  const error = await promise.then(
    () => undefined,
    error => error,
  )
  expect(error).toBeInstanceOf(DirectoryError)
  return error
}

export function describeDirectory(requirements: string, reach: (opened: Opened) => Directory): void {
  describe(`A directory ${requirements}`, () => {
    let opened: Opened
    let directory: Directory
    beforeAll(async () => {
      opened = await openSampleApp()
      directory = reach(opened)
    })
    afterAll(() => opened[Symbol.asyncDispose]())

    const newKey = (scopes: Scope[] = ['register'], expiresAt: Date | null = null) =>
      opened.operator.keys.create({ name: 'another', scopes, expiresAt })
    const newWallet = () => privateKeyToAccount(generatePrivateKey())
    /** A wallet that has signed in. */
    const signIn = async (wallet = newWallet()) => {
      const { message } = await directory.challenge({ address: wallet.address, network: 'base' })
      const { key } = await directory.signIn({ message, signature: await wallet.signMessage({ message }) })
      return { key, x402Config: { paymentAddress: wallet.address, network: 'base' } }
    }
    const pointsOf = ({ components }: Pick<Trust, 'components'>) =>
      components.reduce((sum, { points }) => sum + (points ?? 0), 0)
    const list = async (query: object = {}) => directory.list(parseListQuery(query))
    const search = async (query: object) => directory.search(parseKeywordQuery(query))
    const register = async (body: unknown, idempotencyKey?: string): Promise<Service> =>
      (
        await directory.register(body, {
          key: opened.key,
          ...(idempotencyKey !== undefined && { idempotencyKey }),
        })
      ).service.decode()
    /** What is said has a code of its own too, so that it can be told in every language. */
    const expectCode = async (promise: Promise<unknown>, code: ErrorCode) => {
      const refusal = await errorOf(promise)
      expect(refusal.code).toBe(code)
      for (const { said } of [refusal, ...refusal.problems]) expect(said.code).not.toBe('text')
    }

    describe('registers', () => {
      test('a service with exactly the fields of the contract, and values as sent', async () => {
        const sent = {
          ...draft,
          category: 'Sea & Tides',
          pricing: { currency: 'usdc', pricePerRequest: '000.002500', freeQuota: 3 },
          x402Config: { paymentAddress: WALLET.toUpperCase().replace('0X', '0x'), network: 'Base' },
        }
        const service = await register(sent)
        expect(Object.keys(service)).toEqual(SERVICE_FIELDS)
        expect(service).toMatchObject({ ...sent, status: 'unverified', supportedChains: ['Base'] })
        expect(isServiceId(service.id)).toBe(true)
        expect(service.updatedAt).toBe(service.createdAt)
        expect(new Date(service.createdAt).toISOString()).toBe(service.createdAt)
      })

      test('a service that every read finds at once', async () => {
        const before = await list()
        const { services } = await directory.health()
        const service = await register({ ...draft, name: 'Zanzibar Quokka Census', category: 'quokkas' })
        expect((await directory.get(service.id)).decode()).toEqual(service)
        const after = await list()
        expect(after.services.decode()[0]).toEqual(service)
        expect(after.total).toBe(before.total! + 1)
        expect((await search({ q: 'quokka' })).services.decode()).toEqual([service])
        const answer = (
          await directory.searchByIntent(parseIntentQuery({ q: 'count quokkas in Zanzibar' }))
        ).decode()
        expect(answer.results[0]!.service).toEqual(service)
        const exported = await Array.fromAsync(directory.export())
        expect(exported.at(-1)!.id).toBe(service.id)
        expect((await directory.categories()).find(({ id }) => id === 'quokkas')?.count).toBe(1)
        expect((await directory.health()).services).toBe(services + 1)
      })

      test('and returns notices and the names of unused fields', async () => {
        const body = {
          ...draft,
          endpoint: 'https://noticed.example/',
          id: 'mine',
          'note, 標': 1,
          pricing: { ...draft.pricing, unit: 'call' },
          x402Config: { paymentAddress: '0x12', network: 'base' },
        }
        const { service, notices, ignored } = await directory.register(body, { key: opened.key })
        expect(service.decode().x402Config.paymentAddress).toBe('0x12')
        expect(ignored).toEqual(['id', 'note, 標', 'pricing.unit'])
        expect(notices).toHaveLength(1)
        expect(notices[0]).toStartWith('x402Config.paymentAddress')
      })

      test('and warns of a name that resembles another owner’s service', async () => {
        const { id } = (
          await directory.register({ ...draft, name: 'Quokka Nimbus' }, { key: opened.key })
        ).service.decode()
        const { key } = await newKey()
        const told = (name: string) =>
          `name: ${JSON.stringify(name)} looks like "Quokka Nimbus", the name of ${id} of another owner; payers may confuse the two.`
        // Elsewhere and paid elsewhere, so that the name is all they share.
        let places = 0
        const elsewhere = (name: string) => ({
          ...draft,
          name,
          endpoint: `https://wallaby${++places}.example/v1`,
          x402Config: {
            ...draft.x402Config,
            paymentAddress: newWallet().address,
          },
        })
        // Two of its letters are Cyrillic.
        const forged = 'Quоkkа-Nimbus'
        const copy = await directory.register(elsewhere(forged), { key })
        expect(copy.notices).toEqual([told(forged)])
        const other = await directory.register(elsewhere('Wallaby Stratus'), { key })
        expect(other.notices).toEqual([])
        const renamed = await directory.edit(other.id, { name: 'QUOKKA NlMBUS' }, { key })
        expect(renamed.notices).toEqual([told('QUOKKA NlMBUS')])
        expect((await directory.edit(copy.id, { name: 'Wallaby Cirrus' }, { key })).notices).toEqual([])
        const own = await directory.register(elsewhere('Wallaby  cirrus'), { key })
        expect(own.notices).toEqual([])
      })

      test('and warns of an endpoint or payee of another owner’s service, in any spelling', async () => {
        const wallet = newWallet().address
        const x402Config = { paymentAddress: wallet, network: 'base' }
        const { id } = await register({ ...draft, endpoint: 'https://numbat.example/v1', x402Config })
        const { key } = await newKey()
        const { id: copy, notices } = await directory.register(
          {
            ...draft,
            name: 'Numbat Copy',
            endpoint: 'HTTPS://NUMBAT.example:443//%761/',
            x402Config: { paymentAddress: wallet.toLowerCase(), network: 'polygon' },
          },
          { key },
        )
        expect(notices).toEqual([
          `endpoint: ${id} of another owner has the same endpoint; the entry that is claimed by its wallet or proved by its domain represents it.`,
          `x402Config.paymentAddress: ${id} of another owner pays the same address; sign in with that wallet to claim your entries.`,
        ])
        const moved = await directory.edit(copy, { endpoint: 'https://bilby.example/v1' }, { key })
        expect(moved.notices).toHaveLength(1)
        expect(moved.notices[0]).toStartWith('x402Config.paymentAddress')
        expect((await directory.backing(copy)).decode()).toEqual({
          id: copy,
          level: 'listed',
          claimed: false,
          domain: null,
          representative: null,
          others: [{ id, name: draft.name, shares: ['payee'], yields: false }],
          sample: false,
        })
      })

      test('nothing invalid, and reports every problem at once', async () => {
        const error = await errorOf(
          register({
            ...draft,
            name: ' ',
            endpoint: 'http://127.0.0.1/',
            pricing: { currency: 'USDC', pricePerRequest: 1 },
          }),
        )
        expect(error.code).toBe('invalid_request')
        expect(error.problems.map(({ path }) => path).sort()).toEqual([
          'endpoint',
          'name',
          'pricing.pricePerRequest',
        ])
        expect(error.problems.every(({ message }) => message !== '')).toBe(true)
        for (const body of [{}, [], 'text', 7, null]) await expectCode(register(body), 'invalid_request')
      })

      test('nothing without a good key, whatever the body', async () => {
        for (const key of ['', 'unknown-key', 'short', 'kéy-with-accent', '鍵']) {
          await expectCode(directory.register({}, { key }), 'unauthorized')
        }
        const { key, record } = await newKey()
        await opened.operator.keys.revoke(record.id)
        await expectCode(directory.register(draft, { key }), 'unauthorized')
        const old = await newKey(['register'], new Date(0))
        await expectCode(directory.register(draft, { key: old.key }), 'unauthorized')
      })

      test('once for one request key, also when both calls are in flight', async () => {
        const body = { ...draft, name: 'Only once' }
        const [first, twin] = await Promise.all([register(body, 'order-1'), register(body, 'order-1')])
        expect(twin).toEqual(first)
        expect(await register(body, 'order-1')).toEqual(first)
        expect(
          (await search({ q: 'only once' })).services.decode().filter(({ name }) => name === 'Only once'),
        ).toHaveLength(1)
        await expectCode(register({ ...body, name: 'Another' }, 'order-1'), 'idempotency_conflict')
        expect((await register(body)).id).not.toBe(first.id)
      })

      test('separately for the same request key of different callers', async () => {
        const { key } = await newKey()
        const first = await register(draft, 'order-2')
        const other = await directory.register(draft, { key, idempotencyKey: 'order-2' })
        expect(other.service.decode().id).not.toBe(first.id)
      })
    })

    describe('lets an owner', () => {
      const by = () => ({ key: opened.key })
      const another = async (scope: Scope = 'register') => (await newKey([scope])).key

      test('edit a service, which every read shows at once', async () => {
        const service = await register(draft)
        const edited = await directory.edit(service.id, { name: 'Edited', extra: 1 }, by())
        expect(edited.ignored).toEqual(['extra'])
        expect(edited.service.decode()).toMatchObject({ id: service.id, name: 'Edited' })
        expect(await directory.get(service.id)).toEqual(edited.service)
        const error = await errorOf(directory.edit(service.id, { name: '', category: '!' }, by()))
        expect(error.problems.map(({ path }) => path)).toEqual(['name', 'category'])
      })

      test('move a service, which is then verified again', async () => {
        const service = await register(draft)
        await opened.found(service.id, 2)
        const priced = await directory.edit(service.id, { pricing: { pricePerRequest: '7' } }, by())
        expect(priced.service.decode().status).toBe('verified')
        const moved = (await directory.edit(service.id, { endpoint: 'https://tides.example/v2' }, by()))
          .service
        expect(moved.decode()).toMatchObject({
          status: 'unverified',
          trustScore: 0,
          supportedChains: ['base'],
        })
        expect(pointsOf((await directory.trust(service.id)).decode())).toBe(0)
      })

      test('retire and restore a service, with a score that still adds up', async () => {
        const service = await register(draft)
        await opened.found(service.id, 2)
        const points = async () => pointsOf((await directory.trust(service.id)).decode())
        const retired = (await directory.retire(service.id, { message: 'Closed.' }, by())).service.decode()
        expect(retired.status).toBe('inactive')
        expect(retired.trustScore).toBe(await points())
        const restored = (await directory.restore(service.id, by())).service.decode()
        expect(restored.status).toBe('unverified')
        expect(restored.trustScore).toBe(await points())
        await expectCode(directory.retire(service.id, {}, by()), 'invalid_request')
      })

      test('remove a service, whose history stays', async () => {
        const { id } = await register(draft)
        await directory.remove(id, by())
        await expectCode(directory.get(id), 'not_found')
        await expectCode(directory.remove(id, by()), 'not_found')
        const { items } = (await directory.history(id, parseHistoryQuery({}))).decode()
        expect(items[0]).toMatchObject({ kind: 'event', type: 'removed', before: { id } })
      })

      test('do what others may not', async () => {
        const { id } = await register(draft)
        const key = await another()
        await expectCode(directory.edit(id, {}, { key }), 'forbidden')
        await expectCode(directory.remove(id, { key }), 'forbidden')
        await expectCode(directory.retire(id, { message: 'x' }, { key }), 'forbidden')
        await expectCode(directory.restore(id, { key }), 'forbidden')
        await expectCode(directory.claim(id, { key }), 'forbidden')
        await expectCode(directory.edit(id, {}, { key: 'unknown-key' }), 'unauthorized')
        const mine = await directory.register(draft, { key })
        await expectCode(directory.edit(mine.service.decode().id, {}, by()), 'forbidden')
        await directory.edit(mine.service.decode().id, { name: 'Operated' }, { key: await another('admin') })
      })

      test('list their own services, newest first and page by page, and no others', async () => {
        const key = await another()
        const own = async (query = {}) =>
          (await directory.ownServices(parseOwnServicesQuery(query), { key })).decode()
        expect(await own()).toEqual({ services: [], next: null })
        const made = []
        for (const name of ['First', 'Second', 'Third'])
          made.unshift((await directory.register({ ...draft, name }, { key })).id)
        await register(draft)
        const idsOf = ({ services }: OwnServices) => services.map(({ service }) => service.id)
        const page = await own({ limit: 2 })
        expect(idsOf(page)).toEqual(made.slice(0, 2))
        expect(page.services[0]).toEqual({
          service: (await directory.get(made[0]!)).decode(),
          by: 'owner',
          retired: null,
          hidden: null,
        })
        const last = await own({ limit: 2, before: page.next })
        expect([idsOf(last), last.next]).toEqual([made.slice(2), null])
        await directory.retire(made[0]!, { message: 'Closed.' }, { key })
        await hideService(opened.databaseUrl, made[1]!, 'An impostor.')
        await directory.remove(made[2]!, { key })
        let after = await own()
        while (!after.services[1]?.hidden) after = await own()
        expect(after.services.map(({ retired, hidden }) => [retired, hidden?.why])).toEqual([
          ['Closed.', undefined],
          [null, 'An impostor.'],
        ])
        await expectCode(
          directory.ownServices(parseOwnServicesQuery({}), { key: 'unknown-key' }),
          'unauthorized',
        )
      })

      test('have an own service probed at once, unless it is retired or on a reserved host', async () => {
        const key = await another()
        const { id: reserved } = await directory.register(draft, { key })
        expect((await directory.probe(reserved, { key })).notices).toEqual([
          'It is not probed: its host is reserved for examples and tests, and such hosts never are.',
        ])
        await directory.remove(reserved, { key })
        const { id } = await directory.register({ ...draft, endpoint: 'https://tides.dev/v1' }, { key })
        await opened.found(id, 1)
        const due = () => opened.store.schedule.countDue(new Date(Date.now() + 1_000), 1_000)
        const before = await due()
        const { service } = await directory.probe(id, { key })
        expect(service.decode().id).toBe(id)
        expect(await due()).toBe(before + 1)
        await expectCode(directory.probe(id, by()), 'forbidden')
        await expectCode(directory.probe('svc_none', { key }), 'not_found')
        await directory.retire(id, { message: 'Closed.' }, { key })
        expect((await directory.probe(id, { key })).notices).toEqual([
          'It is not probed while it is retired.',
        ])
        expect(await due()).toBe(before)
      })

      test('sign in with a wallet, claim what pays it, and revoke the key', async () => {
        const wallet = newWallet()
        const { id } = await register({
          ...draft,
          x402Config: { paymentAddress: wallet.address, network: 'base' },
        })
        const { message } = await directory.challenge({ address: wallet.address, network: 'polygon' })
        const signature = await wallet.signMessage({ message })
        const { key, id: keyId } = await directory.signIn({ message, signature })
        await expectCode(directory.signIn({ message, signature }), 'unauthorized')
        await expectCode(directory.challenge({ network: 'base' }), 'invalid_request')
        expect((await directory.claim(id, { key })).service.decode().id).toBe(id)
        expect((await directory.listKeys({ key })).map(each => each.id)).toEqual([keyId])
        await expectCode(directory.revokeKey('key_other', { key }), 'not_found')
        const paid = (await directory.ownServices(parseOwnServicesQuery({}), { key })).decode().services
        expect(paid.map(({ service, by }) => [service.id, by])).toEqual([[id, 'owner']])
        await directory.revokeKey(keyId, { key })
        await expectCode(directory.listKeys({ key }), 'unauthorized')
        await expectCode(directory.signOut(by()), 'forbidden')
      })

      test('represent their endpoint by the wallet that it pays, not by any claimed wallet', async () => {
        const [owner, thief] = [await signIn(), await signIn()]
        const backing = async (id: string) => (await directory.backing(id)).decode()
        const endpoint = `https://${crypto.randomUUID()}.example/v1`
        const listed = await register({ ...draft, name: 'Dunnart', endpoint, x402Config: owner.x402Config })
        const copy = { ...draft, name: 'Dunnart', endpoint: `${endpoint}/`, x402Config: thief.x402Config }
        const { id: stolen } = await directory.register(copy, { key: thief.key })
        const { id: borrowed } = await directory.register(
          { ...copy, x402Config: owner.x402Config },
          { key: opened.key },
        )
        expect(await backing(stolen)).toMatchObject({ claimed: true, representative: null })
        expect(await backing(listed.id)).toEqual({
          id: listed.id,
          level: 'listed',
          claimed: false,
          domain: null,
          representative: null,
          others: [{ id: stolen, name: 'Dunnart', shares: ['name', 'endpoint'], yields: false }],
          sample: false,
        })

        await opened.found(listed.id, 1)
        // Verified, but nobody stands behind it yet.
        expect((await backing(stolen)).representative).toBeNull()
        await directory.claim(listed.id, { key: owner.key })
        const representative = { id: listed.id, name: 'Dunnart' }
        expect(await backing(listed.id)).toMatchObject({ claimed: true, representative: null })
        // Whoever is backed carries no warning of the thief.
        expect((await backing(listed.id)).others[0]).toMatchObject({ id: stolen, yields: true })
        expect((await backing(stolen)).representative).toEqual(representative)
        expect((await backing(borrowed)).representative).toEqual(representative)
        expect((await backing(borrowed)).others[0]).toEqual({
          ...representative,
          shares: ['name', 'endpoint', 'payee'],
          yields: false,
        })
      })
    })

    describe('resolves', () => {
      const ask = async (query: Record<string, string>) => {
        const { verdict, reasons, service } = (await directory.resolve(parseResolveQuery(query))).decode()
        return { verdict, codes: reasons.map(({ code }) => code), id: service?.id }
      }
      test('a URL below a listing, and none that is beside it', async () => {
        const endpoint = `https://${crypto.randomUUID()}.example/v1`
        const { id } = await register({ ...draft, name: 'Quokka Maps', endpoint })
        const asked = { url: `${endpoint}/tiles/7?zoom=3`, payTo: WALLET, network: 'base' }
        expect(await ask(asked)).toEqual({
          verdict: 'caution',
          codes: ['listing_unverified', 'terms_never_seen'],
          id,
        })
        expect(await ask({ ...asked, payTo: `0x${'4'.repeat(40)}` })).toMatchObject({ verdict: 'stop', id })
        for (const url of [`${endpoint}0`, endpoint.replace('/v1', '/v2'), 'https://nobody.example/'])
          expect(await ask({ url })).toEqual({ verdict: 'unknown', codes: ['not_listed'], id: undefined })
        expect(() => parseResolveQuery({ url: 'nowhere' })).toThrow(DirectoryError)
      })

      test('a URL as unknown if its listing was removed before it was verified', async () => {
        const url = `https://${crypto.randomUUID()}.example/v1`
        const { id } = await register({ ...draft, name: 'Numbat Squat', endpoint: url })
        await directory.remove(id, { key: opened.key })
        expect(await ask({ url })).toEqual({ verdict: 'unknown', codes: ['not_listed'], id: undefined })
      })

      test('a URL as unknown that a stranger listed as it is, and removed again', async () => {
        const { key } = await signIn()
        const endpoint = `https://${crypto.randomUUID()}.example/v1`
        const { id } = await directory.register({ ...draft, name: 'Quokka Squat', endpoint }, { key })
        await opened.found(id, 1)
        await directory.remove(id, { key })
        expect(await ask({ url: endpoint })).toEqual({
          verdict: 'unknown',
          codes: ['not_listed'],
          id: undefined,
        })
      })

      test('a retired, hidden or removed service as a reason not to pay', async () => {
        const endpoint = `https://${crypto.randomUUID()}.example/v1`
        const url = `${endpoint}/x`
        const { id } = await register({ ...draft, name: 'Bandicoot Tides', endpoint })
        await directory.retire(id, { message: 'Gone.' }, { key: opened.key })
        expect(await ask({ url })).toMatchObject({
          verdict: 'stop',
          codes: expect.arrayContaining(['retired']),
        })
        await hideService(opened.databaseUrl, id, 'An impostor.')
        await until(async () => (await ask({ url })).codes.includes('hidden_by_operator'))
        expect(await ask({ url })).toEqual({ verdict: 'stop', codes: ['hidden_by_operator'], id: undefined })
        await showService(opened.databaseUrl, id)
        await until(async () => (await ask({ url })).id === id)
        await directory.remove(id, { key: opened.key })
        expect(await ask({ url })).toEqual({ verdict: 'stop', codes: ['removed'], id: undefined })
        const { id: next } = await register({ ...draft, name: 'Bandicoot Tides', endpoint })
        expect(await ask({ url })).toMatchObject({ verdict: 'caution', id: next })
      })
    })

    describe('shows purchases', () => {
      test('with their evidence and the delivery record, newest first and page by page', async () => {
        const { id } = await register({ ...draft, name: 'Quokka Prices', category: 'quokkas' })
        const read = async (query: object = {}) =>
          (await directory.purchases(id, parsePurchasesQuery(query))).decode()
        const none = { purchases: 0, delivered: 0, failedInARow: 0, failing: false }
        const payers = { payers: 0, delivered: 0 }
        const peers = { purchases: 0, delivered: 0 }
        expect(await read()).toEqual({ id, payers, peers, delivery: none, purchases: [], next: null })

        const { store } = opened
        const caps = { perCall: 100, perService: 1_000, perHost: 1_000, perDay: 1_000 }
        const buy = async (outcome: PurchaseOutcome) => {
          const bought = purchase({ serviceId: id, at: systemClock.now().toISOString() })
          await store.purchases.reserve(bought, caps)
          await store.purchases.sign(bought.id, '0xsecret-nonce', 1)
          const answer: AnswerEvidence = {
            ...{ status: 200, latencyMs: 12, bytes: 3, contentType: 'application/json', sha256: 'ab' },
            ...{ conformance: 'as_declared', settlement: 'claimed', claimed: '0xt', second: null },
            ...{ chargedOther: null, reasons: [] },
          }
          const detail = { ...bought.detail, answer, reasons: [say('answer_empty')] }
          const known = { state: 'settled', charged: '100', transaction: '0xt', outcome, detail } as const
          await store.purchases.conclude(bought.id, known)
          await applyPurchases(store, id, systemClock)
          return bought.id
        }
        const first = await buy('delivered')
        const made = reported({
          serviceId: id,
          at: systemClock.now().toISOString(),
          outcome: 'settled_silent',
        })
        await report(store, made)
        const second = await buy('settled_silent')
        const all = await read()
        expect(purchasesSchema.parse(all)).toEqual(all as never)
        expect(all.delivery).toEqual({ purchases: 2, delivered: 1, failedInARow: 1, failing: false })
        expect(all.payers).toEqual({ payers: 1, delivered: 0 })
        expect(all.purchases.map(each => [each.id, each.source, each.counts, each.outcome])).toEqual([
          [second, 'operator', true, 'settled_silent'],
          [made.id, 'payer', false, 'settled_silent'],
          [first, 'operator', true, 'delivered'],
        ])
        expect(all.purchases[0]).toMatchObject({
          charged: '100',
          transaction: '0xt',
          answer: { status: 200, bytes: 3, sha256: 'ab', conformance: 'as_declared' },
          reasonCodes: [{ code: 'answer_empty', values: {} }],
        })
        expect(JSON.stringify(all)).not.toContain('secret-nonce')
        const page = await read({ limit: 1 })
        expect(page.next).toBe(second)
        const idsOf = async (query: object) => (await read(query)).purchases.map(each => each.id)
        expect(await idsOf({ limit: 1, before: second })).toEqual([made.id])
        expect(await idsOf({ source: 'operator' })).toEqual([second, first])
        expect(await idsOf({ source: 'payer' })).toEqual([made.id])
        const feed = async (query: object) =>
          (await directory.allPurchases(parsePurchaseFeedQuery(query))).decode()
        const { purchases } = await feed({ limit: 100 })
        expect(purchaseFeedSchema.parse(await feed({}))).toEqual((await feed({})) as never)
        const ownFeed = purchases.filter(each => each.serviceId === id)
        expect(ownFeed.map(each => each.id)).toEqual([first, second])
        expect(ownFeed[1]).toMatchObject({ outcome: 'settled_silent', transaction: '0xt', from: null })
        expect(await feed({ after: second })).toEqual({ purchases: [], next: null })
        await expectCode(directory.reportOutcome(id, { outcome: 'great' }), 'invalid_request')

        while (!(await directory.trust(id)).decode().components.some(each => each.code === 'delivery'))
          await Bun.sleep(5)
        const history = (await directory.history(id, parseHistoryQuery({}))).decode()
        const told = history.items.flatMap(item => (item.kind === 'event' ? [item.type] : []))
        expect(told.filter(type => type === 'purchase')).toHaveLength(3)
      })

      test('that failed for every listing of the URL and payee, whoever lists it again', async () => {
        const { store, key, found } = opened
        const place = 'https://silent-seller.jp/v1'
        const listing = { ...draft, name: 'Silent Seller', category: 'silence' }
        const { id } = await register({ ...listing, endpoint: place })
        await found(id, 1)
        const { paymentAddress: payTo } = draft.x402Config
        const caps = { perCall: 100, perService: 1_000, perHost: 1_000, perDay: 1_000 }
        for (const at of [0, 1].map(ms => new Date(Date.now() + ms).toISOString())) {
          const made = purchase({ serviceId: id, at, payTo, host: 'silent-seller.jp' })
          await store.purchases.reserve({ ...made, detail: { ...made.detail, url: place } }, caps)
          const known = { state: 'settled', charged: '100', transaction: '0xt' } as const
          const detail = { ...made.detail, url: place, endpoint: place }
          await store.purchases.conclude(made.id, { ...known, outcome: 'settled_silent', detail })
        }
        const statusOf = async (of: string) => (await directory.get(of)).decode().status
        const second = (await register({ ...listing, name: 'Second Silence', endpoint: place })).id
        await applyPurchases(store, id, systemClock)
        while ((await statusOf(id)) !== 'unverified') await Bun.sleep(5)
        await directory.remove(id, { key })
        const third = (await register({ ...listing, name: 'Third Silence', endpoint: place })).id
        for (const other of [second, third]) {
          await found(other, 3)
          expect(await statusOf(other)).toBe('unverified')
          const { delivery, purchases } = (await directory.purchases(other, parsePurchasesQuery({}))).decode()
          expect(delivery).toEqual({ purchases: 2, delivered: 0, failedInARow: 2, failing: true })
          expect(purchases.map(({ through }) => through)).toEqual([id, id])
          const { components } = (await directory.trust(other)).decode()
          expect(components.find(({ name }) => name === 'verification')).toMatchObject({
            points: 0,
            code: 'not_delivering',
          })
          expect(components.find(({ name }) => name === 'delivery')).toMatchObject({
            points: 0,
            code: 'delivery',
          })
        }
        const { verdict, reasons } = (await directory.resolve(parseResolveQuery({ url: place }))).decode()
        expect(verdict).toBe('caution')
        expect(reasons.map(({ code }) => code)).toContain('listing_not_delivering')
        // Somebody else who is paid there neither suffers nor gains.
        const otherPayee = { ...draft.x402Config, paymentAddress: `0x${'7'.repeat(40)}` }
        const foreign = await register({
          ...listing,
          name: 'Foreign',
          endpoint: place,
          x402Config: otherPayee,
        })
        await found(foreign.id, 1)
        expect((await directory.purchases(foreign.id, parsePurchasesQuery({}))).decode().purchases).toEqual(
          [],
        )
        for (const each of [second, third, foreign.id]) await directory.remove(each, { key })
      })
    })

    describe('hides', () => {
      const isCode = (promise: Promise<unknown>, code: ErrorCode) =>
        promise.then(
          () => false,
          error => error.code === code,
        )

      test('services that its operator hides, in every interface, with the reason, and shows them again', async () => {
        const service = await register({ ...draft, name: 'Thylacine Feed', category: 'thylacines' })
        const { id } = service
        const { next } = (await directory.changes(parseChangesQuery({ since: 0, limit: 1000 }))).decode()
        const why = 'It poses as 正しい feed.'
        await hideService(opened.databaseUrl, id, why)
        await until(() => isCode(directory.get(id), 'hidden'))
        expect((await errorOf(directory.get(id))).message).toContain(why)
        for (const read of ['status', 'trust', 'provenance', 'backing', 'terms'] as const)
          await expectCode(directory[read](id), 'hidden')
        await expectCode(directory.purchases(id, parsePurchasesQuery({})), 'hidden')
        const ids = async () => [
          ...(await list({ limit: 100 })).services.decode().map(each => each.id),
          ...(await search({ q: 'thylacine' })).services.decode().map(each => each.id),
          ...(await directory.searchByIntent(parseIntentQuery({ q: 'thylacine feed' })))
            .decode()
            .results.map(({ service }) => service.id),
          ...(await Array.fromAsync(directory.export())).map(each => each.id),
        ]
        expect(await ids()).not.toContain(id)
        expect(await Array.fromAsync(opened.operator.exportServices())).not.toContainEqual(
          expect.objectContaining({ id }),
        )
        expect((await directory.categories()).find(each => each.id === 'thylacines')).toBeUndefined()
        const changes = async (since: string) =>
          (await directory.changes(parseChangesQuery({ since })))
            .decode()
            .changes.filter(each => each.id === id)
        expect(await changes(next)).toMatchObject([{ type: 'delete' }])
        const [told] = (await directory.history(id, parseHistoryQuery({}))).decode().items
        expect(told).toMatchObject({
          ...{ kind: 'event', type: 'removed', code: 'hidden_by_operator', values: { why } },
          ...{ before: service, after: null },
        })
        await expectCode(directory.edit(id, { name: 'Other' }, { key: opened.key }), 'hidden')
        await expectCode(directory.restore(id, { key: opened.key }), 'hidden')

        await showService(opened.databaseUrl, id)
        await until(async () => !(await isCode(directory.get(id), 'hidden')))
        expect((await directory.get(id)).decode()).toEqual(service)
        expect(await ids()).toContain(id)
        expect(await changes(next)).toMatchObject([{ type: 'upsert', service }])
      })

      test('and lets only an operator remove it: its owner could list it again as if nothing had happened', async () => {
        const { key } = await newKey()
        const { id } = await directory.register({ ...draft, name: 'Thylacine Den' }, { key })
        await hideService(opened.databaseUrl, id, 'Malware.')
        await until(() => isCode(directory.get(id), 'hidden'))
        await expectCode(directory.remove(id, { key }), 'hidden')
        const admin = await newKey(['register', 'admin'])
        await directory.remove(id, { key: admin.key })
        await expectCode(directory.get(id), 'not_found')
      })
    })

    describe('takes reports', () => {
      const keyOf = async (scopes?: Scope[]) => (await newKey(scopes)).key
      const body = { kind: 'impostor', text: 'It poses as another.' }
      const open = parseReportsQuery({})

      test('from anybody with a key, once until they are resolved, for operators alone', async () => {
        const service = await register({ ...draft, name: 'Quoll Posing' })
        const [key, admin] = [await keyOf(), await keyOf(['admin'])]
        const { report, ignored } = await directory.report(service.id, { ...body, extra: 1 }, { key })
        expect(report).toMatchObject({ ...body, serviceId: service.id, resolvedAt: null })
        expect(report.id).toStartWith('rep_')
        expect(ignored).toEqual(['extra'])
        const again = await directory.report(service.id, { ...body, kind: 'malware' }, { key })
        expect(again.report).toEqual(report)
        expect(await directory.listReports(open, { key: admin })).toContainEqual(report)
        // Nothing follows from it.
        expect((await directory.get(service.id)).decode()).toEqual(service)

        for (const refused of [
          directory.listReports(open, { key }),
          directory.resolveReport(report.id, { key }),
        ])
          await expectCode(refused, 'forbidden')
        await directory.resolveReport(report.id, { key: admin })
        await expectCode(directory.resolveReport(report.id, { key: admin }), 'not_found')
        const resolved = await directory.listReports(parseReportsQuery({ state: 'resolved' }), { key: admin })
        expect(resolved.map(({ id }) => id)).toContain(report.id)
        expect((await directory.report(service.id, body, { key })).report.id).not.toBe(report.id)
      })

      test('of known kinds about services that are there, in bounded text, and not without end', async () => {
        const key = await keyOf()
        const { id } = await register({ ...draft, name: 'Quoll Loud' })
        const error = await errorOf(directory.report(id, { kind: 'boring', text: 'x'.repeat(1001) }, { key }))
        expect(error.problems.map(({ path }) => path)).toEqual(['kind', 'text'])
        await expectCode(directory.report('svc_none', body, { key }), 'not_found')
        await expectCode(directory.report(id, body, { key: 'shb_wrong_key' }), 'unauthorized')
        for (let sent = 0; sent < 20; sent++) await directory.report(id, body, { key })
        await expectCode(directory.report(id, body, { key }), 'rate_limited')
      })
    })

    describe('sends webhooks', () => {
      const url = 'https://receiver.example/hook'
      const keyOf = async (scopes?: Scope[]) => (await newKey(scopes)).key

      test('to everyone who registers one, with a secret that is shown once', async () => {
        const key = await keyOf()
        const filter = { category: 'weather', serviceId: ['svc_標'] }
        const sent = { url, events: ['service.removed', 'service.price_changed'], filter }
        const made = await directory.createWebhook({ ...sent, note: '標' }, { key })
        const { secret, ...webhook } = made.webhook
        expect(made.ignored).toEqual(['note'])
        expect(secret).toMatch(/^whsec_/)
        expect(webhook).toMatchObject({
          ...{ ...sent, state: 'unconfirmed', confirmedAt: null, reason: null },
          nextTryAt: new Date(Date.parse(webhook.createdAt) + 1_000).toISOString(),
        })
        expect(await directory.listWebhooks({ key })).toEqual([webhook])
        const second = await directory.createWebhook({ url }, { key })
        expect(second.webhook.events).toEqual(FEED_EVENT_TYPES)
        expect(second.webhook.secret).not.toBe(secret)
        expect((await directory.listWebhooks({ key })).map(({ id }) => id)).toEqual([
          webhook.id,
          second.webhook.id,
        ])
        await directory.removeWebhook(webhook.id, { key })
        await expectCode(directory.removeWebhook(webhook.id, { key }), 'not_found')
        expect(await directory.listWebhooks({ key })).toHaveLength(1)
      })

      test('to no reserved name, and reports it', async () => {
        const key = await keyOf()
        const { webhook } = await directory.createWebhook({ url }, { key })
        expect(await directory.testWebhook(webhook.id, { key })).toEqual({
          delivered: false,
          httpStatus: null,
          latencyMs: 0,
          detail:
            'receiver.example is reserved for examples and tests, so nothing is sent there. Remove this webhook and add one with your own URL.',
          code: 'delivery_to_reserved_name',
          values: { host: 'receiver.example' },
        })
      })

      test('only for the owner of the webhook, with a valid key and body', async () => {
        const key = await keyOf()
        const { webhook } = await directory.createWebhook({ url }, { key })
        const other = await keyOf()
        await expectCode(directory.removeWebhook(webhook.id, { key: other }), 'not_found')
        await expectCode(directory.testWebhook(webhook.id, { key: other }), 'not_found')
        for (const id of ['', '.', '..', 'a/b', '標', 'x'.repeat(500)]) {
          await expectCode(directory.removeWebhook(id, { key }), 'not_found')
          await expectCode(directory.testWebhook(id, { key }), 'not_found')
        }
        await expectCode(directory.createWebhook({ url }, { key: 'unknown-key' }), 'unauthorized')
        await expectCode(directory.listWebhooks({ key: 'unknown-key' }), 'unauthorized')
        for (const body of [{}, [], 'text', null, { url: 'http://10.0.0.1/' }, { url, filter: { id: 'a' } }])
          await expectCode(directory.createWebhook(body, { key }), 'invalid_request')
        expect(await directory.listWebhooks({ key: other })).toEqual([])
        await directory.removeWebhook(webhook.id, { key: await keyOf(['admin']) })
        expect(await directory.listWebhooks({ key })).toEqual([])
      })
    })

    describe('reads', () => {
      test('pages that follow one another without a gap', async () => {
        const all = (await list({ limit: 100, sortBy: 'name' })).services.decode()
        const first = await list({ limit: 7, sortBy: 'name' })
        const second = await list({ limit: 7, offset: 7, sortBy: 'name' })
        expect([...first.services.decode(), ...second.services.decode()]).toEqual(all.slice(0, 14))
        expect(second.total).toBe(all.length)
        expect((await list({ offset: 100_000 })).services.decode()).toEqual([])
      })

      test('nothing for a category, chain or word that does not occur', async () => {
        for (const query of [{ category: 'nowhere' }, { chain: 'nochain' }, { query: 'xyzzyplugh' }]) {
          expect(await list(query)).toMatchObject({ total: 0 })
        }
        expect((await search({ q: 'xyzzyplugh' })).services.decode()).toEqual([])
      })

      test('text of any script in a query as it was typed', async () => {
        const odd = await register({ ...draft, name: '潮位表 & 50%+ #1?' })
        const found = (await search({ q: '潮位表 & 50%+ #1?' })).services.decode()
        expect(found.map(({ id }) => id)).toContain(odd.id)
        const q = '潮位表 & 50%+ #1?'
        expect((await directory.searchByIntent(parseIntentQuery({ q }))).decode().query).toBe(q)
      })

      test('the status record of a service, with exactly its fields', async () => {
        const service = (await list({ status: 'verified' })).services.decode()[0]!
        const status = (await directory.status(service.id)).decode()
        expect(Object.keys(status)).toEqual(
          'id trustScore status uptimeScore lastChecked txCount totalRevenue'.split(' '),
        )
        expect(status).toMatchObject({ id: service.id, trustScore: service.trustScore, status: 'verified' })
        expect(typeof status.totalRevenue).toBe('number')
      })

      const NO_IDS = [
        'svc_00000000000000000000000000',
        '',
        '.',
        '..',
        'a/b',
        'search',
        '%',
        '標',
        'x'.repeat(500),
      ]
      test.each(NO_IDS)('no service under the id %j', async id => {
        for (const read of ['get', 'status', 'trust', 'provenance', 'backing', 'terms'] as const)
          await expectCode(directory[read](id), 'not_found')
        await expectCode(directory.history(id, parseHistoryQuery({})), 'not_found')
        await expectCode(directory.purchases(id, parsePurchasesQuery({})), 'not_found')
        await expectCode(directory.call(id, { for: 'curl' }), 'not_found')
        await expectCode(directory.rank(id, { q: 'weather' }), 'not_found')
      })

      test('where a service stands for a sentence, and what would help', async () => {
        const { id } = await register({
          ...draft,
          name: 'Numbat',
          description: 'Numbat sightings by reserve.',
        })
        const q = 'numbat sightings on Base'
        const { results, total } = (await directory.searchByIntent(parseIntentQuery({ q }))).decode()
        expect((await directory.rank(id, { q })).decode()).toMatchObject({ id, query: q, total, unmet: [] })
        expect(results[0]!.service.id).toBe(id)
        const elsewhere = (await directory.rank(id, { q: 'numbat sightings on Solana' })).decode()
        expect(elsewhere).toMatchObject({ position: null, parts: null, unmet: ['chain'], before: [] })
        expect(elsewhere.help.map(({ text }) => text)).toEqual([
          'The sentence has a condition that this service does not meet: on Solana.',
        ])
      })

      test('the history of a service, in pages that follow one another', async () => {
        const { id, createdAt } = await register(draft)
        const { seen } = await opened.found(id, 3)
        const whole = (await directory.history(id, parseHistoryQuery({ limit: 100 }))).decode()
        expect(Object.keys(whole)).toEqual(['id', 'items', 'next', 'days'])
        expect(whole).toMatchObject({ id, next: null })
        expect(whole.items.map(({ kind }) => kind)).toEqual([
          ...['probe', 'probe', 'event', 'probe', 'event'],
        ] as never)
        expect(whole.items[2]).toEqual({
          kind: 'event',
          at: seen[0]!.at,
          type: 'status',
          reason: `It asks to pay ${WALLET}, as listed. It responds with status 402.`,
          code: 'several',
          values: { messages: [...seen[0]!.reasons] },
          before: 'unverified',
          after: 'verified',
        })
        expect(whole.items[3]).toEqual({
          kind: 'probe',
          at: seen[0]!.at,
          outcome: 'payable',
          httpStatus: 402,
          latencyMs: 80,
          priceSeen: '0.0025',
          asListed: true,
          reasons: [`It asks to pay ${WALLET}, as listed.`, 'It responds with status 402.'],
          reasonCodes: [
            { code: 'address_as_registered', values: { address: WALLET } },
            { code: 'answers', values: { status: 402 } },
          ],
        })
        expect(whole.items[4]).toMatchObject({
          ...{ type: 'registered', at: createdAt, reason: null, code: null, values: null },
        })
        expect(whole.days.reduce((sum, { up }) => sum + up, 0)).toBe(3)

        const paged = []
        for (let before: string | null = ''; before !== null; ) {
          const page: typeof whole = (
            await directory.history(id, parseHistoryQuery({ limit: 2, before, days: 0 }))
          ).decode()
          expect(page.days).toEqual([])
          paged.push(...page.items)
          before = page.next
        }
        expect(paged).toEqual(whole.items)
      })

      test('where a service came from', async () => {
        const { id, createdAt } = await register(draft)
        expect((await directory.provenance(id)).decode()).toEqual({
          id,
          source: 'registered',
          sourceUrl: null,
          firstSeen: createdAt,
          origin: null,
          owned: true,
          follows: false,
        })
        const [sample] = (await list({ query: 'skycast' })).services.decode()
        const record = (await directory.provenance(sample!.id)).decode()
        expect(record).toMatchObject({ source: 'sample', owned: false, follows: false })
      })

      test('the trust of a service as components that add up to its score', async () => {
        const { id, trustScore } = await register(draft)
        const parts = async () => (await directory.trust(id)).decode()
        expect(await parts()).toMatchObject({ id, trustScore, status: 'unverified' })
        await opened.found(id, 2)
        const { components, ...trust } = await parts()
        const served = (await directory.get(id)).decode()
        expect(trust).toMatchObject({ id, trustScore: served.trustScore, status: 'verified' })
        expect(pointsOf({ components })).toBe(served.trustScore)
        expect(components.map(({ name }) => name)).toEqual([
          ...(['verification', 'uptime', 'stability', 'latency', 'age', 'payers', 'delivery'] as const),
        ])
        const [sample] = (await list({ query: 'skycast' })).services.decode()
        const invented = (await directory.trust(sample!.id)).decode()
        expect(invented).toMatchObject({ trustScore: 0, components: [{ name: 'sample', points: 0 }] })
      })

      test('the terms of the endpoint of a service, compared with the listing', async () => {
        const pricing = { currency: 'USDC', pricePerRequest: '0.001', freeQuota: 0 }
        const x402Config = { ...draft.x402Config, paymentAddress: seenWay.payTo }
        const quokka = { ...draft, name: 'Quokka Cheapest', category: 'quokkas', pricing, x402Config }
        const { id } = await register(quokka)
        await expectCode(directory.terms(id), 'no_terms')
        await expectCode(directory.call(id, { for: 'typescript' }), 'no_terms')
        const ids = async () => {
          const filters = { maxPricePerRequest: '0.002' }
          const offers = await directory.searchResources(
            parseBazaarQuery(bazaarSearchQuerySchema)({ query: 'quokka', limit: 100, maxUsdPrice: '0.002' }),
          )
          return [
            ...(await list({ ...filters, category: 'quokkas' })).services.decode(),
            ...(await list({ ...filters, query: 'quokka' })).services.decode(),
            ...(await directory.searchByIntent(parseIntentQuery({ ...filters, q: 'quokka cheapest' })))
              .decode()
              .results.map(({ service }) => service),
            ...(await list({ category: 'quokkas', maxUsdPrice: '0.002' })).services.decode(),
          ]
            .map(each => each.id)
            .concat(
              offers
                .decode()
                .resources.flatMap(item => (JSON.stringify(item).includes('Quokka') ? [id] : [])),
            )
            .filter(each => each === id).length
        }
        expect(await ids()).toBeGreaterThanOrEqual(4)
        await opened.found(id, 1)
        for (const language of CALL_LANGUAGES) {
          const text = await directory.call(id, { for: language })
          expect([language, text]).toEqual([language, expect.stringContaining('weather.example/v1')])
        }
        const terms = (await directory.terms(id)).decode()
        expect(termsSchema.parse(terms)).toEqual(terms)
        expect(terms).toMatchObject({
          id,
          x402Version: 2,
          asListed: { price: 'higher', network: true },
          usdPrice: '0.0025',
          usdPriceAt: null,
          payableByDefaultClient: true,
          notes: ['Its endpoint asks for 0.0025 USDC per request, more than the listed 0.001 USDC.'],
          resources: [{ method: 'GET', accepts: [{ scheme: 'exact', amount: '2500' }], source: '402' }],
        })
        expect(await ids()).toBe(0)
        const dear = parseListQuery({ category: 'quokkas', maxPricePerRequest: '0.0025' })
        expect((await directory.list(dear)).services.decode().map(each => each.id)).toContain(id)
      })

      test('no endpoint if probing is off, and refuses a check without a key', async () => {
        const check = (body: unknown, key = opened.key) => directory.check(body, { key })
        await expectCode(check({ endpoint: 'https://tides.example/v1' }, 'unknown-key'), 'unauthorized')
        await expectCode(check({ endpoint: 7, x402Config: 'base' }), 'invalid_request')
        await expectCode(check({ endpoint: 'https://tides.example/v1' }), 'forbidden')
      })

      test('a sentence, and returns how it was understood', async () => {
        const answer = (
          await directory.searchByIntent(parseIntentQuery({ q: '東京の天気を知りたい', limit: 3 }))
        ).decode()
        expect(answer.query).toBe('東京の天気を知りたい')
        expect(answer.tokens).toContain('天気')
        expect(answer.results.length).toBeGreaterThan(0)
        expect(answer.results.length).toBeLessThanOrEqual(3)
        expect(answer.matchedTokens.every(token => answer.tokens.includes(token))).toBe(true)
        expect(Object.keys(answer.results[0]!)).toEqual(
          'service score matchedTokens reason usdPrice usdPriceAt protocols backing'.split(' '),
        )
        expect(Object.keys(answer.results[0]!.service)).toEqual(SERVICE_FIELDS)
      })

      test('the whole catalog for an export, with exactly its fields', async () => {
        const entries = await Array.fromAsync(directory.export())
        expect(entries).toHaveLength((await list()).total!)
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
        for (const entry of entries) {
          expect(Object.keys(entry)).toEqual(
            'id name endpoint category pricing x402Config trustScore status'.split(' '),
          )
          expect(Object.keys(entry.pricing)).toEqual(['currency', 'pricePerRequest'])
        }
        expect(entries.some(({ category }) => category === 'Developer Tools')).toBe(true)
      })

      test('an export that its reader may leave early', async () => {
        for await (const entry of directory.export()) {
          expect(isServiceId(entry.id)).toBe(true)
          break
        }
      })

      test('the categories with their labels and counts', async () => {
        const categories = await directory.categories()
        const counted = categories.reduce((sum, { count }) => sum + count, 0)
        expect(counted).toBe((await list()).total!)
        expect(categories.find(({ id }) => id === 'weather')?.labels).toEqual({ en: 'Weather', ja: '天気' })
      })

      test('changes with the present state, and later ones from its position on', async () => {
        const read = async (query: object) => (await directory.changes(parseChangesQuery(query))).decode()
        const whole = await read({ limit: 1000 })
        expect(whole.caughtUp).toBe(true)
        expect(whole.changes.filter(({ type }) => type === 'upsert')).toHaveLength((await list()).total!)
        expect((await read({ since: whole.next })).changes).toEqual([])
        const service = await register({ ...draft, name: 'Awaited' })
        const { changes, next } = await read({ since: whole.next })
        expect(changes).toEqual([
          { seq: Number(next.split('-')[0]), id: service.id, type: 'upsert', service },
        ])
      })

      test('events as they happen, and from a number on', async () => {
        const leaving = new AbortController()
        const service = await register({ ...draft, name: 'First of two' })
        const told = directory.events({ after: 0, signal: leaving.signal })[Symbol.asyncIterator]()
        const next = async (id: string): Promise<FeedEvent> => {
          for (;;) {
            const { value } = await told.next()
            if (value.serviceId === id) return value
          }
        }
        const first = await next(service.id)
        expect(first).toMatchObject({ type: 'service.registered', after: service, before: null })
        const later = await register({ ...draft, name: 'Second of two' })
        expect((await next(later.id)).number).toBeGreaterThan(first.number)
        leaving.abort()
        const again = directory.events({ after: first.cursor, signal: AbortSignal.timeout(30_000) })
        for await (const { number, serviceId } of again) {
          expect(number).toBeGreaterThan(first.number)
          if (serviceId === later.id) break
        }
      })

      test('that a cursor is not of its history, and what to do then', async () => {
        const foreign = '1-0123456789abcdef'
        const { next } = (await directory.changes(parseChangesQuery({ limit: 1000 }))).decode()
        const beyond = `${Number(next.split('-')[0]) + 1_000}`
        for (const since of [foreign, beyond, `${beyond}-${next.split('-')[1]}`]) {
          await expect(directory.changes(parseChangesQuery({ since }))).rejects.toMatchObject({
            code: 'history_changed',
            message: expect.stringMatching(/since=0/),
          })
          const told = directory.events({ after: since })[Symbol.asyncIterator]()
          await expect(told.next()).rejects.toMatchObject({ code: 'history_changed' })
        }
      })

      test('its own health', async () => {
        const { state, reason, seq, services } = await directory.health()
        expect({ state, reason }).toEqual({ state: 'ready', reason: null })
        expect(services).toBe((await list()).total!)
        expect(seq).toBeGreaterThanOrEqual(services)
      })
    })
  })
}
