// A snippet pays only the listed wallet on the listed network, by the terms of the 402 response, or it pays nobody.
import { expect, test } from 'bun:test'
import { CALL_LANGUAGES, toCall } from '../../../src/domain/call/call.ts'
import { DirectoryError } from '../../../src/domain/errors.ts'
import type { ResourceTerms } from '../../../src/domain/terms/terms.ts'
import { draft } from '../../entries.ts'
import { requirements, resource } from '../../terms.ts'

const EVIL = '0xdeadbeef00000000000000000000000000001234'
const LISTED = {
  ...draft({ x402Config: { network: 'base', paymentAddress: requirements.payTo } }),
  id: 'svc_01',
}
const texts = (...resources: ResourceTerms[]) =>
  CALL_LANGUAGES.map(language => toCall(LISTED, { x402Version: 2, resources }, language))

const dear = { ...requirements, payTo: EVIL, amount: '990000', price: '0.99' }
const unsignable = resource({ accepts: [{ ...requirements, extra: {} }] })

test('no manifest or OpenAPI document decides the payee, even if the terms of the response cannot be paid', () => {
  for (const source of ['manifest', 'openapi', 'bazaar'] as const) {
    const named = resource({ url: 'https://weather.example/v1/search', accepts: [dear], source })
    for (const text of texts(unsignable, named)) {
      expect(text.toLowerCase()).not.toContain(EVIL)
      expect(text).not.toContain('990000')
      expect(text).not.toContain('/search')
    }
    const [typescript, python, , mcp] = texts(unsignable, named)
    for (const text of [typescript, python, mcp])
      expect(text).toContain('No official client can pay the listed wallet on the listed network')
  }
})

test('of the payment options in the response, only those to the listed wallet on the listed network are used', () => {
  const elsewhere = { ...requirements, network: 'eip155:137', chain: 'eip155:137' }
  for (const other of [{ ...requirements, payTo: EVIL, amount: '1', price: '0.000001' }, elsewhere]) {
    const [typescript, python, , mcp] = texts(resource({ accepts: [other, requirements] }))
    for (const text of [typescript!, python!, mcp!]) {
      expect(text.toLowerCase()).toContain(requirements.payTo)
      expect(text.toLowerCase()).not.toContain(EVIL)
      expect(text).not.toContain('eip155:137')
    }
    for (const text of texts(resource({ accepts: [other] }))) {
      expect(text).not.toContain('x402Client')
      expect(text.toLowerCase()).not.toContain(EVIL)
    }
  }
})

test('there is no snippet if the endpoint has not answered with terms', () => {
  for (const language of CALL_LANGUAGES)
    expect(() =>
      toCall(LISTED, { x402Version: 2, resources: [resource({ source: 'manifest' })] }, language),
    ).toThrow(DirectoryError)
})

test('the headers of a request share one limit of work', () => {
  let looks = 0
  const many = Array.from({ length: 16 }, () => ({ $ref: '#/$defs/a' }))
  const a = Object.defineProperty({}, 'allOf', {
    enumerable: true,
    get() {
      if (++looks > 10_000) throw new Error('looked at too often')
      return many
    },
  })
  const header = { 'x-in': 'header', $ref: '#/$defs/a' }
  const properties = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x-${i}`, header]))
  texts(resource({ input: { type: 'object', properties, $defs: { a } } }))
})

test('a snippet warns of a price above the listed one, another wallet and another network, and does not pay them', () => {
  const [typescript, python, , mcp] = texts(
    resource({ accepts: [{ ...requirements, amount: '50000', price: '0.05' }] }),
  )
  for (const text of [typescript!, python!, mcp!]) {
    expect(text).toContain('WARNING: it lists 0.0025 USDC and was seen asking for 0.05 USDC.')
    expect(text).toContain('"2500"')
    expect(text).not.toContain('"50000"')
  }
  expect(mcp).toContain('pays at most 0.0025 USDC for each call')
  const elsewhere = { ...requirements, network: 'eip155:137', chain: 'eip155:137' }
  for (const [accepts, told] of [
    [[dear], 'another wallet than the listed one'],
    [[elsewhere], 'no payment on the listed network'],
  ] as const) {
    const [typescript, python, , mcp] = texts(resource({ accepts: [...accepts] }))
    for (const text of [typescript, python, mcp]) expect(text).toContain(told)
  }
  const euros = texts(resource({ accepts: [{ ...requirements, asset: `0x${'e'.repeat(40)}` }] }))[0]
  expect(euros).toContain('It lists 0.0025 USDC, which cannot be compared.')
})

test('sample values are marked as samples', () => {
  const input = { type: 'object', properties: { ticker: { type: 'string' } }, required: ['ticker'] }
  for (const text of texts(resource({ input })).slice(0, 3)) expect(text).toContain('are samples')
  for (const text of texts(resource())) expect(text).not.toContain('are samples')
})
