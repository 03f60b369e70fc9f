// Bodies for random requests: values from a schema of the OpenAPI document, and what goes wrong with them on the way.

import document from '../../openapi.json' with { type: 'json' }
import { fc } from '../fast-check.ts'

export type Body = {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** What must come back where the rest of the request is right too; undefined: nothing is said about it. */
  readonly draft?: object
}

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

const resolve = (schema: Schema): Schema =>
  schema.$ref ? (document.components.schemas[schema.$ref.split('/').at(-1) as 'Service'] as Schema) : schema

/** Values that the schema allows. */
export function values(given: Schema): fc.Arbitrary<unknown> {
  const schema = resolve(given)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(values))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.pattern) return fc.stringMatching(new RegExp(schema.pattern, 'u'))
  if (schema.format === 'uri') return fc.webUrl({ withQueryParameters: true })
  switch (schema.type) {
    case 'string':
      return text(schema)
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? 0,
        max: Math.min(schema.maximum ?? 1000, Number.MAX_SAFE_INTEGER),
      })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(values(schema.items!), { maxLength: 3 })
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, values(inner)]),
        ),
        { requiredKeys: [...(schema.required ?? [])] },
      )
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

const text = ({ minLength = 0, maxLength = 100 }: Schema): fc.Arbitrary<string> =>
  fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 60) })

