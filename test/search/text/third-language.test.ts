import { describe, expect, test } from 'bun:test'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { findChain } from '../../../src/domain/chains/chains.ts'
import { createSearchIndex } from '../../../src/search/search-index.ts'
import {
  asksChain,
  asksCurrency,
  asksStatus,
  type Language,
  wishes,
} from '../../../src/search/text/languages/language.ts'
import { createLanguages, SEARCH_LANGUAGES } from '../../../src/search/text/languages/languages.ts'
import { entry } from '../../entries.ts'

const FILLER = new Set('ĉu vi povas trovi mi bezonas serĉas por de la kaj ke kiu al en ĉiu estas'.split(' '))
const LABELS: Readonly<Record<string, string>> = { weather: 'Vetero', translation: 'Traduko' }

/** A small third language in letters that English has too. */
const ESPERANTO: Language = {
  code: 'eo',
  recognises: text => /[ĉĝĥĵŝŭ]|(?<!\p{L})(?:mi|kaj|por|bezonas|estas)(?!\p{L})/iu.test(text),
  owns: word => word.length > 4 && /(?:o|oj|ojn|(?<!i)on|as|os)$|[ĉĝĥĵŝŭ]/u.test(word),
  text: {
    toStem: word => word.replace(/(?:ojn|oj|on|o|as|os)$/u, ''),
    toParts: () => [],
    minFuzzyLength: 6,
    joint: ' ',
    findForm: (text, stem) => text.match(/\p{L}+/gu)?.find(word => word.startsWith(stem)),
  },
  sentence: {
    isFiller: word => FILLER.has(word),
    generic: ['servo', 'servon', 'servoj', 'servojn'],
    money: {
      units: { dollar: ['dolaro', 'dolaroj'], cent: ['cendo', 'cendoj'], euro: ['eŭroj'], yen: ['enoj'] },
    },
    constraints: shared => ({
      price: [
        {
          pattern: new RegExp(`(?:(?<below>malpli ol)|ne pli multe ol) ${shared.sum}`, 'gu'),
          handle: ({ groups }, sentence) =>
            shared.toBound(groups!, { below: groups!.below !== undefined, sentence }),
        },
      ],
      currency: asksCurrency(shared, new RegExp(`pagebl\\p{L}* per (?<unit>${shared.unit})`, 'gu')),
      status: asksStatus('verified', /(?:nur )?kontrolit\p{L}+/gu),
      wish: wishes('cheap', /malmultekost\p{L}+/gu),
      chain: [
        {
          pattern: /sur (?:la ĉeno )?(?<name>[a-z]+)/gu,
          handle: ({ groups }) => {
            const chain = findChain(groups!.name!)
            return chain && asksChain(chain)
          },
        },
      ],
    }),
  },
  reasons: {
    statuses: { verified: 'kontrolita', unverified: 'ne kontrolita', inactive: 'ne respondas' },
    unapplied: {
      chain_as_subject: () => 'legita kiel temo',
      lowest_price: () => 'nur plej altan prezon oni povas peti',
      price_of_something_else: () => 'tro multe por unu peto',
      unknown_category: name => `${name} ne estas konata kategorio`,
      second_of_a_kind: () => 'nur unu el ĉiu speco',
      no_rate: name => `mankas kurzo de ${name}`,
      unmet_name: () => 'neniu servo nomas ĝin',
      same_word: () => 'ankaŭ serĉata vorto',
      negated: () => 'oni ne povas peti la malon',
      undecidable: () => 'oni ne povas scii tion',
    },
    otherCurrencies: 'aliaj valutoj',
    matches: words => `Kongruas kun ${words.join(' kaj ')}; `,
    meetsConditions: 'Plenumas la kondiĉojn; ',
    closeInMeaning: 'Proksima laŭ signifo; ',
    weak: 'Malproksima; ',
    price: (price, currency, chain) => `${price} ${currency} sur ${chain}`,
    between: '; ',
    freeRequests: count => `${count} senpagaj petoj`,
    inCategory: label => `kategorio ${label}`,
    demotion: {
      seller: () => 'plia de unu vendisto',
      copy: () => 'kopio de alia',
      terms: () => 'aliaj kondiĉoj',
      delivery: () => 'ne liverita',
    },
    end: '.',
    gap: ' ',
    conditions: {
      below: sum => `malpli ol ${sum}`,
      atMost: sum => `ne pli multe ol ${sum}`,
      paidIn: currency => `pagebla per ${currency}`,
      on: chain => `sur ${chain}`,
      inCategory: label => `en ${label}`,
      free: 'kun senpagaj petoj',
      by: protocol => `per ${protocol}`,
      excluded: name => `sen ${name}`,
      wishes: { cheap: 'malmultekoste', reliable: 'fidinde', fast: 'rapide', free: 'senpage' },
      join: conditions => conditions.join(' kaj '),
    },
    noWord: 'Neniu vorto diras, kion serĉi.',
    nothing: (subject, conditions) => `Nenio por ${subject.join(' kaj ')} (${conditions}).`,
    onlyWeak: ' Nur malproksimaj.',
    mentionedByNone: words => ` Neniu servo mencias ${words.join(' kaj ')}.`,
    found: (count, _subject, matched, conditions) => `${count} por ${matched.join(' kaj ')} (${conditions}).`,
  },
  categoryLabel: id => LABELS[id] ?? id,
}

