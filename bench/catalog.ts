// A made-up catalog of any size, always the same for the same size: words by Zipf's law, prices, chains and categories as uneven as real ones.
import { KNOWN_CATEGORIES } from '../src/domain/listing/categories.ts'

const CATEGORIES = Object.keys(KNOWN_CATEGORIES)
const NETWORKS = [
  'base',
  'base',
  'base',
  'solana',
  'polygon',
  'base',
  'avalanche',
  'arbitrum',
  'solana',
  'ethereum',
]
const CURRENCIES = ['USDC', 'USDC', 'USDC', 'USDC', 'USDC', 'USDT', 'EURC', 'JPYC']
const SYLLABLES = 'ka so ri me no ta vi lu de pa chi ro sen gra mo ti bel quo fen dar'.split(' ')
const THINGS =
  'weather forecast translation image price feed text speech news map route stock rate scan document email phone proxy model chat summary sentiment video audio music game score legal tax parcel hotel flight 天気 予報 翻訳 画像 音声 文字 認識 株価 為替 地図 経路 検索 要約 ニュース'.split(
    ' ',
  )
const WORDS = 20_000

/** Small, quick and the same everywhere. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return below => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

export function word(rank: number): string {
  if (rank < THINGS.length) return THINGS[rank]!
  let text = ''
  for (let rest = rank; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    text += SYLLABLES[rest % SYLLABLES.length]
  return text
}

/** Low ranks are common, high ones rare. */
export function zipfRank(random: (below: number) => number): number {
  return Math.floor(WORDS ** (random(1_000_000) / 1_000_000)) - 1
}

export function registration(i: number): string {
  const random = createRandom(i + 1)
  const words = (count: number) => Array.from({ length: count }, () => word(zipfRank(random))).join(' ')
  const network = NETWORKS[random(NETWORKS.length)]!
  return JSON.stringify({
    name: `${words(2)} ${i}`,
    description: words(18 + random(20)),
    endpoint: `https://api${random(30_000)}.example/v1/${i}`,
    category: CATEGORIES[Math.floor(CATEGORIES.length ** (random(1000) / 1000)) - 1] ?? 'other',
    pricing: {
      currency: CURRENCIES[random(CURRENCIES.length)],
      pricePerRequest: (random(20_000) / 100_000).toFixed(5),
      freeQuota: random(4) === 0 ? 100 : 0,
    },
    x402Config: {
      paymentAddress:
        network === 'solana'
          ? '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
          : `0x${i.toString(16).padStart(40, '0')}`,
      network,
    },
  })
}

export async function writeCatalog(path: string, entries: number, first = 0): Promise<void> {
  const writer = Bun.file(path).writer()
  for (let i = first; i < first + entries; i++) {
    writer.write(`${registration(i)}\n`)
    if (i % 10_000 === 0) await writer.flush()
  }
  await writer.end()
}
