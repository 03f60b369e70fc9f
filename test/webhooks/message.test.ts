import { describe, expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { Webhook } from 'standardwebhooks'
import { tell } from '../../src/messages/message.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { createReading } from '../../src/webhooks/deliveries.ts'
import {
  budgetsOf,
  createSecret,
  isChallengeResponse,
  sayChallengesSpent,
  toMessage,
  toSignatureHeaders,
} from '../../src/webhooks/message.ts'
import { entry } from '../entries.ts'
import { fc } from '../fast-check.ts'
import { temporaryPath } from '../store/temporary-path.ts'

test('after a restore, an event with a reused number is not a repetition for its receiver', async () => {
  const path = temporaryPath('store.db')
  /** The ids of the messages of all events, after one more. */
  async function live(): Promise<string[]> {
    await using store = await openStore(`sqlite:${path}`, { clock: systemClock })
    await store.insert([entry()])
    const { timelines, seq } = await store.history()
    const events = await createReading(store, { seq, timelines }).after(0)
    return events.map(event => toMessage('whk_1', event).id)
  }
  const [common] = await live()
  copyFileSync(path, `${path}.copy`)
  const lost = await live()
  copyFileSync(`${path}.copy`, path)
  const kept = await live()
  expect([lost[0], kept[0]]).toEqual([common, common])
  expect(lost[1]).toMatch(/^whk_1_2-/)
  expect(kept[1]).toMatch(/^whk_1_2-/)
  expect(kept[1]).not.toBe(lost[1])
})

test('every budget that can be spent is told in the language of the reader', () => {
  const names = budgetsOf('key_1', 'receiver.dev', ['192.0.2.1']).map(({ name }) => name)
  const told = (language: 'en' | 'ja') => names.map(name => tell(sayChallengesSpent(name), language))
  expect(told('en')).toEqual([
    'Many challenges were sent to 192.0.2.1 within the hour.',
    'Many challenges were sent to receiver.dev within the hour.',
    'Many challenges were sent for your webhooks within the hour.',
  ])
  for (const sentence of told('ja')) expect(sentence).toMatch(/^この1時間に、.*チャレンジを送りました。$/)
})

const message = (body: string, sentAt = new Date()) => ({ id: 'whk_1_7', sentAt, body })

describe('a signature', () => {
  test('is accepted by the reference library for any body', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const secret = createSecret()
        const body = JSON.stringify(value)
        const verified = new Webhook(secret).verify(body, toSignatureHeaders(secret, message(body)))
        expect(JSON.stringify(verified)).toBe(JSON.stringify(JSON.parse(body)))
      }),
    )
  })

  test('is rejected for another body, id, time or secret', () => {
    const secret = createSecret()
    const headers = toSignatureHeaders(secret, message('{"a":1}'))
    const verify = (body: string, changed: object = {}, by = secret) =>
      new Webhook(by).verify(body, { ...headers, ...changed })
    expect(verify('{"a":1}')).toEqual({ a: 1 })
    expect(() => verify('{"a":2}')).toThrow()
    expect(() => verify('{"a":1}', { 'webhook-id': 'whk_1_8' })).toThrow()
    const later = String(Number(headers['webhook-timestamp']) + 1)
    expect(() => verify('{"a":1}', { 'webhook-timestamp': later })).toThrow()
    expect(() => verify('{"a":1}', {}, createSecret())).toThrow()
  })

  test('is rejected when it is too old', () => {
    const secret = createSecret()
    const old = message('{}', new Date(Date.now() - 10 * 60_000))
    expect(() => new Webhook(secret).verify('{}', toSignatureHeaders(secret, old))).toThrow(/old/)
  })
})

test('a secret is long, random and in the standard format', () => {
  const secrets = new Set(Array.from({ length: 100 }, createSecret))
  expect(secrets.size).toBe(100)
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
  }
})

const CHALLENGE = 'q8Zt0n3vJx5rYb1cKd7fLw2hPm9sTg4u'
test.each<[body: unknown, isConsent: boolean]>([
  [CHALLENGE, true],
  [`${CHALLENGE}\n`, true],
  [{ challenge: CHALLENGE, ok: true }, true],
  ['', false],
  ['x'.repeat(32), false],
  [{ challenge: 'x'.repeat(32) }, false],
  [[CHALLENGE], false],
  [`<p>${CHALLENGE}</p>`, false],
  // The request itself, sent back.
  [{ type: 'webhook.challenge', data: { challenge: CHALLENGE } }, false],
])('%j in response to a challenge is consent: %p', (body, isConsent) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  expect(isChallengeResponse(Buffer.from(text), CHALLENGE)).toBe(isConsent)
})
