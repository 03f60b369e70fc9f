// The sample catalog is what a newcomer sees first: it must be believable, and valid as a registration is.
// The judged queries speak of it by host, with a standing for each, so what they claim is checked against both here.
import { describe, expect, test } from 'bun:test'
import { chainKey } from '../../src/domain/chains/chains.ts'
import { KNOWN_CATEGORIES } from '../../src/domain/listing/categories.ts'
import { readDraft, type ServiceDraft } from '../../src/domain/listing/service.ts'
import { CURRENCY_FAMILIES, compareDecimals, currencyKey } from '../../src/domain/money/money.ts'
import type { Status } from '../../src/domain/standing/standing.ts'
import { readStandings, type StandingLine } from '../quality/standing-sample.ts'

type SampleLine = ServiceDraft & Pick<StandingLine, 'standing'>

const LANGUAGES = ['en', 'ja', 'mixed'] as const
const KINDS = [
  'keyword',
  'question',
  'task',
  'cross',
  'typo',
  'constraint',
  'named',
  'nothing',
  'mixed',
] as const

type Constraints = {
  readonly maxPricePerRequest?: string
  readonly currency?: string
  readonly chain?: string
  readonly status?: Status
  readonly category?: string
  readonly freeQuota?: true
}

type JudgedLine = {
  readonly query: string
  readonly lang: (typeof LANGUAGES)[number]
  readonly kind: (typeof KINDS)[number]
  readonly relevant: Readonly<Record<string, number>>
  readonly constraints?: Constraints
  readonly nothing?: true
}

async function readLines<Line>(path: string): Promise<Line[]> {
  const text = await Bun.file(new URL(path, import.meta.url)).text()
  return text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as Line)
}

const lines = await readLines<ServiceDraft>('../../data/sample.ndjson')
const standings = new Map((await readStandings()).map(({ endpoint, standing }) => [endpoint, standing]))
const sample = lines.map((line): SampleLine => ({ ...line, standing: standings.get(line.endpoint)! }))
const judged = await readLines<JudgedLine>('../quality/judged.ndjson')

const hostOf = (entry: SampleLine) => new URL(entry.endpoint).host
const isJapanese = (entry: SampleLine) => /[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(entry.description)
const distinct = <T>(values: readonly T[]) => new Set(values).size
const withStatus = (status: Status) => sample.filter(entry => entry.standing.status === status)

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

  test.each(lines.map(entry => [entry.name, entry] as const))(
    'would be accepted as a registration: %s',
    (_, entry) => {
      const { ignored, notices } = readDraft(entry, { allowPrivateEndpoints: false, strictAddresses: true })
      expect(ignored).toEqual([])
      expect(notices).toEqual([])
    },
  )

  test('is on reserved hosts, each its own', () => {
    for (const entry of sample) expect(hostOf(entry)).toEndWith('.example')
    expect(distinct(sample.map(hostOf))).toBe(sample.length)
  })

  test('repeats no name, description or wallet', () => {
    for (const field of ['name', 'description'] as const)
      expect(distinct(sample.map(entry => entry[field]))).toBe(sample.length)
    expect(distinct(sample.map(entry => entry.x402Config.paymentAddress.toLowerCase()))).toBe(sample.length)
  })
})

describe('the standing of a service of the judged catalog', () => {
  test('belongs to one of the sample', () => {
    expect([...standings.keys()].sort()).toEqual(lines.map(({ endpoint }) => endpoint).sort())
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
})

/** USD, JPY and EUR stand for a whole family, as "dollars" and 円 do in a sentence; any other code for itself. */
function isCurrencyCovered(wanted: string, currency: string): boolean {
  const family = Object.values(CURRENCY_FAMILIES).find(([head]) => head === currencyKey(wanted))
  return (family ?? [currencyKey(wanted)]).includes(currencyKey(currency))
}

/** Names every constraint that the entry breaks. */
function brokenConstraints(entry: SampleLine, wanted: Constraints): string[] {
  const { pricing, standing, x402Config } = entry
  const chains = (standing.supportedChains ?? [x402Config.network]).map(chainKey)
  const holds: Record<keyof Constraints, boolean> = {
    maxPricePerRequest:
      wanted.maxPricePerRequest === undefined ||
      compareDecimals(pricing.pricePerRequest, wanted.maxPricePerRequest) <= 0,
    currency: wanted.currency === undefined || isCurrencyCovered(wanted.currency, pricing.currency),
    chain: wanted.chain === undefined || chains.includes(chainKey(wanted.chain)),
    status: wanted.status === undefined || standing.status === wanted.status,
    category: wanted.category === undefined || entry.category === wanted.category,
    freeQuota: wanted.freeQuota === undefined || (pricing.freeQuota ?? 0) > 0,
  }
  for (const name of Object.keys(wanted)) expect(holds).toHaveProperty(name)
  return Object.entries(holds).flatMap(([name, held]) => (held ? [] : [name]))
}

describe('the judged queries', () => {
  const share = (lang: JudgedLine['lang']) => judged.filter(line => line.lang === lang).length / judged.length

  test('are at least 180, half of them Japanese, of every kind, none twice', () => {
    expect(judged.length).toBeGreaterThanOrEqual(180)
    expect(share('ja')).toBeGreaterThanOrEqual(0.5)
    expect(share('mixed')).toBeGreaterThan(0)
    for (const { lang } of judged) expect(LANGUAGES).toContain(lang)
    expect(new Set(judged.map(line => line.kind))).toEqual(new Set(KINDS))
    expect(distinct(judged.map(line => line.query))).toBe(judged.length)
  })

  test('grade hosts of the sample catalog from 1 to 3, the exact answer among them, or say that nothing fits', () => {
    const hosts = new Set(sample.map(hostOf))
    for (const { query, kind, relevant, nothing } of judged) {
      const unknown = Object.keys(relevant).filter(host => !hosts.has(host))
      expect({ query, unknown }).toEqual({ query, unknown: [] })
      const grades = Object.values(relevant)
      for (const grade of grades) expect([1, 2, 3]).toContain(grade)
      expect({ query, exact: grades.includes(3) }).toEqual({ query, exact: !nothing })
      expect({ query, nothing: nothing === true }).toEqual({ query, nothing: kind === 'nothing' })
    }
  })

  test('list only services that satisfy the constraints of the sentence', () => {
    const constrained = judged.filter(line => line.constraints)
    expect(constrained.length).toBeGreaterThanOrEqual(40)
    for (const { query, relevant, constraints = {} } of constrained)
      for (const entry of sample.filter(entry => hostOf(entry) in relevant)) {
        const broken = brokenConstraints(entry, constraints)
        expect({ query, host: hostOf(entry), broken }).toEqual({ query, host: hostOf(entry), broken: [] })
      }
  })

  test('match across languages where they are marked so', () => {
    for (const { query, lang, relevant } of judged.filter(line => line.kind === 'cross')) {
      const exact = sample.filter(entry => relevant[hostOf(entry)] === 3)
      const across = exact.some(entry => isJapanese(entry) === (lang === 'en'))
      expect({ query, across }).toEqual({ query, across: true })
    }
  })

  test('ask for every service of the sample catalog at least once', () => {
    const asked = new Set(
      judged.flatMap(line => Object.keys(line.relevant).filter(host => line.relevant[host] === 3)),
    )
    expect(sample.map(hostOf).filter(host => !asked.has(host))).toEqual([])
  })
})
