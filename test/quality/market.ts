// A market of more than a thousand services in two languages, and judged queries over it, made from market.txt. Each line there is a
// kind of service: its id, category, descriptions in English and in Japanese, kinds that would do in part, and what people ask.

import type { Entry } from '../../src/domain/listing/service.ts'
import type { AppliedFilters } from '../../src/domain/queries/filters.ts'
import type { Status } from '../../src/domain/standing/standing.ts'
import { entry, withProof } from '../entries.ts'
import { passesFilters } from '../filters.ts'

type Kind = {
  readonly id: string
  readonly category: string
  readonly descriptions: Readonly<Record<Language, readonly string[]>>
  /** Grades of other kinds: 2 would do with some loss, 1 is related. */
  readonly near: ReadonlyMap<string, number>
  readonly queries: Readonly<Record<Language, readonly string[]>>
}
type Language = 'en' | 'ja'

export type MarketQuery = {
  readonly query: string
  readonly lang: Language
  readonly kind: 'plain' | 'constraint' | 'typo' | 'exclusion'
  /** By id of the service. */
  readonly grades: ReadonlyMap<string, number>
}

const listOf = (text: string): string[] => text.split(';').map(part => part.trim())

function toKind(line: string): Kind {
  const [id, category, en, ja, near, english, japanese] = line.split('|') as [string, ...string[]]
  const grades = near!.split(',').map(each => each.split(':') as [string, string])
  return {
    id,
    category: category!,
    descriptions: { en: listOf(en!), ja: listOf(ja!) },
    near: new Map(grades.map(([kind, grade]) => [kind, Number(grade)])),
    queries: { en: listOf(english!), ja: listOf(japanese!) },
  }
}

const HEADS = 'Nor Vel Ash Kur Tam Ori Bex Lun Fay Gro Hal Jun Kes Lom Mir Pax Quo Ren Sil Tov'.split(' ')
const TAILS = 'ana eki ilo oma uri ast enn ivo oru ugo ade ich ost umi ela arn isk opi uta elf'.split(' ')
const FORMS = ['', ' API', ' Hub', ' Works', ' Desk', ' One', ' Line', ' Box', ' Lab', ' Point', ' Base Camp']
const REMARKS: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'Answers as JSON.',
    'No sign-up, pay for each request.',
    'Up to a hundred in one batch.',
    'Most answers within a second.',
    'Documented with examples.',
    'Run by a small team in Lisbon.',
    'Trusted by startups since 2021.',
    'Updated several times a day.',
    'Stable versions, a year of notice before anything changes.',
    'Errors are explained in plain words.',
    'Made for agents.',
  ],
  ja: [
    ...'JSONで返します。 登録は要りません。 まとめて百件まで処理します。 ほとんどは一秒以内に返ります。 例の付いた説明書があります。 福岡の小さな会社が運営しています。'.split(
      ' ',
    ),
    ...'二〇二一年から使われています。'.split(' '),
  ],
}
const REMARK_SEEDS = [3, 7, 11, 13]
const CHAINS = ['base', 'base', 'solana', 'polygon', 'base', 'arbitrum', 'solana']
const PRICES = ['0.001', '0.02', '0.005', '0.1', '0.008', '0.05', '0.5']
const STATUSES: readonly Status[] = ['verified', 'verified', 'unverified', 'verified', 'inactive']
const PER_LANGUAGE: Readonly<Record<Language, number>> = { en: 6, ja: 5 }

/** Two words of no language, another pair for each service. */
const brandOf = (n: number): string =>
  `${HEADS[n % 20]}${TAILS[Math.floor(n / 20) % 20]}${n >= 400 ? HEADS[Math.floor(n / 400)]!.toLowerCase() : ''}`

/** All descriptions of a kind, in another order for each service: each service of a kind does everything that the kind describes. */
function arranged(descriptions: readonly string[], i: number): string[] {
  const turned = descriptions.map((_, at) => descriptions[(at + i) % descriptions.length]!)
  return i >= descriptions.length ? [turned[0]!, ...turned.slice(1).reverse()] : turned
}

