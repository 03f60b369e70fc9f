// The languages of the directory, each with its names of categories and chains. Everything in one language that is not search, a page or
// a message is here.

/** The categories with a name in every language, in display order. */
const ENGLISH_CATEGORIES = {
  ai: 'AI',
  data: 'Data',
  weather: 'Weather',
  finance: 'Finance',
  crypto: 'Crypto',
  search: 'Search',
  translation: 'Translation',
  image: 'Image',
  audio: 'Audio',
  video: 'Video',
  text: 'Text',
  ocr: 'OCR',
  maps: 'Maps',
  travel: 'Travel',
  news: 'News',
  social: 'Social',
  commerce: 'Commerce',
  storage: 'Storage',
  compute: 'Compute',
  security: 'Security',
  identity: 'Identity',
  communication: 'Communication',
  health: 'Health',
  education: 'Education',
  government: 'Government',
  entertainment: 'Entertainment',
  sports: 'Sports',
  'developer-tools': 'Developer Tools',
  utilities: 'Utilities',
  other: 'Other',
} as const
type KnownCategory = keyof typeof ENGLISH_CATEGORIES
export const KNOWN_CATEGORY_IDS = Object.keys(ENGLISH_CATEGORIES) as KnownCategory[]

// The names that a language has for categories and chains, and the words that names and descriptions are judged by.

type LanguageNames = {
  /** The name of the language, in English and in the language itself. */
  readonly inEnglish: string
  readonly ownName: string
  readonly categories: Readonly<Record<KnownCategory, string>>
  /** Further spellings of chains, by chain name. */
  readonly chains?: Readonly<Record<string, readonly string[]>>
  /** Words by which a name imitates that of another owner, as in "Acme (official)". */
  readonly claims: {
    /** A pattern for those before a name, with what separates them from it. */
    readonly before: string
    readonly after: readonly string[]
    /** What may follow them, as in "official site". */
    readonly things: readonly string[]
  }
  /** A pattern for words which say that something costs money. */
  readonly paid: string
}

// The English names.

const ENGLISH_NAMES: LanguageNames = {
  inEnglish: 'English',
  ownName: 'English',
  categories: ENGLISH_CATEGORIES,
  claims: {
    before: String.raw`(?:the\s+)?official(?=[\s:–—-])[\s:–—-]*`,
    after: ['official', 'original', 'genuine', 'authentic', 'verified'],
    things: ['api', 'app', 'service', 'site'],
  },
  paid: String.raw`\bpaid\b|\bpayment`,
}

// The Japanese names.

const JAPANESE_NAMES: LanguageNames = {
  inEnglish: 'Japanese',
  ownName: '日本語',
  categories: {
    ai: 'AI',
    data: 'データ',
    weather: '天気',
    finance: '金融',
    crypto: '暗号資産',
    search: '検索',
    translation: '翻訳',
    image: '画像',
    audio: '音声',
    video: '動画',
    text: 'テキスト',
    ocr: '文字認識',
    maps: '地図',
    travel: '旅行',
    news: 'ニュース',
    social: 'ソーシャル',
    commerce: '商取引',
    storage: 'ストレージ',
    compute: '計算',
    security: 'セキュリティ',
    identity: '本人確認',
    communication: '通信',
    health: '健康',
    education: '教育',
    government: '行政',
    entertainment: 'エンタメ',
    sports: 'スポーツ',
    'developer-tools': '開発ツール',
    utilities: 'ユーティリティ',
    other: 'その他',
  },
  chains: {
    base: ['ベース', 'ベースチェーン'],
    'base-sepolia': ['ベースセポリア'],
    solana: ['ソラナ'],
    ethereum: ['イーサリアム', 'イーサ'],
    sepolia: ['セポリア'],
    polygon: ['ポリゴン'],
    avalanche: ['アバランチ'],
    arbitrum: ['アービトラム'],
    optimism: ['オプティミズム'],
    bnb: ['BNBチェーン'],
    celo: ['セロ'],
    linea: ['リネア'],
    'world-chain': ['ワールドチェーン'],
    unichain: ['ユニチェーン'],
    monad: ['モナド'],
    algorand: ['アルゴランド'],
    stellar: ['ステラ'],
    aptos: ['アプトス'],
    near: ['ニア'],
    hedera: ['ヘデラ'],
    xrpl: ['リップル'],
    tron: ['トロン'],
    ton: ['トン'],
    bitcoin: ['ビットコイン'],
    lightning: ['ライトニング', 'ライトニングネットワーク'],
    cosmos: ['コスモス'],
    cardano: ['カルダノ'],
    polkadot: ['ポルカドット'],
    tezos: ['テゾス'],
    starknet: ['スタークネット'],
    stacks: ['スタックス'],
  },
  claims: {
    before: String.raw`[\s([【（「]*(?:公式|正規|純正|本家)[\s)\]】）」]*`,
    after: ['公式', '正規', '純正', '本家'],
    things: ['サイト'],
  },
  paid: '有料',
}

// The languages of the directory. Tables of words are indexed by these codes, so that the compiler requires every language.

/** By ISO 639-1 code. The first is the default. */
const NAMES = { en: ENGLISH_NAMES, ja: JAPANESE_NAMES }

export type LanguageCode = keyof typeof NAMES
export const LANGUAGES: Readonly<Record<LanguageCode, LanguageNames>> = NAMES
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as readonly LanguageCode[]

/** As a list in a sentence: English or Japanese. */
export const LANGUAGE_CHOICE = toChoice(LANGUAGE_CODES.map(code => LANGUAGES[code].inEnglish))

/** Written by hand: loading the tables of Intl would take longer than most of a start. */
function toChoice(names: readonly string[]): string {
  const last = names.at(-1)!
  const others = names.slice(0, -1)
  return others.length === 0 ? last : `${others.join(', ')}${others.length > 1 ? ',' : ''} or ${last}`
}

/** Creates a value for each language. */
export const forEachLanguage = <T>(make: (code: LanguageCode) => T): Record<LanguageCode, T> =>
  Object.fromEntries(LANGUAGE_CODES.map(code => [code, make(code)])) as Record<LanguageCode, T>
