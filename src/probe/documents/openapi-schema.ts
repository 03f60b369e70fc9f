// Reads the input and output of an OpenAPI operation, each as one self-contained schema.

import { isRecord, type JsonRecord } from '../../domain/json.ts'
import { cleanName, memoizeByObject } from '../untrusted/untrusted-json.ts'
import { type Budget, inlineSchema, resolveReference } from './inline-schema.ts'

const MAX_PARAMETERS = 32

/** The first 16 keys. Many operations may refer to one huge object. */
const keysOf = memoizeByObject((record: JsonRecord) => Object.keys(record).slice(0, 16))

export type Reader = { readonly document: JsonRecord; readonly budget: Budget }

/** Merges parameters and body into one schema; `x-in` marks fields outside of the main part. */
export function inputOf(
  operation: JsonRecord,
  item: JsonRecord,
  method: string,
  { document, budget }: Reader,
): JsonRecord | undefined {
  const properties: Record<string, JsonRecord> = {}
  const required = new Set<string>()
  const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH'
  const parameters = [item.parameters, operation.parameters].flatMap(list =>
    Array.isArray(list) ? list : [],
  )
  let bodySchema: unknown
  for (const given of parameters.slice(0, MAX_PARAMETERS)) {
    const parameter = resolveReference(given, document)
    if (!isRecord(parameter)) continue
    const name = cleanName(parameter.name, 128)
    const place = parameter.in
    if (place === 'body') bodySchema = parameter.schema
    if (name === undefined || (place !== 'path' && place !== 'query' && place !== 'header')) continue
    // Swagger 2 puts the schema into the parameter itself.
    const schema = inlineSchema(parameter.schema ?? swaggerSchemaOf(parameter), document, budget) ?? {}
    const example = parameter.example ?? firstExample(parameter.examples, document)
    const isOwn = place === 'query' && !hasBody
    properties[name] = {
      ...schema,
      ...(example !== undefined && { example }),
      ...(!isOwn && { 'x-in': place }),
    }
    if (place === 'path' || parameter.required === true) required.add(name)
  }
  const body = hasBody ? bodyOf(operation, bodySchema, { document, budget }) : undefined
  return joined(properties, required, body)
}

function bodyOf(
  operation: JsonRecord,
  swaggerBody: unknown,
  { document, budget }: Reader,
): JsonRecord | undefined {
  const requestBody = resolveReference(operation.requestBody, document)
  const content = isRecord(requestBody) && isRecord(requestBody.content) ? requestBody.content : {}
  const types = keysOf(content)
  const type = types.find(name => /[/+]json\b/i.test(name)) ?? types[0]
  const media = type === undefined ? undefined : content[type]
  const schema = inlineSchema(isRecord(media) ? media.schema : swaggerBody, document, budget)
  const example = isRecord(media) ? (media.example ?? firstExample(media.examples, document)) : undefined
  if (!schema && example === undefined) return undefined
  const mediaType =
    type === undefined || /[/+]json\b/i.test(type) ? undefined : cleanName(type.split(';')[0]?.trim(), 128)
  return {
    ...schema,
    ...(example !== undefined && { example }),
    ...(mediaType && { contentMediaType: mediaType }),
  }
}

function joined(
  properties: Record<string, JsonRecord>,
  required: Set<string>,
  body: JsonRecord | undefined,
): JsonRecord | undefined {
  const names = Object.keys(properties)
  if (names.length === 0) return body
  const isObject = body === undefined || body.type === 'object' || isRecord(body.properties)
  const base: JsonRecord = isObject
    ? (body ?? {})
    : { properties: { body: { ...body, 'x-in': 'body' } }, required: ['body'] }
  const all = [...required, ...(Array.isArray(base.required) ? base.required : [])]
  return {
    ...base,
    type: 'object',
    properties: { ...properties, ...(isRecord(base.properties) ? base.properties : {}) },
    ...(all.length > 0 && { required: [...new Set(all)] }),
  }
}

export function outputOf(
  operation: JsonRecord,
  { document, budget }: Reader,
): [mimeType: string | undefined, output: JsonRecord | undefined] {
  const responses = isRecord(operation.responses) ? operation.responses : {}
  const success = resolveReference(responses['200'] ?? responses['201'] ?? responses.default, document)
  if (!isRecord(success)) return [undefined, undefined]
  const content = isRecord(success.content) ? success.content : {}
  const type = keysOf(content)[0]
  const media = type === undefined ? undefined : content[type]
  const schema = inlineSchema(isRecord(media) ? media.schema : success.schema, document, budget)
  const example = isRecord(media) ? (media.example ?? firstExample(media.examples, document)) : undefined
  const output =
    schema || example !== undefined ? { ...schema, ...(example !== undefined && { example }) } : undefined
  return [cleanName(type, 128), output]
}

function swaggerSchemaOf({
  type,
  format,
  enum: values,
  default: usual,
  minimum,
  maximum,
  items,
}: JsonRecord): JsonRecord {
  const schema = { type, format, enum: values, default: usual, minimum, maximum, items }
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined))
}

/** `{name: {value}}`, as in OpenAPI. */
function firstExample(examples: unknown, document: JsonRecord): unknown {
  if (!isRecord(examples)) return undefined
  const [name] = keysOf(examples)
  const first = name === undefined ? undefined : resolveReference(examples[name], document)
  return isRecord(first) ? first.value : undefined
}
