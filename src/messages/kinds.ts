// The values of messages: their kinds, and the words for those that are one of a closed list.

/** In every language; in English alone where no page shows it. */
export const WORD_LISTS = {
  party: {
    owner: { en: 'Its owner', ja: '登録者' },
    operator: { en: 'An operator', ja: '運営者' },
    source: { en: 'Its source', ja: '取り込み元' },
  },
  change: {
    place: { en: 'its endpoint or its payment address', ja: 'エンドポイントまたは支払い先アドレス' },
    payment_address: { en: 'the payment address', ja: '支払い先アドレス' },
    price: { en: 'the price', ja: '価格' },
    listing: { en: 'the listing', ja: '掲載内容' },
  },
  age_start: {
    registration: { en: 'registration', ja: '登録' },
    move: { en: 'last move', ja: '最後の移転' },
  },
  visible_text: {
    currency_code: { en: 'a currency code', ja: '通貨コード' },
    wallet_address: { en: 'a wallet address', ja: 'ウォレットのアドレス' },
    network_name: { en: 'a network name', ja: 'ネットワークの名前' },
    network: { en: 'a network', ja: 'ネットワーク' },
    chain: { en: 'a chain', ja: 'チェーン' },
    asset: { en: 'an asset', ja: '資産' },
    payment_scheme: { en: 'a payment scheme', ja: '支払い方式' },
    resource_kind: { en: 'a kind of resource', ja: 'リソースの種類' },
    extensions: { en: 'keys of extensions', ja: '拡張のキー' },
    signature: { en: 'a signature', ja: '署名' },
    transaction: { en: 'a transaction', ja: 'トランザクション' },
    id: { en: 'an id', ja: 'ID' },
  },
  allowance: {
    check: { en: 'check addresses', ja: '確認' },
    test_delivery: { en: 'send test deliveries', ja: 'テスト配信' },
    probe: { en: 'have services probed', ja: '確認を依頼' },
  },
  webhook_filter: {
    category: 'a category id',
    chain: 'the name of a chain',
    service: 'the id of a service',
  },
  proof_name: {
    wallet: { en: 'the wallet that it pays', ja: '支払い先のウォレット' },
    id: { en: 'its id', ja: 'この登録のID' },
  },
  credit_ground: {
    claim: { en: 'its wallet claimed it', ja: '支払い先のウォレットが署名で所有を示しています' },
    facilitator: { en: 'a facilitator lists it', ja: 'ファシリテーターの一覧にあります' },
    domain: { en: 'its domain names the wallet', ja: 'ドメインが支払い先のウォレットを示しています' },
  },
  certificate: {
    expired: { en: 'its certificate has expired', ja: '証明書の期限が切れています' },
    not_yet_valid: { en: 'its certificate is not valid yet', ja: '証明書がまだ有効ではありません' },
    self_signed: { en: 'its certificate is self-signed', ja: '証明書が自己署名です' },
    self_signed_chain: {
      en: 'its certificate chain ends in a self-signed certificate',
      ja: '証明書チェーンの終わりが自己署名です',
    },
    incomplete_chain: { en: 'its certificate chain is incomplete', ja: '証明書チェーンが不完全です' },
    unknown_authority: {
      en: 'its certificate comes from an unknown authority',
      ja: '証明書の発行者が不明です',
    },
    other_name: { en: 'its certificate is for another name', ja: '証明書の名前が違います' },
    no_tls: { en: 'the server does not use TLS', ja: '応答がTLSではありません' },
  },
  header_content: {
    json: { en: 'plain JSON', ja: 'そのままのJSON' },
    other: { en: 'something else', ja: '別のもの' },
  },
  address_shape: {
    evm: { en: '0x and 40 hexadecimal digits', ja: '0xと16進数40桁' },
    solana: { en: '32 bytes in base58 (32 to 44 characters)', ja: 'base58の32バイト（32〜44文字）' },
    algorand: { en: '58 characters of base32 (A–Z, 2–7)', ja: 'base32の58文字（A–Z、2–7）' },
    hex_account: { en: '0x and up to 64 hexadecimal digits', ja: '0xと16進数64桁まで' },
    hedera: {
      en: 'an account number such as 0.0.1234, or 0x and 40 hexadecimal digits',
      ja: '0.0.1234のような口座番号か、0xと16進数40桁',
    },
    near: {
      en: '2 to 64 lower-case letters and digits, separated by single . - or _',
      ja: '英小文字と数字2〜64文字（区切りは . - _ を1つずつ）',
    },
    stellar: {
      en: 'G, C or M and base32 with a valid checksum (56 characters, 69 for M)',
      ja: 'G・C・Mで始まり検査記号の正しいbase32（56文字、Mは69文字）',
    },
    tron: { en: 'T and 33 characters of base58', ja: 'Tとbase58の33文字' },
  },
  unverified_cause: {
    unseen: 'The listing is not verified yet.',
    network: 'The listing is not verified: its endpoint does not ask to be paid on the listed network.',
    payee: 'The listing is not verified: its endpoint asks to pay another wallet than the listed one.',
    price: 'The listing is not verified: its endpoint asks for more than the listed price.',
    delivery: 'The listing is not verified: it did not deliver when this directory paid it.',
    declined: 'The listing is not verified: its provider asked not to be probed.',
    probes:
      'The listing is not verified: not every recent probe found its endpoint asking for what is listed.',
  },
  client_refusal: {
    asset: {
      en: 'its asset is not one of their default assets',
      ja: '求められる資産が、既定の対象に含まれていません',
    },
    price: { en: 'a request costs more than a dollar', ja: '1回の額が1ドルを超えています' },
    flow: {
      en: 'they do not support the way in which the payment is made',
      ja: '対応していない支払い手順です',
    },
    domain: {
      en: 'its 402 lacks extra.name and extra.version (the EIP-712 domain of the token), which a payment is signed with. For USDC on Base, add "USD Coin" and "2"',
      ja: '402にトークンのEIP-712ドメイン（extra.nameとextra.version）がなく、署名できません。BaseのUSDCなら「USD Coin」と「2」を加えてください',
    },
    deposit: {
      en: "it is paid from a deposit at Circle's Gateway, so that they would sign for another contract",
      ja: 'CircleのGatewayへの預け入れから支払うもので、別のコントラクトへの署名になってしまいます',
    },
    transfer: {
      en: 'its extra.assetTransferMethod is one that no official client signs; offer eip3009 or permit2 as well',
      ja: 'extra.assetTransferMethodが、公式クライアントの署名できない方式です。eip3009かpermit2も用意してください',
    },
    several: {
      en: 'none of its payment options is signed by them without configuration, each for another cause',
      ja: 'どの支払い方も、それぞれ別の理由で、設定なしには署名できません',
    },
  },
  challenge_fault: {
    syntax: {
      en: 'it is not a list of parameters that every client reads alike',
      ja: 'どのクライアントも同じに読める形ではありません',
    },
    parameters: {
      en: 'its id, realm, method or intent is missing or malformed',
      ja: 'id・realm・method・intentのいずれかがないか、正しくありません',
    },
    request: {
      en: 'its request is not base64url of JSON with unambiguous keys',
      ja: 'requestが、キーの紛れのないJSONのbase64urlではありません',
    },
    splits: {
      en: 'its splits are malformed, more than ten, or as much as the amount',
      ja: 'splitsが正しくないか、10件を超えるか、額の全部に及びます',
    },
  },
  cap: {
    call: 'for one call',
    service: 'for one service in 24 hours',
    host: 'for one domain in 24 hours',
    payee: 'for one payment address in 24 hours',
    day: 'for 24 hours',
    key: 'that this API key may spend a day',
  },
  purchase_outcome: {
    delivered: { en: 'It delivered', ja: '提供されました' },
    delivered_not_as_declared: {
      en: 'It did not deliver what it declares',
      ja: '仕様どおりに提供されませんでした',
    },
    refused_after_payment: {
      en: 'It took the payment and returned an error',
      ja: '支払いを受け取った後にエラーを返しました',
    },
    charged_other: {
      en: 'It took the payment and asked for another',
      ja: '支払いを受け取った後に別の支払いを求めました',
    },
    settled_silent: {
      en: 'It took the payment and gave no response',
      ja: '支払いを受け取った後に応答がありませんでした',
    },
    not_settled: { en: 'The payment was not taken', ja: '支払いは受け取られませんでした' },
  },
  check: {
    url: { en: 'The URL is valid', ja: 'URLが正しい' },
    public_address: { en: 'The address is public', ja: '公開されたアドレスに届く' },
    reachable: { en: 'The endpoint answers', ja: '応答がある' },
    answers_402: { en: 'It asks for payment', ja: '支払いを求める' },
    readable_terms: { en: 'Its terms are readable', ja: '条件が読める' },
    network: { en: 'The network matches', ja: 'ネットワークが一致' },
    address: { en: 'The payment address matches', ja: 'アドレスが一致' },
    other_payees: { en: 'Nobody else is paid', ja: 'ほかの支払い先がない' },
    price: { en: 'The price matches', ja: '価格が一致' },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Wording>>>>

export type Language = 'en' | 'ja'
type Wording = string | Readonly<Record<Language, string>>

export type WordListName = keyof typeof WORD_LISTS
/** A value that is one of a list. */
export type Word<L extends WordListName> = keyof (typeof WORD_LISTS)[L]

/** What a value of a list is called in a language. */
export function word<L extends WordListName>(list: L, value: Word<L>, language: Language): string {
  const wording = WORD_LISTS[list][value] as Wording
  return typeof wording === 'string' ? wording : wording[language]
}

/** What all values of a list are called in a language. */
export const words = <L extends WordListName>(list: L, language: Language): Record<Word<L>, string> =>
  Object.fromEntries(
    Object.keys(WORD_LISTS[list]).map(value => [value, word(list, value as Word<L>, language)]),
  ) as Record<Word<L>, string>

/**
 * `text?` is null or absent if there is nothing to name. `code?` is an error code of another program, such as ECONNREFUSED: no sentence
 * shows it.
 */
export type Kind =
  | 'text'
  | 'text?'
  | 'code?'
  | 'number'
  | 'flag'
  | 'texts'
  | 'message'
  | 'messages'
  | WordListName

/** The values of a message by name, each with its kind. */
export type Shape = Readonly<Record<string, Kind>>

/** A message of any code, such as one within another. */
export type AnyMessage = { readonly code: string; readonly values: object }
export type Tell = (message: AnyMessage) => string

type Plain<M> = {
  readonly text: string
  readonly 'text?': string | null
  readonly 'code?': string | null
  readonly number: number
  readonly flag: boolean
  readonly texts: readonly string[]
  readonly message: M
  readonly messages: readonly M[]
}
type ValueOf<K, M> = K extends WordListName ? Word<K> : K extends keyof Plain<M> ? Plain<M>[K] : never
export type ValuesOf<S extends Shape, M> = { readonly [N in keyof S]: ValueOf<S[N], M> }

/**
 * A sentence in which `{name}` is a text and `{name:kind}` any other value. `{name:quoted}` is a text in quotation marks, and
 * `{name:flag?one|other}` one of two texts, as is `{name?one|other}` for a number that is 1 or not. Only the English one names the kinds.
 */
type Sentence = string
type WordingFunction<S extends Shape> = (values: ValuesOf<S, AnyMessage>, tell: Tell) => string

/** A message whose wording depends on its values, or that has values which no sentence shows. */
export type Worded<S extends Shape> = {
  readonly values: S
  readonly en: Sentence | WordingFunction<S>
  readonly ja?: Sentence | WordingFunction<S> | undefined
}

type AnyWords = Sentence | ((values: never, tell: Tell) => string)

/** The wording of a code: in English alone if only programs, commands and logs show it. */
export type Entry =
  | Sentence
  | { readonly en: Sentence; readonly ja: Sentence }
  | { readonly values: Shape; readonly en: AnyWords; readonly ja?: AnyWords | undefined }
export type Messages = Readonly<Record<string, Entry>>

export const worded = <const S extends Shape>(
  values: S,
  en: Sentence | WordingFunction<S>,
  ja?: Sentence | WordingFunction<S>,
): Worded<S> => ({ values, en, ja })

export const quoted = (text: string): string => JSON.stringify(text)