const priced = (pricePerRequest: string, network: string) => ({
  pricing: { currency: 'USDC', pricePerRequest, freeQuota: 0 },
  x402Config: { paymentAddress: '0x1111111111111111111111111111111111111111', network },
  supportedChains: [network],
})
const ENTRIES = [
  entry({
    name: 'Lingvejo',
    description: 'Tradukas por vi leterojn.',
    category: 'text',
    ...priced('0.005', 'polygon'),
  }),
  entry({
    name: 'Lingvejo Oro',
    description: 'Tradukas por vi leterojn.',
    category: 'text',
    ...priced('0.5', 'polygon'),
  }),
  entry({
    name: 'Lingvejo Baza',
    description: 'Tradukas por vi leterojn.',
    category: 'text',
    ...priced('0.005', 'base'),
  }),
  entry({ name: 'Ĉielo', description: 'Diras, ĉu pluvos.', category: 'weather', ...priced('0.001', 'base') }),
  entry({
    name: 'Letters',
    description: 'Translates your letters.',
    category: 'text',
    ...priced('0.005', 'base'),
  }),
]

function fill(catalog: Catalog): Catalog {
  catalog.apply(ENTRIES.map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each })))
  return catalog
}
const plain = fill(new Catalog())
const catalog = fill(
  new Catalog(createSearchIndex({ languages: createLanguages(...SEARCH_LANGUAGES.all, ESPERANTO) })),
)

const namesOf = (results: readonly { service: { name: string } }[]) =>
  results.map(({ service }) => service.name)
const byWords = (of: Catalog, q: string) =>
  of
    .search({ q, limit: 10, offset: 0 })
    .services.decode()
    .map(({ name }) => name)
const bySentence = (of: Catalog, q: string) => of.searchByIntent({ q, limit: 10 }).decode()

describe('a language that is passed to the index', () => {
  test('stems its words', () => {
    expect(byWords(catalog, 'tradukojn').sort()).toEqual(['Lingvejo', 'Lingvejo Baza', 'Lingvejo Oro'])
    expect(byWords(plain, 'tradukojn')).toEqual([])
  })

  test('finds entries by its category labels', () => {
    expect(byWords(catalog, 'vetero')).toEqual(['Ĉielo'])
    expect(byWords(plain, 'vetero')).toEqual([])
  })

  test('reads a sentence: removes fillers, applies constraints and gives the reason in that language', () => {
    const q = 'Ĉu vi povas trovi servon por tradukoj sur Polygon, malpli ol 2 cendoj?'
    const answer = bySentence(catalog, q)
    expect(answer.tokens).toEqual(['servon', 'tradukoj', 'sur', 'polygon', 'malpli', 'ol', '2', 'cendoj'])
    expect(answer.constraints).toEqual({
      chain: 'polygon',
      maxPricePerRequest: '0.02',
      currency: 'USD',
      unapplied: [],
    })
    expect(namesOf(answer.results)).toEqual(['Lingvejo'])
    expect(answer.reason).toBe('1 por tradukoj (malpli ol 0.02 USD kaj sur Polygon).')
    expect(answer.results[0]?.reason).toBe(
      'Kongruas kun tradukoj → tradukas; 0.005 USDC sur Polygon; ne kontrolita.',
    )
    expect(bySentence(plain, q).constraints).toEqual({ unapplied: [] })
  })

  test('reports constraints that are not applied, in that language', () => {
    const { constraints } = bySentence(catalog, 'Mi bezonas tradukojn sur Base, ne sur Polygon')
    expect(constraints.unapplied).toEqual([{ text: 'sur Polygon', why: 'nur unu el ĉiu speco' }])
  })

  test('does not change the other languages', () => {
    for (const q of ['translate letters on Base under 1 cent', '天気予報を1円以下で']) {
      const { reason, constraints, tokens } = bySentence(catalog, q)
      const before = bySentence(plain, q)
      expect({ reason, constraints, tokens }).toEqual({
        reason: before.reason,
        constraints: before.constraints,
        tokens: before.tokens,
      })
    }
    expect(byWords(catalog, 'translating letters')[0]).toBe('Letters')
  })

  test('is unknown to other indexes', () => {
    expect(SEARCH_LANGUAGES.all.map(({ code }) => code)).toEqual(['en', 'ja'])
  })
})
