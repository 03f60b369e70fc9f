import { describe, expect, test } from 'bun:test'
import { FEED_EVENT_TYPES, type FeedEvent } from '../../src/domain/feed.ts'
import { toService } from '../../src/domain/listing/service.ts'
import { readWebhookDraft, type WebhookFilter } from '../../src/domain/webhooks.ts'
import { isWanted } from '../../src/webhooks/deliveries.ts'
import { entry } from '../entries.ts'

const service = toService(entry({}, { supportedChains: ['base', 'solana'] }))
const event = (parts: Partial<FeedEvent> = {}): FeedEvent => ({
  number: 7,
  cursor: '7',
  type: 'service.price_changed',
  serviceId: service.id,
  seq: 9,
  at: '2026-11-01T12:00:00.000Z',
  ...{ reason: null, code: null, values: null },
  before: { amount: '0.002', currency: 'USDC' },
  after: { amount: '0.003', currency: 'USDC' },
  ...parts,
})
const wants = (filter: WebhookFilter, happened = event(), subject: typeof service | null = service) =>
  isWanted({ url: '', events: FEED_EVENT_TYPES, filter }, happened, subject)

describe('a webhook wants', () => {
  test('everything of the types it names, unless it filters', () => {
    expect(wants({})).toBe(true)
    const only = { url: '', events: ['service.removed' as const], filter: {} }
    expect(isWanted(only, event(), service)).toBe(false)
    expect(isWanted(only, event({ type: 'service.removed' }), service)).toBe(true)
  })

  test.each<[WebhookFilter, boolean]>([
    [{ category: 'Weather' }, true],
    [{ category: ['finance', 'weather'] }, true],
    [{ category: 'finance' }, false],
    [{ chain: 'eip155:8453' }, true],
    [{ chain: ['polygon', 'Solana'] }, true],
    [{ chain: 'polygon' }, false],
    [{ serviceId: service.id }, true],
    [{ serviceId: ['svc_other', service.id] }, true],
    [{ serviceId: 'svc_other' }, false],
    [{ category: 'weather', chain: 'base', serviceId: service.id }, true],
    [{ category: 'weather', chain: 'polygon' }, false],
  ])('matches of %j: %p', (filter, isSo) => {
    expect(wants(filter)).toBe(isSo)
  })

  test('the edit by which a service leaves or enters a category or chain', () => {
    const moved = event({
      type: 'service.updated',
      before: { category: 'finance', x402Config: { paymentAddress: '0x1', network: 'polygon' } },
      after: { category: 'weather', x402Config: { paymentAddress: '0x1', network: 'base' } },
    })
    expect(wants({ category: 'finance' }, moved)).toBe(true)
    expect(wants({ category: 'weather' }, moved)).toBe(true)
    expect(wants({ chain: 'polygon' }, moved)).toBe(true)
    expect(wants({ category: 'news' }, moved)).toBe(false)
  })

  test('with a filter, nothing of an unknown service', () => {
    expect(wants({ category: 'weather' }, event(), null)).toBe(false)
    expect(wants({}, event(), null)).toBe(true)
  })
})

describe('a webhook is read', () => {
  const policy = { allowPrivateEndpoints: false }
  const read = (body: unknown) => readWebhookDraft(body, policy)
  const problemsOf = (body: unknown) => {
    try {
      read(body)
    } catch (error) {
      return (error as { problems: { path: string }[] }).problems.map(({ path }) => path)
    }
  }

  test('with everything as it was sent, and all events unless it names some', () => {
    const filter = { category: 'Weather', chain: ['base', '8453'] }
    const body = { url: 'https://a.example/hook', events: ['service.removed', 'service.removed'], filter }
    expect(read(body)).toEqual({
      draft: { url: 'https://a.example/hook', events: ['service.removed'], filter },
      ignored: [],
    })
    expect(read({ url: 'https://a.example', name: 'x' })).toEqual({
      draft: { url: 'https://a.example', events: FEED_EVENT_TYPES, filter: {} },
      ignored: ['name'],
    })
  })

  test.each<[unknown, string[]]>([
    [null, ['']],
    [{}, ['url']],
    [{ url: 'ftp://a.example' }, ['url']],
    [{ url: 'http://127.0.0.1/' }, ['url']],
    [{ url: 'http://[::1]/' }, ['url']],
    [{ url: 'https://u:p@a.example/' }, ['url']],
    [{ url: 'https://a.example', events: [] }, ['events']],
    [{ url: 'https://a.example', events: 'all' }, ['events']],
    [{ url: 'https://a.example', events: ['price'] }, ['events.0']],
    [{ url: 'https://a.example', filter: { categories: 'weather' } }, ['filter']],
    [{ url: 'https://a.example', filter: { category: '!' } }, ['filter.category']],
    [{ url: 'https://a.example', filter: { chain: [] } }, ['filter.chain']],
    [{ url: 'https://a.example', filter: { query: 'weather' } }, ['filter']],
    [{ url: 'https://a.example', filter: { mine: false } }, ['filter.mine']],
    [{ url: 7, events: {}, filter: [] }, ['url', 'events', 'filter']],
  ])('not from %j', (body, paths) => {
    expect(problemsOf(body)).toEqual(paths)
  })

  test('for a private address where that is allowed', () => {
    const url = 'http://127.0.0.1:9/hook'
    expect(readWebhookDraft({ url }, { allowPrivateEndpoints: true }).draft.url).toBe(url)
  })
})
