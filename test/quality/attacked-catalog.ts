// The sample catalog among hostile listings: runs every judged query in each search that orders by relevance, and counts the ranks of the
// hostile ones.

import { Catalog } from '../../src/catalog/catalog.ts'
import { createIdSource } from '../../src/domain/ids.ts'
import {
  createEntry,
  type Entry,
  type Service,
  type ServiceDraft,
  toService,
} from '../../src/domain/listing/service.ts'
import type { Standing } from '../../src/domain/standing/standing.ts'
import { memoize } from '../../src/memory/memoize.ts'
import { createSemanticIndex } from '../../src/search/embedding/semantic-index.ts'
import { createSearchIndex } from '../../src/search/search-index.ts'
import { createSentenceReader } from '../../src/search/sentence/intent.ts'
import { sharedEmbedder } from '../embedder.ts'
import { toPaid } from '../entries.ts'
import type { Material, Target } from './hostile-kinds.ts'
import { ATTACK_NAMES, type AttackName, createHostileListings, WORDING_NAMES } from './hostile-listings.ts'
import { type Judged, readJudged } from './judged-catalog.ts'
import { readStandingSample } from './standing-sample.ts'

const SAMPLE_SINCE = new Date(Date.UTC(2026, 0, 1))
const HOSTILE_SINCE = new Date(Date.UTC(2026, 5, 1))
const PAGE = 10
/** From this grade on a service does what was asked for. */
const DOES_IT = 2
const BEST = 3
/** A service matches a query where it has more than this of its words. */
const MOST = 0.5
/** More than there are queries. */
const MAX_REMEMBERED = 1_000

export const PLACES = ['list', 'keyword', 'intent'] as const
export type Place = (typeof PLACES)[number]

/** What an attacker has reached beyond a registration. */
export const STANDINGS = {
  unverified: { status: 'unverified', trustScore: 0 },
  /** A dead host, after three probes. */
  inactive: { status: 'inactive', trustScore: 0 },
  /** A real endpoint that asks for money for the attacker's own wallet, and that nobody has paid. */
  verified: { status: 'verified', trustScore: 10 },
} as const satisfies Record<string, Pick<Standing, 'status' | 'trustScore'>>
export type AttackerStanding = keyof typeof STANDINGS

type Newcomer = {
  readonly query: string
  readonly words: string
  readonly name: string
  readonly description: string
}

/** Which queries count: those that a verified service answers at all, or those that it answers by most of their words. */
export type Counted = 'answered' | 'matched'

export type Reached = {
  readonly queries: number
  /** Shares of the queries. */
  readonly first: number
  readonly firstThree: number
  /** Mean share of the first page. */
  readonly ofPage: number
  /** The queries where a hostile listing is first. */
  readonly lost: readonly string[]
}

async function readLines<T>(name: string): Promise<T[]> {
  const text = await Bun.file(new URL(name, import.meta.url)).text()
  return text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as T)
}

export const readNewcomers = () => readLines<Newcomer>('newcomers.ndjson')

const readIntent = createSentenceReader()

const hostOf = ({ endpoint }: Pick<Service, 'endpoint'>): string => new URL(endpoint).hostname

/** Lists and keyword search get the content words, as one would type them there. */
const wordsOf = memoize(MAX_REMEMBERED, (query: string) => readIntent(query).contentTokens.join(' ') || query)