function toServices(kind: Kind, place: number): { brand: string; entry: Entry }[] {
  const services: { brand: string; entry: Entry }[] = []
  for (const lang of ['en', 'ja'] as const) {
    for (let i = 0; i < PER_LANGUAGE[lang]; i++) {
      const n = place * 11 + services.length
      const brand = brandOf(n)
      const trustScore = 30 + ((n * 37) % 60)
      const remarks = REMARKS[lang]
      const told = REMARK_SEEDS.slice(0, 1 + (n % 3)).map(seed => remarks[(n * seed + i) % remarks.length])
      const description = arranged(kind.descriptions[lang], i).join(lang === 'en' ? '. ' : '。')
      const end = lang === 'en' ? '. ' : '。'
      services.push({
        brand,
        entry: withProof(
          entry(
            {
              name: `${brand}${FORMS[(n * 5) % FORMS.length]}`,
              description: `${description}${end}${[...new Set(told)].join(lang === 'en' ? ' ' : '')}`,
              category: kind.category,
              endpoint: `https://${brand.toLowerCase()}.example/v1`,
              pricing: {
                currency: 'USDC',
                pricePerRequest: PRICES[n % PRICES.length]!,
                freeQuota: n % 4 === 0 ? 100 : 0,
              },
              x402Config: {
                paymentAddress: `0x${(n + 1).toString(16).padStart(40, '0')}`,
                network: CHAINS[n % CHAINS.length]!,
              },
            },
            {
              now: new Date(Date.UTC(2026, 0, 1) + n * 60_000),
              standing: { status: STATUSES[n % STATUSES.length]!, trustScore },
            },
          ),
          trustScore,
        ),
      })
    }
  }
  return services
}

/** Conditions in the words of each language, and what they are. */
const CONDITIONS: readonly { en: string; ja: string; filter: AppliedFilters }[] = [
  { en: ', payable on Base', ja: 'Baseで払える、', filter: { chain: 'base' } },
  {
    en: ' under 0.01 USDC',
    ja: '0.01ドル以下で、',
    filter: { maxPricePerRequest: { amount: '0.01', below: false } },
  },
  { en: ', verified only', ja: '検証済みのサービスだけ、', filter: { status: 'verified' } },
  { en: ' with a free tier', ja: '無料枠あり、', filter: { freeQuota: 'quota' } },
  {
    en: ', paid on Solana or Polygon',
    ja: 'SolanaかPolygonで払える、',
    filter: { chain: ['solana', 'polygon'] },
  },
]

/** Without one letter of its longest word. */
function misspell(query: string): string | undefined {
  const [word = ''] = query.split(' ').toSorted((a, b) => b.length - a.length)
  return /^[a-z]{7,}$/.test(word) ? query.replace(word, word.slice(0, 3) + word.slice(4)) : undefined
}

export async function readMarket(): Promise<{
  entries: readonly Entry[]
  queries: readonly MarketQuery[]
  /** By id of the service. */
  kinds: ReadonlyMap<string, string>
}> {
  const lines = (await Bun.file(new URL('market.txt', import.meta.url)).text()).trim().split('\n')
  const kinds = lines.map(toKind)
  const services = new Map(kinds.map((kind, i) => [kind.id, toServices(kind, i)]))
  const queries: MarketQuery[] = []
  for (const [i, kind] of kinds.entries()) {
    const own = services.get(kind.id)!
    const graded = [...kind.near]
      .flatMap(([id, grade]) => services.get(id)!.map(each => ({ ...each, grade })))
      .concat(own.map(each => ({ ...each, grade: 3 })))
    const add = (
      query: string,
      lang: Language,
      queryKind: MarketQuery['kind'],
      passes: (entry: Entry) => boolean = () => true,
    ) => {
      const fitting = graded.filter(each => passes(each.entry))
      const grades = new Map(fitting.map(each => [each.entry.id, each.grade]))
      if (fitting.some(({ grade }) => grade === 3)) queries.push({ query, lang, kind: queryKind, grades })
    }
    for (const lang of ['en', 'ja'] as const)
      for (const query of kind.queries[lang]) add(query, lang, 'plain')
    const [first = '', second = ''] = kind.queries.en
    const [japanese = ''] = kind.queries.ja
    const condition = CONDITIONS[i % CONDITIONS.length]!
    if (i % 2 === 0)
      add(first + condition.en, 'en', 'constraint', each => passesFilters(condition.filter, each))
    else add(condition.ja + japanese, 'ja', 'constraint', each => passesFilters(condition.filter, each))
    const excluded = own[i % own.length]!
    const isOther = (each: Entry) => each !== excluded.entry
    if (i % 8 === 1) add(`${second}, not ${excluded.brand}`, 'en', 'exclusion', isOther)
    if (i % 8 === 5) add(`${excluded.brand}以外で${japanese}`, 'ja', 'exclusion', isOther)
    const typo = i % 2 === 0 ? misspell(second) : undefined
    if (typo) add(typo, 'en', 'typo')
  }
  const kindsById = [...services].flatMap(([id, own]) => own.map(each => [each.entry.id, id] as const))
  return {
    entries: [...services.values()].flat().map(each => each.entry),
    queries,
    kinds: new Map(kindsById),
  }
}
