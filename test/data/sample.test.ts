// The sample catalog is what a newcomer sees first: it must be believable, and valid as a registration is.
import { describe, expect, test } from 'bun:test'
import { KNOWN_CATEGORIES } from '../../src/domain/categories.ts'
import { chainKey } from '../../src/domain/chains.ts'
import { readDraft } from '../../src/domain/draft.ts'
import type { ServiceDraft } from '../../src/domain/service.ts'
import type { Status } from '../../src/domain/standing.ts'

type SampleLine = ServiceDraft & {
  readonly standing: {
    readonly status: Status
    readonly trustScore: number
    readonly uptimeScore: number
    readonly txCount: number
    readonly totalRevenue: string
    readonly supportedChains?: readonly string[]
  }
}

const text = await Bun.file(new URL('../../data/sample.ndjson', import.meta.url)).text()
const sample = text
  .trimEnd()
  .split('\n')
  .map(line => JSON.parse(line) as SampleLine)

const hostOf = (entry: SampleLine) => new URL(entry.endpoint).host
const isJapanese = (entry: SampleLine) => /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(entry.description)
const distinct = <T>(values: readonly T[]) => new Set(values).size
const withStatus = (status: Status) => sample.filter(entry => entry.standing.status === status)

/** A decimal amount as a whole number of its 18th decimal places, so that products are exact. */
function toUnits(decimal: string): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(18, '0'))
}

describe('the sample catalog', () => {
  test('holds about sixty services, a third of them described in Japanese', () => {
    expect(sample.length).toBeGreaterThanOrEqual(60)
    expect(sample.length).toBeLessThanOrEqual(64)
    const share = sample.filter(isJapanese).length / sample.length
    expect(share).toBeGreaterThanOrEqual(1 / 3)
    expect(share).toBeLessThan(0.4)
  })

  test('spreads over many categories, chains and currencies, all of them known', () => {
    for (const { category } of sample) expect(KNOWN_CATEGORIES).toHaveProperty(category)
    expect(distinct(sample.map(entry => entry.category))).toBeGreaterThanOrEqual(15)
    expect(distinct(sample.map(entry => chainKey(entry.x402Config.network)))).toBeGreaterThanOrEqual(9)
    expect(distinct(sample.map(entry => entry.pricing.currency))).toBeGreaterThanOrEqual(5)
  })

  test.each(sample.map(entry => [entry.name, entry] as const))(
    'would be accepted as a registration: %s',
    (_, entry) => {
      const { ignored, notices } = readDraft(entry, { allowPrivateEndpoints: false, strictAddresses: true })
      expect(ignored).toEqual(['standing'])
      expect(notices).toEqual([])
    },
  )

  test('lives on reserved hosts, each its own', () => {
    for (const entry of sample) expect(hostOf(entry)).toEndWith('.example')
    expect(distinct(sample.map(hostOf))).toBe(sample.length)
  })

  test('repeats no name, description or wallet', () => {
    for (const field of ['name', 'description'] as const)
      expect(distinct(sample.map(entry => entry[field]))).toBe(sample.length)
    expect(distinct(sample.map(entry => entry.x402Config.paymentAddress.toLowerCase()))).toBe(sample.length)
  })

  test('asks from nothing to dear, with free requests from about a quarter', () => {
    const prices = sample.map(entry => Number(entry.pricing.pricePerRequest))
    expect(Math.min(...prices)).toBe(0)
    expect(prices.filter(price => price > 0 && price < 0.001).length).toBeGreaterThanOrEqual(3)
    expect(Math.max(...prices)).toBeGreaterThanOrEqual(25)
    const free = sample.filter(entry => entry.pricing.freeQuota).length / sample.length
    expect(free).toBeGreaterThan(0.2)
    expect(free).toBeLessThan(0.3)
  })
})

describe('the standing of a sample service', () => {
  test('is verified for about half, unverified for about a third, inactive for the rest', () => {
    expect(withStatus('verified').length / sample.length).toBeCloseTo(1 / 2, 1)
    expect(withStatus('unverified').length / sample.length).toBeCloseTo(1 / 3, 1)
    expect(withStatus('inactive').length).toBeGreaterThanOrEqual(6)
  })

  test.each([
    ['verified', 60, 97],
    ['unverified', 10, 55],
    ['inactive', 0, 25],
  ] as const)('gives %s services a whole trust score from %i to %i', (status, low, high) => {
    for (const { standing } of withStatus(status)) {
      expect(standing.trustScore).toBeInteger()
      expect(standing.trustScore).toBeWithin(low, high + 1)
    }
  })

  test('has an uptime in percent with at most two decimals', () => {
    for (const { standing } of sample) {
      expect(standing.uptimeScore).toBeWithin(0, 100)
      expect(Number(standing.uptimeScore.toFixed(2))).toBe(standing.uptimeScore)
    }
  })

  test('has earned exactly its price for every payment', () => {
    for (const { pricing, standing } of sample) {
      expect(standing.txCount).toBeInteger()
      expect(toUnits(standing.totalRevenue)).toBe(toUnits(pricing.pricePerRequest) * BigInt(standing.txCount))
    }
  })

  test('names the registered network first among the supported chains, each once', () => {
    for (const { x402Config, standing } of sample) {
      if (!standing.supportedChains) continue
      expect(standing.supportedChains[0]).toBe(x402Config.network)
      expect(distinct(standing.supportedChains.map(chainKey))).toBe(standing.supportedChains.length)
    }
  })
})