function openCatalog(entries: readonly Entry[]) {
  const index = createSearchIndex({ semantic: createSemanticIndex(sharedEmbedder()) })
  const catalog = new Catalog(index)
  let seq = 0
  const put = (entries: readonly Entry[]): void =>
    catalog.apply(entries.map(entry => ({ seq: ++seq, objectSeq: seq, id: entry.id, entry })))
  const remove = (entries: readonly Entry[]): void =>
    catalog.apply(entries.map(({ id }) => ({ seq: ++seq, objectSeq: seq, id, entry: null })))
  put(entries)
  const ask: Readonly<Record<Place, (query: string) => readonly Service[]>> = {
    list: query => catalog.list({ query: wordsOf(query), limit: PAGE, offset: 0 }).services.decode(),
    keyword: query => catalog.search({ q: wordsOf(query), limit: PAGE, offset: 0 }).services.decode(),
    intent: query =>
      catalog
        .searchByIntent({ q: query, limit: PAGE })
        .decode()
        .results.map(({ service }) => service),
  }
  /** The share of the typed words that an entry has. The slots of a new catalog are in the order of its entries. */
  const shareOfWords = (query: string, slot: number): number => {
    const words = wordsOf(query).split(' ')
    return words.filter(word => index.matchAll(word).has(slot)).length / words.length
  }
  /** The share of the content words that a service matches for a sentence, as words or by their meaning. */
  const shareOfMeaning = (query: string, id: string): number => {
    const { contentTokens } = readIntent(query)
    const found = catalog
      .searchByIntent({ q: query, limit: PAGE })
      .decode()
      .results.find(({ service }) => service.id === id)
    const matched = contentTokens.filter(token => found?.matchedTokens.includes(token))
    return !found ? 0 : contentTokens.length === 0 ? 1 : matched.length / contentTokens.length
  }
  return { put, remove, ask, shareOfWords, shareOfMeaning }
}

type OpenCatalog = ReturnType<typeof openCatalog>