/** Text that has broken something somewhere before. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ unit: fc.nat(0xffff).map(unit => String.fromCharCode(unit)), maxLength: 8 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    'x\udfff',
    'name\u202eeman',
    '\u2066\u2069',
    '\u200b',
    '\ufeff',
    '\u3000',
    'e\u0301'.repeat(40),
    '👩‍👩‍👧‍👦',
    '\r\n',
    '../../etc/passwd',
    "'; DROP TABLE services; --",
    '<script>alert(1)</script>',
    '__proto__',
    'constructor',
    '{{7*7}}',
    '%s%n',
    '０．１',
    '標'.repeat(300),
    'a'.repeat(3000),
  ),
)

const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -0,
    -1,
    0.1,
    1e308,
    2 ** 53,
    [],
    {},
    [[[]]],
    { toString: 1 },
    { length: -1 },
  ),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
)

const draftSchema = document.components.schemas.ServiceDraft as Schema

/** Plain enough that every rule behind the schema allows it too. */
const plainDraft = fc.record({
  name: fc.stringMatching(/^[A-Za-z0-9標天気]([A-Za-z0-9標天気 .,'"\\-]{0,60}[A-Za-z0-9標天気])?$/u),
  description: fc.stringMatching(/^[A-Za-z0-9標天気]([A-Za-z0-9標天気\n\t"\\]{0,200}[A-Za-z0-9標天気])?$/u),
  endpoint: fc.webUrl({ withQueryParameters: true }),
  category: fc.stringMatching(/^[a-z]{1,20}(-[a-z]{1,20})?$/),
  pricing: fc.record({
    currency: fc.stringMatching(/^[A-Za-z]{3,6}$/),
    pricePerRequest: values(draftSchema.properties!.pricing!.properties!.pricePerRequest!),
    freeQuota: fc.nat(),
  }),
  x402Config: fc.record({
    paymentAddress: fc.stringMatching(/^[A-Za-z0-9]{20,64}$/),
    network: fc.constantFrom('base', 'eip155:8453', 'solana', 'a-chain', 'BASE'),
  }),
})

const encoder = new TextEncoder()
const bytesOf = (value: unknown) => encoder.encode(typeof value === 'string' ? value : JSON.stringify(value))

/** Any bytes. */
export const chunk: fc.Arbitrary<Body> = fc
  .uint8Array({ maxLength: 200 })
  .map(bytes => ({ bytes: bytes.slice() }))

/** Bodies for an operation whose body has this schema. */
export function bodies(schema: Schema): fc.Arbitrary<Body> {
  const { properties = {} } = resolve(schema)
  const isDraft = resolve(schema) === draftSchema
  const good = isDraft ? plainDraft : (values(schema) as fc.Arbitrary<object>)
  const paths = isDraft ? DRAFT_PATHS : [...Object.keys(properties), 'extra']
  return fc.oneof(
    {
      weight: 4,
      arbitrary: good.map(value => ({ bytes: bytesOf(value), ...(isDraft && { draft: value }) })),
    },
    { weight: 2, arbitrary: values(schema).map(value => ({ bytes: bytesOf(value) })) },
    {
      weight: 8,
      arbitrary: good.chain(value => misshape(value, paths)).map(value => ({ bytes: bytesOf(value) })),
    },
    { weight: 6, arbitrary: good.chain(misspell).map(text => ({ bytes: bytesOf(text) })) },
    { weight: 2, arbitrary: good.chain(damage).map(bytes => ({ bytes })) },
    { weight: 1, arbitrary: nastyValue.map(value => ({ bytes: bytesOf(JSON.stringify(value) ?? '') })) },
    { weight: 1, arbitrary: good.map(tooLong) },
    { weight: 1, arbitrary: chunk },
  )
}

const DRAFT_PATHS = [
  ...Object.keys(draftSchema.properties!),
  'pricing.currency',
  'pricing.pricePerRequest',
  'pricing.freeQuota',
  'x402Config.paymentAddress',
  'x402Config.network',
  'id',
  'extra',
  'pricing.extra',
]

/** Wrong values in some places. */
function misshape(draft: object, paths: readonly string[]): fc.Arbitrary<object> {
  const change = fc.tuple(fc.constantFrom(...paths), fc.option(nastyValue, { nil: undefined }))
  return fc.array(change, { minLength: 1, maxLength: 3 }).map(changes => {
    const copy = structuredClone(draft) as Record<string, Record<string, unknown>>
    for (const [path, value] of changes) {
      const [first = '', second] = path.split('.')
      const parent = second === undefined ? copy : copy[first]
      // An earlier change may have put something else where the object was.
      if (typeof parent === 'object' && parent !== null)
        (parent as Record<string, unknown>)[second ?? first] = value
    }
    return copy
  })
}

/** Wrong as text, or unusual. */
function misspell(draft: object): fc.Arbitrary<string> {
  const text = JSON.stringify(draft)
  const inside = (addition: string) => text.replace('{', `{${addition},`)
  return fc.oneof(
    fc.nat(text.length).map(length => text.slice(0, length)),
    fc.constantFrom(
      inside('"name":"first"'),
      `${text.slice(0, -1)},"name":null}`,
      inside('"__proto__":{"name":"polluted"}'),
      inside('"constructor":{"prototype":{"polluted":true}}'),
      inside('"pricing":1e999'),
      inside('"n":123456789012345678901234567890'),
      inside('"n":-0e-400'),
      text.replace(/"freeQuota":\d+/, '"freeQuota":1e400'),
      text.replace(/"freeQuota":\d+/, '"freeQuota":9007199254740993'),
      text.replace(/"freeQuota":\d+/, '"freeQuota":1.0'),
      text.replace(/"name":"/, '"name":"\\u0000'),
      text.replace(/"name":"/, '"name":"\\ud800'),
      text.replace(/"name":"/, '"name":"\\udc00\\ud800'),
      text.replace(/"description":"/, '"description":"\\u202e'),
      text.replace(/"name":"/, '"name":"\u0000'),
      text.replaceAll('"', "'"),
      `\ufeff${text}`,
      `${text}${text}`,
      `[${text}]`,
      `${text}//`,
      text.replace(/}$/, ',}'),
      text + ' '.repeat(65_536 - encoder.encode(text).length),
      inside(`"deep":${'['.repeat(33)}${']'.repeat(33)}`),
      inside(`"deep":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`),
      '['.repeat(60_000),
      inside(Array.from({ length: 3000 }, (_, i) => `"f${i}":0`).join()),
      'null',
      '""',
      '0',
    ),
  )
}

/** By one byte. */
function tooLong(value: object): Body {
  const bytes = new Uint8Array(65_537).fill(0x20)
  bytes.set(bytesOf(value))
  return { bytes }
}

/** Not even UTF-8. */
function damage(draft: object): fc.Arbitrary<Uint8Array<ArrayBuffer>> {
  const bytes = bytesOf(draft)
  const utf16 = new Uint8Array(Buffer.from(JSON.stringify(draft), 'utf16le'))
  return fc.oneof(
    fc.constant(utf16),
    fc.constant(new Uint8Array(Bun.gzipSync(bytes))),
    fc.tuple(fc.nat(bytes.length - 1), fc.constantFrom(0xff, 0x80, 0xc0, 0xed, 0x00)).map(([at, byte]) => {
      const copy = bytes.slice()
      copy[at] = byte
      return copy
    }),
  )
}
