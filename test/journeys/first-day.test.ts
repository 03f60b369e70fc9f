// A directory that follows the lists of facilitators says something of their services a day later, and says it alike at every door.
import { describe, expect, test } from 'bun:test'
import type { Entry } from '../../src/domain/listing/service.ts'
import { LEVELS, type Level } from '../../src/domain/standing/standing.ts'
import { levelOf, type Trust } from '../../src/domain/standing/trust.ts'
import type { TermsAnswer } from '../../src/domain/terms/terms.ts'
import { openTestServer } from '../http/directory-server.ts'
import { call, connectOverHttp } from '../mcp/connect.ts'
import { onBase, SIGNABLE, SOLANA_PAYEE } from '../probe/merchant.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { type Listed, type Merchant, simulateDay } from './first-day.ts'

const USDC_ON_SOLANA = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
let wallets = 0
const newWallet = () => `0x${String(++wallets).padStart(40, '7')}`
const priceOf = (i: number) => ['1000', '10000', '50000', '250000'][i % 4]!

/** As Coinbase publishes it: version 2, with counts of its own. */
const byCoinbase = (merchant: Merchant, i: number, more: Partial<Listed> = {}): Listed => ({
  item: {
    resource: `https://cdp-${i}-shop.com/v1`,
    type: 'http',
    x402Version: 2,
    description: `Service ${i} of Coinbase's list`,
    accepts: [{ ...onBase, amount: priceOf(i), payTo: newWallet(), extra: SIGNABLE }],
    lastUpdated: '2026-11-01T00:00:00Z',
    quality: { l30DaysTotalCalls: 40 * i, l30DaysUniquePayers: i, lastCalledAt: '2026-11-17T08:00:00Z' },
  },
  merchant,
  ...more,
})

/** As PayAI publishes it: version 1. */
const byPayAi = (merchant: Merchant, i: number, more: Partial<Listed> = {}, accepts: object = {}): Listed => {
  const { amount: _, network: __, ...rest } = onBase
  const resource = `https://payai-${i}-shop.com/api`
  const ways = { network: 'base', maxAmountRequired: priceOf(i), payTo: newWallet(), extra: SIGNABLE }
  return {
    item: {
      resource,
      type: 'http',
      x402Version: 1,
      accepts: [{ ...rest, ...ways, resource, description: `Service ${i}`, mimeType: '', ...accepts }],
      lastUpdated: 1_790_000_000,
    },
    merchant,
    ...more,
  }
}

/** As Circle publishes it: a deposit at its Gateway beside the plain way. */
const byCircle = (merchant: Merchant, i: number): Listed => {
  const { item, ...rest } = byCoinbase(merchant, i)
  const gateway = { ...item.accepts[0], extra: { name: 'GatewayWalletBatched', version: '1' } }
  return {
    ...rest,
    item: {
      ...item,
      resource: `https://circle-${i}-shop.com/x`,
      accepts: [item.accepts[0]!, gateway],
      quality: undefined,
    },
  }
}

const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i + 1))
/** A fifth asks to be paid, most of the rest is gone; ten sellers have nearly all payers: as censuses of real lists found. */
const LISTS = {
  'https://api.cdp.coinbase.com/platform/v2/x402/discovery/resources': [
    ...[60, 30, 12, 8, 5, 4, 3, 2, 1].map((payers, i) => byCoinbase('asks', 100 + i, { payers })),
    byCoinbase('asks', 120, { payers: 9, bought: ['delivered', 'delivered', 'delivered'] }),
    byCoinbase('asks', 121, { bought: ['delivered'] }),
    byCoinbase('asks', 122, { bought: ['settled_silent', 'refused_after_payment'] }),
    ...times(8, i => byCoinbase('asks', i)),
    ...times(3, i => byCoinbase('elsewhere', 20 + i)),
    ...times(3, i => byCoinbase('dearer', 30 + i)),
    ...times(4, i => byCoinbase('refuses', 40 + i)),
    ...times(30, i => byCoinbase('gone', 50 + i)),
    ...times(6, i => byCoinbase('dead', 90 + i)),
  ],
  'https://facilitator.payai.network/discovery/resources': [
    ...[20, 4, 2].map((payers, i) => byPayAi('asks', i, { payers })),
    byPayAi('asks', 9, {}, { network: 'solana', payTo: SOLANA_PAYEE, asset: USDC_ON_SOLANA }),
    ...times(10, i => byPayAi('gone', 20 + i)),
  ],
  'https://api.circle.com/v2/x402/discovery/resources': times(4, i => byCircle('asks', i)),
}