/** The services that are there before anybody attacks, and what attackers work with. */
export async function openAttacks() {
  const sample = await readStandingSample(SAMPLE_SINCE)
  const judged = await readJudged()
  const clean = openCatalog(sample)
  const services = sample.map(toService)
  const byHost = new Map(services.map(service => [hostOf(service), service]))
  const targets = judged.map(
    ({ query, relevant, constraints = {} }): Target => ({
      query,
      words: readIntent(query).contentTokens,
      constraints,
      answers: Object.entries(relevant).flatMap(([host, grade]) => (grade === BEST ? byHost.get(host)! : [])),
    }),
  )
  const material: Material = { targets, services, translations: await readLines('translations.ndjson') }
  const newcomers = await readNewcomers()

  const slotOf = new Map(sample.map(({ id }, slot) => [id, slot]))
  /** The verified services that do what was asked for, of those on the first page while nobody attacks. */
  const answersAt = (place: Place, { query, relevant }: Judged): readonly Service[] =>
    clean.ask[place](query).filter(
      service => service.status === 'verified' && (relevant[hostOf(service)] ?? 0) >= DOES_IT,
    )
  const answered = Object.fromEntries(
    PLACES.map(place => [
      place,
      judged
        .map(({ query, ...rest }) => ({ query, answers: answersAt(place, { query, ...rest }) }))
        .filter(({ answers }) => answers.length > 0),
    ]),
  ) as Record<Place, { readonly query: string; readonly answers: readonly Service[] }[]>

  function toHostile(drafts: readonly ServiceDraft[]): Entry[] {
    const newId = createIdSource()
    return drafts.map((draft, i) => {
      const now = new Date(HOSTILE_SINCE.getTime() + i)
      return createEntry(draft, { id: newId(now), now })
    })
  }

  const isMeant = memoize(MAX_REMEMBERED, (query: string) => {
    const answers = answered.intent.find(each => each.query === query)!.answers
    return answers.some(({ id }) => clean.shareOfMeaning(query, id) > MOST)
  })

  type Attacked = {
    readonly names: string
    readonly hostile: readonly Entry[]
    readonly catalog: OpenCatalog
    standing?: AttackerStanding
  }
  let kept: Attacked | undefined
  /** To list the same with another standing costs little; only the catalog that was asked for last is kept. */
  function openAttacked(names: readonly AttackName[], standing: AttackerStanding) {
    const key = names.join()
    if (kept?.names !== key) {
      const drafts = names.flatMap(name => createHostileListings(name, material))
      kept = { names: key, hostile: toHostile(drafts), catalog: openCatalog(sample) }
    }
    const { hostile, catalog } = kept
    if (kept.standing !== standing)
      catalog.put(
        hostile.map(each => ({
          ...each,
          standing: { ...each.standing, ...toPaid(STANDINGS[standing].trustScore), ...STANDINGS[standing] },
        })),
      )
    kept.standing = standing
    return { hostile, catalog }
  }

  /** Everything that attackers of these kinds list, beside the sample. It is to be asked before the next attack. */
  function attack(names: readonly AttackName[], standing: AttackerStanding = 'unverified') {
    const { hostile, catalog } = openAttacked(names, standing)
    const { ask, shareOfWords } = catalog
    const isHostile = new Set(hostile.map(({ id }) => id))
    /** Whether one of them has most of the words. A misspelt word that an attacker lists is taken as it is written. */
    const isMatched: Readonly<Record<Place, (query: string, answers: readonly Service[]) => boolean>> = {
      list: (query, answers) => answers.some(({ id }) => shareOfWords(query, slotOf.get(id)!) === 1),
      keyword: (query, answers) => answers.some(({ id }) => shareOfWords(query, slotOf.get(id)!) > MOST),
      intent: isMeant,
    }
    /** Whether each one of the first page is hostile, asked once: a query that is matched is answered too. */
    const pageOf = (place: Place) =>
      memoize(MAX_REMEMBERED, query => ask[place](query).map(({ id }) => isHostile.has(id)))
    const pages = { list: pageOf('list'), keyword: pageOf('keyword'), intent: pageOf('intent') }
    /** `every`: one of so many queries is asked. */
    function reached(place: Place, counted: Counted, { every = 1 } = {}): Reached {
      let [first, firstThree, ofPage] = [0, 0, 0]
      const lost: string[] = []
      const asked = answered[place]
        .filter((_, i) => i % every === 0)
        .filter(({ query, answers }) => counted === 'answered' || isMatched[place](query, answers))
      for (const { query } of asked) {
        const found = pages[place](query)
        if (found[0]) {
          first++
          lost.push(query)
        }
        if (found.slice(0, 3).includes(true)) firstThree++
        ofPage += found.filter(Boolean).length / PAGE
      }
      const queries = asked.length
      const share = (count: number) => count / queries
      return { queries, first: share(first), firstThree: share(firstThree), ofPage: share(ofPage), lost }
    }
    return { ask, listings: hostile.length, reached }
  }

  /** The queries for which a newcomer who does what nobody else does is not first, among the sample and the hostile. */
  function hiddenNewcomers(names: readonly AttackName[]): Readonly<Record<Place, string[]>> {
    const now = new Date(HOSTILE_SINCE.getTime() + 1e9)
    const newId = createIdSource()
    const own = newcomers.map(({ name, description }, i) => {
      const id = new Bun.CryptoHasher('sha256').update(name).digest('hex')
      const draft = {
        name,
        description,
        endpoint: `https://newcomer-${i}.example/api`,
        category: 'other',
        pricing: { currency: 'USDC', pricePerRequest: '0.01', freeQuota: 0 },
        x402Config: { paymentAddress: `0x${id.slice(0, 40)}`, network: 'base' },
      }
      return createEntry(draft, { id: newId(now), now })
    })
    const { catalog } = openAttacked(names, 'unverified')
    catalog.put(own)
    const missed = (place: Place) =>
      newcomers.flatMap(({ query, words, name }) =>
        catalog.ask[place](place === 'intent' ? query : words)[0]?.name === name ? [] : [query],
      )
    const hidden = { list: missed('list'), keyword: missed('keyword'), intent: missed('intent') }
    catalog.remove(own)
    return hidden
  }

  return { attack, hiddenNewcomers, newcomers }
}

export { ATTACK_NAMES, type AttackName, WORDING_NAMES }
