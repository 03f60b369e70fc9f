import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { addressProblem } from '../../src/domain/addresses.ts'
import { CHAINS } from '../../src/domain/chains.ts'
import { readDraft } from '../../src/domain/draft.ts'
import { DirectoryError } from '../../src/domain/errors.ts'
import { unroutableAddressProblem } from '../../src/domain/private-address.ts'
import { tellInEnglish } from '../../src/messages/tell.ts'
import { dnsFailure, socketFailure } from '../../src/probe/remote-failure.ts'
import { PHRASES } from '../../src/web/phrases-ja.ts'
import { phraseToJapanese, sentencesToJapanese } from '../../src/web/sentences.ts'
import { PROBE_SENTENCES } from '../../src/web/sentences-probe-ja.ts'
import { STANDING_SENTENCES } from '../../src/web/sentences-standing-ja.ts'

describe('What the directory says is told in Japanese', () => {
  test.each([
    ['It answers 404.', '404 を返します。'],
    [
      '3 probes in a row failed. pay.example does not accept connections (ECONNREFUSED).',
      '3回続けて確認に失敗しました。pay.example は接続を受け付けません（ECONNREFUSED）。',
    ],
    [
      'It answers 404 where 402 is expected. Neither /.well-known/x402 nor /openapi.json names a resource under https://a.example/v1 that answers 402 either.',
      '402のはずのところで 404 を返します。/.well-known/x402 にも /openapi.json にも、https://a.example/v1 の下で402を返すものは示されていません。',
    ],
    [
      'It asks to pay 0xa, 0xb, 0xc, 0xd and 2 more, not 0xe, the registered address.',
      '登録されたアドレス 0xe ではなく、0xa、0xb、0xc、0xd、ほか2件 への支払いを求めます。',
    ],
    ['It asks up to 0.01 USDC a request, as listed.', '価格は1回 0.01 USDC までで、掲載どおりです。'],
    [
      'It asked to pay 0xa, and now nobody on the registered network.',
      '求める支払い先が 0xa から 登録されたネットワークでは誰も に変わりました。',
    ],
    [
      'No secure connection to a.example: its certificate has expired.',
      'a.example と安全に接続できません。証明書の期限が切れています。',
    ],
    [
      'Its source has taken it out of service: It is no longer listed at https://list.example/x.',
      '掲載元が提供を停止しました：https://list.example/x の一覧から外れました。',
    ],
    [
      'Of 20 probes 12 found the registered address and the listed price; 3 asked another price than the listing, 2 named another address or network, which weighs 10 times.',
      '20回の確認のうち12回、アドレスと価格が登録どおりでした。3回は掲載と違う価格、2回は別のアドレスかネットワークでした（10倍の重み）。',
    ],
    [
      'It answered as registered up to 1 day after its registration; 90 days give all points.',
      '登録から1日後まで登録どおりに応答しました。90日で満点です。',
    ],
    [
      'accepts[0].amount must be an integer string of the asset\'s smallest units, such as "2500"; it is "0.01".',
      'accepts[0].amount は "2500" のような最小単位の整数の文字列のはずですが、"0.01" です。',
    ],
  ])('%s', (english, japanese) => {
    expect(sentencesToJapanese(english)).toBe(japanese)
  })

  test('an owner’s own words stay as they were written', () => {
    expect(sentencesToJapanese('Its owner has taken it out of service: Gone. See you. 5 $& {by}')).toBe(
      '所有者が提供を停止しました：Gone. See you. 5 $& {by}',
    )
  })

  test.each([
    'Nobody has ever said this.',
    'It answers 404. Nobody has ever said this.',
    'It answers well.',
    '',
  ])('but not what is not known: %p', english => {
    expect(sentencesToJapanese(english)).toBeUndefined()
  })

  test('nor what somebody wrote to keep the page busy, which comes to an end', () => {
    for (const word of ['. ', 'a. b ', '0xa and ', ': ', 'It answers 404. x '])
      expect(sentencesToJapanese(`${word.repeat(990 / word.length).trim()}?`)).toBeUndefined()
    const nested = 'Its owner has taken it out of service: '.repeat(20)
    expect(sentencesToJapanese(`${nested}?`)).toBe(`${'所有者が提供を停止しました：'.repeat(20)}?`)
    expect(sentencesToJapanese('It answers 404. '.repeat(100).trim())).toBeUndefined()
  })
})

