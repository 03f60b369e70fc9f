import { describe, expect, test } from 'bun:test'
import { Webhook } from 'standardwebhooks'
import { createSecret, toSignatureHeaders } from '../../src/webhooks/message.ts'
import { fc } from '../fast-check.ts'

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