const databaseUrl = `sqlite:${temporaryPath('first-day.db')}`
const entries = await simulateDay(LISTS, databaseUrl)
const count = (level: Level) => entries.filter(each => levelOf(each) === level).length
const scoresOf = (level: Level) =>
  entries.filter(each => levelOf(each) === level).map(({ standing }) => standing.trustScore)

test('a day after it began to follow three lists, levels and scores are spread', () => {
  expect(Object.fromEntries(LEVELS.map(level => [level, count(level)]))).toEqual({
    danger: 7,
    listed: 50,
    verified: 17,
    // Wallets that paid less than a cent in all do not count.
    paid: 8,
    delivers: 2,
  })
  const scores = entries.map(({ standing }) => standing.trustScore)
  expect(new Set(scores).size).toBeGreaterThan(10)
  expect(Math.min(...scoresOf('verified'))).toBeGreaterThan(Math.max(...scoresOf('listed')))
  expect(Math.max(...scoresOf('paid'))).toBeGreaterThan(Math.max(...scoresOf('verified')))
})

const WORDS: Readonly<Record<Level, readonly [en: string, ja: string]>> = {
  danger: ['Do not pay', '支払わないでください'],
  listed: ['Unverified', '未検証'],
  verified: ['Verified', '検証済み'],
  paid: ['Paid by others', '第三者の支払い実績あり'],
  delivers: ['Delivered in a test', 'テストで提供を確認'],
}

describe('page, MCP and API say the same of', () => {
  const examples: (readonly [string, Entry])[] = [
    ...LEVELS.map(
      level => [`a service that is ${level}`, entries.find(each => levelOf(each) === level)!] as const,
    ),
    ['one on a chain that is not read', entries.find(({ x402Config }) => x402Config.network === 'solana')!],
  ]

  test.each(examples)('%s', async (_, entry) => {
    const { id, endpoint, standing } = entry
    const level = levelOf(entry)
    await using server = await openTestServer({ DATABASE_URL: databaseUrl })
    const trust: Trust = await server.json(`/api/services/${id}/trust`)
    expect(trust).toMatchObject({ level, trustScore: standing.trustScore })
    const resolved = await server.json(`/api/resolve?${new URLSearchParams({ url: endpoint })}`)
    expect(resolved).toMatchObject({ service: { level } })
    const listed: Entry[] = await server.json(`/api/services?level=${level}&limit=100`)
    expect(listed.map(each => each.id)).toContain(id)
    const client = await connectOverHttp(server.url)
    const { text, content } = await call(client, 'get_status', { id })
    await client.close()
    expect(content).toMatchObject({ level })
    expect(text).toContain(`level ${level}`)
    expect(text.includes('its payments are not read')).toBe(trust.payers === null)
    const pages = ['en', 'ja'].map(async lang => (await server.get(`/services/${id}?lang=${lang}`)).text())
    const [page, japanese] = (await Promise.all(pages)) as [string, string]
    const unknown = trust.components.filter(({ points }) => points === null).map(({ reason }) => reason)
    const said = [WORDS[level][0], ...unknown.map(reason => Bun.escapeHTML(reason))]
    expect(said.filter(words => !page.includes(words))).toEqual([])
    expect(japanese.includes(WORDS[level][1])).toBe(true)
  })
})

test('a plain way beside a deposit at a gateway can be paid', async () => {
  await using server = await openTestServer({ DATABASE_URL: databaseUrl })
  const { id } = entries.find(({ endpoint }) => endpoint.includes('circle'))!
  const terms: TermsAnswer = await server.json(`/api/services/${id}/terms`)
  expect(terms.payableByDefaultClient).toBe(true)
  expect(terms.noteCodes.map(({ code }) => code)).toContain('needs_deposit')
})
