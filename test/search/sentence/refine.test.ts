import { expect, test } from 'bun:test'
import { createSentenceReader, refineIntent } from '../../../src/search/sentence/intent.ts'

const readIntent = createSentenceReader()

const SENTENCE = 'verified weather forecast under $0.01 on Base'

test('a dropped constraint is neither applied nor echoed', () => {
  const read = readIntent(SENTENCE)
  expect(read.constraints).toMatchObject({ chain: 'base', status: 'verified' })
  const { filter, constraints, contentTokens, constraintTokens } = refineIntent(read, { without: ['chain'] })
  expect(read.constraintTokens).toContain('base')
  expect(constraintTokens).not.toContain('base')
  expect(constraintTokens).toContain('verified')
  expect(filter.chain).toBeUndefined()
  expect('chain' in constraints).toBe(false)
  expect(filter.status).toBe('verified')
  expect(contentTokens).toEqual(read.contentTokens)
})

test('a filter replaces a constraint of its kind and keeps the others', () => {
  const { filter, constraints } = refineIntent(readIntent(SENTENCE), {
    chain: 'solana',
    maxPricePerRequest: '0.5',
    currency: 'USDC',
  })
  expect(filter).toMatchObject({
    chain: 'solana',
    status: 'verified',
    maxPricePerRequest: { amount: '0.5', below: false },
    currency: ['usdc'],
  })
  expect('chain' in constraints).toBe(false)
  expect('maxPricePerRequest' in constraints).toBe(false)
  expect(constraints.status).toBe('verified')
})
