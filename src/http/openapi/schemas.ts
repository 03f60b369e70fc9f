// The schemas of the OpenAPI document: those of the domain to which operations refer, and a few of its own.

import { z } from 'zod'
import { forEachLanguage, LANGUAGE_CODES, LANGUAGES } from '../../domain/languages/languages.ts'
import { PROBLEM_TYPES } from '../pipeline/errors.ts'
import { type Json, object, schemaRef, text, whole } from './json-schema.ts'

const OWN_SCHEMAS: Json = {
  Category: object(
    {
      id: text('What the category parameter and field take'),
      labels: {
        type: 'object',
        description: 'Its names, by language',
        properties: forEachLanguage(code => text(`In ${LANGUAGES[code].inEnglish}`)),
        required: [...LANGUAGE_CODES],
      },
      count: whole('Services in it'),
    },
    { title: 'A category' },
  ),
  Readiness: object(
    {
      state: {
        type: 'string',
        enum: ['starting', 'ready', 'degraded'],
        description: 'degraded: reads work from memory, writes do not',
      },
      reason: {
        type: ['string', 'null'],
        description: 'Why the store is unavailable or does not accept writes; null if it does',
      },
      seq: whole('Number of the last write in the catalog'),
      services: whole('Number of services'),
      loaded: {
        type: 'number',
        minimum: 0,
        maximum: 1,
        description: 'The share of the store that a start has read so far',
      },
      lagMs: { type: 'number', minimum: 0, description: 'How long the catalog has lagged behind the store' },
      storeErrors: { type: 'integer', minimum: 0, description: 'How often the store did not respond' },
      probing: {
        anyOf: [schemaRef('Probing'), { type: 'null' }],
        description: 'null if this process takes no part in probing',
      },
    },
    { title: 'How far the process is' },
  ),
  Problem: object(
    {
      type: { type: 'string', format: 'uri-reference', description: 'Where the code is explained' },
      title: text('What kind of problem it is'),
      status: { type: 'integer', description: 'The HTTP status code' },
      detail: text('What went wrong and what to do, in one sentence'),
      error: text('The same sentence, where clients of x402 lists look for it: on /discovery only'),
      errorCode: text('The code where clients of ARD look for it: on /ard only'),
      message: text('The same sentence, for clients of ARD: on /ard only'),
      code: { type: 'string', enum: Object.keys(PROBLEM_TYPES), description: 'Stable, for programs' },
      detailCode: { ...schemaRef('Message'), description: 'What detail says, for programs' },
      errors: {
        type: 'array',
        description: 'For invalid input: every problem at once',
        items: {
          type: 'object',
          properties: {
            path: text('The field or parameter'),
            message: text('What is wrong with it, in English'),
            code: text('What the message says, for programs'),
            values: { type: 'object', description: 'The values in the message, by name' },
          },
          required: ['path', 'message', 'code', 'values'],
        },
      },
    },
    {
      title: 'What went wrong (RFC 9457)',
      required: ['type', 'title', 'status', 'detail', 'code', 'detailCode'],
    },
  ),
}

/** The schemas to which the described operations refer, and everything these refer to. */
export function createSchemas(described: Json): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    io: 'input',
    unrepresentable: 'any',
    uri: id => `#/components/schemas/${id}`,
  })
  const found = new Map<string, Json>()
  const visit = (part: Json) => {
    for (const [, id] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(id!) || id! in OWN_SCHEMAS) continue
      const { $schema: _, $id: __, ...schema } = schemas[id!] as Json
      found.set(id!, schema)
      visit(schema)
    }
  }
  visit(described)
  visit(OWN_SCHEMAS)
  return { ...Object.fromEntries(found), ...OWN_SCHEMAS }
}