describe('Values that come from tables are told too', () => {
  test('the shape of an address on every chain', () => {
    for (const { id, label } of CHAINS) {
      const problem = addressProblem('not an address!', id)
      if (problem)
        expect([label, sentencesToJapanese(tellInEnglish(problem))]).toEqual([label, expect.any(String)])
    }
  })

  test.each([
    ...['127.0.0.1', '10.1.1.1', '100.64.0.1', '169.254.169.254', '224.0.0.1', '255.255.255.255'],
    ...[
      '0.0.0.0',
      '192.0.2.1',
      '198.18.0.1',
      '240.0.0.1',
      '168.63.129.16',
      'localhost',
      '[::1]',
      '[fc00::1]',
    ],
    ...['[::ffff:127.0.0.1]', '[fe80::1]', '[2001:db8::1]', '[4000::1]', '[64:ff9b::7f00:1]', 'a b'],
  ])('why %s is not asked', host => {
    const problem = tellInEnglish(unroutableAddressProblem(host)!)
    expect(sentencesToJapanese(problem)).toBeString()
    expect(sentencesToJapanese(`The name a.example leads astray: ${problem}`)).toMatch(/[ぁ-ん]。$/)
  })

  test('what breaks a connection', () => {
    const codes = [
      '',
      'ECONNRESET',
      'CERT_HAS_EXPIRED',
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'HPE_HEADER_OVERFLOW',
    ]
    for (const code of [...codes, 'HPE_INVALID_CONSTANT', 'EPROTO', 'ENOTFOUND', 'ETIMEOUT']) {
      const error = { code }
      const failures = [
        dnsFailure('a.example', error),
        ...(['nothing', 'tcp', 'request', 'headers'] as const).map(reached =>
          socketFailure('a.example', error, reached),
        ),
      ]
      for (const { message } of failures)
        expect([message.code, sentencesToJapanese(tellInEnglish(message))]).not.toContain(undefined)
    }
  })

  test('every problem of a registration', () => {
    const bad = [
      {},
      { name: '', description: '\u0007', endpoint: 'x', category: '-', pricing: {}, x402Config: {} },
      { name: 5, description: 'x'.repeat(3_000), endpoint: 'https://a:b@c.example', category: 5, pricing: 1 },
      {
        name: '\u202e',
        endpoint: 'https://[',
        pricing: { pricePerRequest: 'x', currency: ' ', freeQuota: -1 },
      },
      { endpoint: 'http://10.0.0.1/', x402Config: { network: 'base', paymentAddress: 'nobody' } },
      { endpoint: `https://a.example/${'x'.repeat(3_000)}` },
    ]
    for (const body of bad) {
      try {
        readDraft(body, { allowPrivateEndpoints: false, strictAddresses: true })
        expect.unreachable()
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error
        for (const { path, message } of error.problems)
          expect([path, message, phraseToJapanese(message)]).not.toContain(undefined)
        expect(sentencesToJapanese(error.message)).toBeString()
      }
    }
  })
})

/** The files in which reasons are put into words. */
const SPEAKERS = [
  ...['domain/judge.ts', 'domain/trust.ts', 'domain/edit.ts', 'domain/addresses.ts'],
  ...[
    'probe/checker.ts',
    'probe/match-listing.ts',
    'probe/prober.ts',
    'probe/x402.ts',
    'probe/safe-fetch.ts',
    'probe/strangers-text.ts',
  ],
  ...['probe/exchange.ts', 'probe/content-coding.ts', 'probe/accepted-payment.ts', 'probe/remote-failure.ts'],
  'directory/keys.ts',
]
/** Said to nobody but the program. */
const UNSAID = new Set([
  'It has an owner here.',
  'An API key from the settings must have 8 to 128 visible characters.',
])
/** What stands for the values in the source. */
const SAMPLES: readonly (readonly [RegExp, string])[] = [
  [/^act\.by$/, 'Its owner'],
  [/^days\(/, '7 days'],
  [/^shown\(value\)|^shown\(network\)/, 'it is 5'],
  [/rule\.shape/, '0x and 40 hexadecimal digits'],
  [/^shown$/, ' (CODE)'],
  [/_MS\b/, '7'],
  [/^seconds\(/, '5 s'],
  [/^priceText\(price\)$/, '0.1 USDC a request'],
  [/^priceText/, '0.1 USDC'],
  [/^(place|where)/, 'accepts[0]'],
  [/upTo \?/, ''],
  [/^(hint|instead|tail|seen)$/, ''],
  [/JSON\.stringify/, '"x"'],
  [/failed\.check/, 'price'],
  [/issues\[0\]/, 'must be a URL as text'],
  [/problem|next\.sentence/, 'It redirects badly.'],
  [/^(what|message)$/, 'text'],
  [
    /status|count|length|limits\.|LS_TO|ERS_TO|tally|up\b|asListed|payers|FULL|MAX|Bytes|version|value$|runOf/,
    '7',
  ],
]

const toSample = (literal: string, file: string) =>
  literal.replace(/\$\{([^}]*)\}/g, (_, expression: string) => {
    // One word for two things: what an owner changed, and what a header holds.
    if (expression === 'what') return file === 'domain/edit.ts' ? 'the price' : 'something else'
    const [, sample = 'a.example'] = SAMPLES.find(([test]) => test.test(expression.trim())) ?? []
    return sample
  })

describe('A sentence that is new in the code is not forgotten here:', () => {
  test.each(SPEAKERS)('%s', async file => {
    const source = (await Bun.file(join(import.meta.dir, '../../src', file)).text())
      .replace(/^\s*(\/\/|\*|\/\*).*$/gm, '')
      .replace(/\.(describe|meta)\([^)]*\)/g, '')
    const literals = [...source.matchAll(/'((?:[^'\\\n]|\\.)*)'|`([^`]*)`/g)].map(([, a, b]) => a ?? b ?? '')
    const sentences = literals
      .map(literal => toSample(literal.replaceAll("\\'", "'"), file).trim())
      .filter(text => /^[A-Za-z"].* .*\.$/s.test(text) && !UNSAID.has(text))
    expect(sentences.filter(text => sentencesToJapanese(text) === undefined)).toEqual([])
  })
})

test('every Japanese sentence uses the values of its English one, and no others', () => {
  const names = (text: string) => new Set([...text.matchAll(/\{(\w+)(?:\|\w+)?\}/g)].map(([, name]) => name))
  for (const [english, japanese] of Object.entries({
    ...PHRASES,
    ...PROBE_SENTENCES,
    ...STANDING_SENTENCES,
  })) {
    const own = names(english)
    own.delete('unit')
    expect([english, names(japanese)]).toEqual([english, own])
    expect(japanese).not.toMatch(/\|/)
  }
})
