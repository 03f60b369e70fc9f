import { describe, expect, test } from 'bun:test'
import { type Language, WORD_LISTS, type WordListName } from '../../src/messages/kinds.ts'
import {
  isToldIn,
  type Message,
  readMessage,
  say,
  shapeOf,
  tell,
  verbatim,
} from '../../src/messages/message.ts'
import { ALL_CODES, sampleMessage } from './sample-message.ts'

const LANGUAGES: readonly Language[] = ['en', 'ja']

/** Which values were read while it was told. */
function readBy(message: Message, language: Language): Set<string> {
  const read = new Set<string>()
  const values = new Proxy(message.values, {
    get: (target, name) => {
      read.add(String(name))
      return Reflect.get(target, name)
    },
  })
  tell({ ...message, values } as Message, language)
  return read
}

describe.each(LANGUAGES)('in %s', language => {
  test.each(ALL_CODES)('%s has words that use every value but codes of other programs', code => {
    for (const flag of [true, false]) {
      const message = sampleMessage(code, flag)
      const told = tell(message, language)
      expect(told).not.toMatch(/undefined|null|\[object|^$/)
      const kinds = Object.entries(shapeOf(code))
      const worded = kinds.filter(([, kind]) => kind !== 'code?').map(([name]) => name)
      expect([...readBy(message, language)].sort()).toEqual(worded.sort())
      // A value is told as it is, not only looked at.
      for (const [name, kind] of kinds) {
        const value = (message.values as Readonly<Record<string, unknown>>)[name]
        if (kind === 'code?') expect(told).not.toContain(String(value))
        if (kind === 'text' || kind === 'text?' || kind === 'number') expect(told).toContain(String(value))
      }
    }
  })

  test('every part has its own words', () => {
    const told = (Object.keys(WORD_LISTS) as WordListName[]).flatMap(part =>
      ALL_CODES.flatMap(code =>
        Object.entries(shapeOf(code))
          .filter(([, kind]) => kind === part)
          .flatMap(([name]) =>
            Object.keys(WORD_LISTS[part]).map(value => {
              const { values } = sampleMessage(code)
              return tell({ code, values: { ...values, [name]: value } } as Message, language)
            }),
          ),
      ),
    )
    for (const sentence of told) expect(sentence).not.toMatch(/undefined/)
  })
})

test.each([
  'collected_value_expected',
  'collection_name_expected',
  'collection_unknown',
  'list_expected',
  'policy_budget_expected',
  'policy_name_expected',
] as const)('what a form of the operator refuses is told in Japanese: %s', code => {
  expect(ALL_CODES.filter(each => each === code && isToldIn('ja', sampleMessage(each)))).toEqual([code])
})

test('Japanese is Japanese wherever there is any', () => {
  const told = ALL_CODES.map(code => sampleMessage(code)).filter(message => isToldIn('ja', message))
  expect(told.length).toBeGreaterThan(200)
  for (const message of told)
    expect([message.code, tell(message, 'ja')]).toEqual([message.code, expect.stringMatching(/[ぁ-ん]/)])
})

test.each<[Message, string, string]>([
  [
    say('failed_in_a_row', {
      count: 3,
      seen: [say('connection_refused', { host: 'pay.example', errno: 'ECONNREFUSED' })],
    }),
    '3 probes in a row failed. pay.example did not accept a connection.',
    '3回続けて確認に失敗しました。pay.example は接続を受け付けませんでした。',
  ],
  [
    say('other_address', { seen: ['0xa', '0xb', '0xc', '0xd'], more: 2, address: '0xe' }),
    'It asks to pay 0xa, 0xb, 0xc, 0xd and 2 more, not 0xe, the listed address.',
    '掲載のアドレス 0xe ではなく、0xa、0xb、0xc、0xd、ほか2件 への支払いを求めます。',
  ],
  [
    say('settlement_denied', { why: 'Try again, value!' }),
    'It said that the payment was not settled: "Try again, value!".',
    '提供者の応答：未決済（"Try again, value!"）。',
  ],
  [
    say('bought', {
      outcome: 'delivered_not_as_declared',
      price: '0.002 USDC',
      reasons: [say('settlement_silent'), say('answer_empty')],
    }),
    'Test purchase for 0.002 USDC: It did not deliver what it declares. It did not say whether the payment was settled. The response was empty.',
    '0.002 USDC でのテスト購入：仕様どおりに提供されませんでした。決済したかどうかの応答はありませんでした。応答は空でした。',
  ],
  [
    say('uptime', { answered: 1, probes: 1 }),
    'It answered 1 of 1 probe. Points grow with that share and with the number of probes.',
    '1回の確認のうち1回応答しました。点はこの割合と確認の回数とともに増えます。',
  ],
  [
    say('seen_asking', { price: '{isMore?a|b}', listed: '0.01 USDC', isMore: true }),
    'Its endpoint asks for {isMore?a|b} per request, more than the listed 0.01 USDC.',
    'エンドポイントが求める価格は1回 {isMore?a|b} で、掲載の 0.01 USDC より高いです。',
  ],
  [
    say('asked_again', { price: '0.009 USDC', isSame: true }),
    'It asked for the same payment again: 0.009 USDC.',
    '同じ支払いをもう一度求めました：0.009 USDC。',
  ],
  [
    say('pay_to_changed', { before: ['0xa'], after: ['0xb'] }),
    'The address that it asks to pay changed from 0xa to 0xb.',
    '求める支払い先が 0xa から 0xb に変わりました。',
  ],
  [
    say('stability', { probes: 20, asListed: 20, otherPrice: 0, mismatched: 0, mismatchWeight: 10 }),
    'Of 20 probes, 20 found the listed address and exactly the listed price, 0 a lower price, and 0 another address, another network or a higher price. Each probe that found another address, another network or a higher price counts as 10 failed ones.',
    '20回の確認のうち、掲載と同じアドレスに掲載と同じ額を求めたのは20回、掲載より低い価格は0回、別のアドレスかネットワーク、または掲載より高い価格は0回でした。別のアドレス・ネットワーク、または掲載より高い価格は、1回を失敗10回分として数えます。',
  ],
  [
    say('retired_by', { by: 'owner', message: 'Gone. See you. 5 $& {by}' }),
    'Its owner discontinued it: Gone. See you. 5 $& {by}',
    '登録者が提供終了としました：Gone. See you. 5 $& {by}',
  ],
  [
    say('amount_malformed', { place: 'accepts[0].amount', value: null }),
    'accepts[0].amount must be an integer string of the asset\'s smallest units, such as "2500"; it is missing.',
    'accepts[0].amount は "2500" のような最小単位の整数の文字列のはずですが、ありません。',
  ],
])('%j', (message, english, japanese) => {
  expect([tell(message, 'en'), tell(message, 'ja')]).toEqual([english, japanese])
})

describe('stored messages are read:', () => {
  test.each(ALL_CODES)('%s as it was written', code => {
    const message = sampleMessage(code)
    expect(readMessage(JSON.parse(JSON.stringify(message)))).toEqual(message)
  })

  test('a sentence from before there were codes as it is, in every language', () => {
    const message = readMessage('It answers 404.')
    expect(message).toEqual(verbatim('It answers 404.'))
    for (const language of LANGUAGES) expect(tell(message, language)).toBe('It answers 404.')
  })

  test.each([
    [{ code: 'from the future', values: {} }],
    [{ code: 'toString', values: {} }],
    [{ code: 'answers', values: {} }],
    [{ code: 'answers', values: { status: '402' } }],
    [{ code: 'answers' }],
    [{ code: 'edited', values: { by: 'nobody', what: 'price' } }],
    [{ code: 'other_payees', values: { seen: [1], more: 0 } }],
    [{ code: 'never_verifiable', values: { problem: { code: 'answers', values: {} } } }],
    [{ code: 'several', values: { messages: [null] } }],
    [42],
    [null],
    [[]],
  ])('and %j, which is foreign, breaks nothing', kept => {
    const code = kept && 'code' in Object(kept) ? (kept as { code: string }).code : ''
    for (const language of LANGUAGES) expect(tell(readMessage(kept), language)).toBe(code)
  })

  test('nor does one that nests without end', () => {
    let kept: unknown = say('claimed')
    for (let i = 0; i < 100_000; i++) kept = { code: 'several', values: { messages: [kept] } }
    expect(readMessage({ code: 'several', values: { messages: [kept] } }).code).toBe('text')
  })
})

test('a value that may be absent may also be missing', () => {
  const stored = { code: 'request_was', values: { method: 'GET', path: '/v1', tool: null } }
  const without = { ...stored, values: { method: 'GET', path: '/v1' } }
  for (const each of [stored, without]) expect(tell(readMessage(each), 'en')).toBe('The request was GET /v1.')
})
