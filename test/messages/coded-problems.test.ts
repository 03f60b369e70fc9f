// What is wrong with a parameter is told by a code: a schema that says it in words of its own would be English on every page.
import { expect, test } from 'bun:test'
import { z } from 'zod'
import * as call from '../../src/domain/call/call.ts'
import * as bazaar from '../../src/domain/formats/bazaar.ts'
import * as reports from '../../src/domain/operating.ts'
import { toProblems } from '../../src/domain/problems.ts'
import * as purchases from '../../src/domain/purchases/purchases-view.ts'
import * as queries from '../../src/domain/queries/queries.ts'
import * as resolve from '../../src/domain/resolve/resolution.ts'

const SCHEMAS = Object.entries({
  ...bazaar,
  ...call,
  ...purchases,
  ...queries,
  ...reports,
  ...resolve,
}).flatMap(([name, schema]) =>
  name.endsWith('QuerySchema') && schema instanceof z.ZodObject ? [[name, schema] as const] : [],
)

const BAD = ['', '\u0000', '\u0000'.repeat(2_000), '-1', {}, ['a', 'b'], 1.5, null]

test('there are schemas to look at', () => {
  expect(SCHEMAS.length).toBeGreaterThan(9)
})

test.each(SCHEMAS)('%s reports what it expects by a code', (_, schema) => {
  for (const field of Object.keys(schema.shape))
    for (const value of BAD) {
      const input = { [field]: value }
      const { error } = schema.safeParse(input)
      const inWords = error && toProblems(error, input).filter(({ said }) => said.code === 'text')
      expect({ field, value, inWords: inWords ?? [] }).toEqual({ field, value, inWords: [] })
    }
})
