// Reads what a 402 says about its resource in addition to the payment requirements: description, method, input and output.
import { asRecord, isRecord, type JsonRecord } from '../../domain/json.ts'
import type { ResourceTerms } from '../../domain/terms/terms.ts'
import {
  boundSchema,
  isSchema,
  joinInput,
  schemaFromExample,
  toObjectSchema,
  toSchema,
} from '../documents/schemas.ts'
import { cleanName, cleanRecord, cleanWords } from '../untrusted.ts'
import { type ParsedRequirements, toPaymentRequirements } from './payment-requirements.ts'

export type ResourceDescription = Declared & {
  readonly mimeType?: string
  readonly extensions: readonly string[]
}

const MAX_DESCRIPTION = 1_024
const MAX_EXTENSIONS = 16

export function describeResource(terms: JsonRecord, accepts: readonly unknown[]): ResourceDescription {
  const extensions = isRecord(terms.extensions) ? terms.extensions : {}
  const resource = isRecord(terms.resource) ? terms.resource : {}
  // In version 1 each entry of `accepts` repeats these fields.
  const first = accepts.find(isRecord) ?? {}
  const bazaar = readBazaar(extensions.bazaar)
  const declared = {
    ...readOutputSchema(
      accepts.filter(isRecord).find(({ outputSchema }) => isRecord(outputSchema))?.outputSchema,
    ),
    ...bazaar,
  }
  const description =
    cleanWords(resource.description, MAX_DESCRIPTION) ??
    cleanWords(first.description, MAX_DESCRIPTION) ??
    declared.description
  const mimeType = cleanName(resource.mimeType) ?? cleanName(first.mimeType)
  return {
    ...declared,
    ...(description && { description }),
    ...(mimeType && { mimeType }),
    extensions: Object.keys(extensions)
      .flatMap(name => cleanName(name) ?? [])
      .slice(0, MAX_EXTENSIONS),
  }
}

/** @param request that the terms answered */
export function toResourceTerms(
  {
    payments,
    described: { method: _, extensions, ...declared },
  }: { payments: readonly ParsedRequirements[]; described: ResourceDescription },
  request: { readonly url: string; readonly method: string },
): ResourceTerms {
  return {
    ...request,
    ...declared,
    accepts: payments.map(toPaymentRequirements),
    extensions: [...extensions],
    source: '402',
  }
}

// Reads what a resource declares about its input and output: the Bazaar extension of version 2 (`extensions.bazaar`)
// and its predecessor in version 1 (`outputSchema`), with all field names found in the wild.

/** What is declared in addition to the payment requirements. */
export type Declared = {
  readonly method?: string
  readonly tool?: string
  readonly routeTemplate?: string
  readonly description?: string
  readonly input?: JsonRecord
  readonly output?: JsonRecord
}

/** Characters of the whole declaration, including the parts that are not stored. */
const MAX_DECLARATION = 65_536
const MAX_TEMPLATE = 512
const METHODS = new Set(['GET', 'HEAD', 'DELETE', 'POST', 'PUT', 'PATCH'])
const hasBody = (method: string) => method === 'POST' || method === 'PUT' || method === 'PATCH'

/** @param sent `extensions.bazaar` of version 2 */
export function readBazaar(sent: unknown): Declared {
  const extension = cleanRecord(sent, MAX_DECLARATION)
  if (!extension || !isRecord(extension.info) || !isRecord(extension.info.input)) return {}
  const { info, schema } = extension
  const declared = descend(schema, 'input')
  const input = info.input as JsonRecord
  const output = readOutput(info.output, descend(descend(schema, 'output'), 'example'))
  if (input.type === 'mcp') return { ...readTool(input), ...(output && { output }) }
  const defs = isRecord(schema) && isRecord(schema.$defs) ? { $defs: schema.$defs } : {}
  const parts = (names: readonly string[]): Part => ({
    example: pick(input, names),
    schema: names.map(name => descend(declared, name)).find(isSchema),
  })
  const routeTemplate = cleanName(extension.routeTemplate, MAX_TEMPLATE)
  return {
    ...readRequest(input, parts, defs),
    ...(routeTemplate?.startsWith('/') && { routeTemplate }),
    ...(output && { output }),
  }
}

/** @param sent `outputSchema` of an entry of `accepts` in version 1 */
export function readOutputSchema(sent: unknown): Declared {
  const outputSchema = cleanRecord(sent, MAX_DECLARATION)
  if (!outputSchema) return {}
  const { input, output: declaredOutput } = outputSchema
  const output =
    isRecord(declaredOutput) || Array.isArray(declaredOutput)
      ? boundSchema(describeOutput(declaredOutput))
      : undefined
  if (!isRecord(input)) {
    // Some servers put the output schema here directly, without the envelope.
    const bare =
      declaredOutput === undefined && isSchema(outputSchema) ? boundSchema(toSchema(outputSchema)) : output
    return bare ? { output: bare } : {}
  }
  if (input.type === 'mcp') return { ...readTool(input), ...(output && { output }) }
  const parts = (names: readonly string[]): Part => {
    const declared = pick(input, names)
    return {
      schema: isSchema(declared)
        ? toSchema(declared)
        : isRecord(declared)
          ? toObjectSchema(declared)
          : undefined,
    }
  }
  return { ...readRequest(input, parts, {}), ...(output && { output }) }
}

/** Accepts a schema, fields with their types, or an example. */
const describeOutput = (declared: unknown): JsonRecord =>
  isSchema(declared) || hasTypeNames(declared)
    ? toSchema(declared)
    : { ...schemaFromExample(declared), ...exampleOf(declared) }

const hasTypeNames = (declared: unknown): boolean =>
  isRecord(declared) &&
  Object.values(declared).some(
    field => isSchema(field) || (typeof field === 'string' && TYPE_NAME.test(field)),
  )

const TYPE_NAME = /^(string|number|integer|boolean|array|object)$/i

type Part = { readonly schema?: JsonRecord | undefined; readonly example?: unknown }

const QUERY = ['queryParams', 'query_params', 'query', 'params']
const BODY = ['body', 'bodyFields', 'body_fields', 'bodyParams', 'body_params', 'data', 'properties']
const PATH = ['pathParams', 'path_params']
const HEADERS = ['headers', 'headerFields', 'header_fields']

function readRequest(
  input: JsonRecord,
  partOf: (names: readonly string[]) => Part,
  defs: JsonRecord,
): Declared {
  const declaredMethod = typeof input.method === 'string' ? input.method.trim().toUpperCase() : ''
  const body = partOf(BODY)
  const method = METHODS.has(declaredMethod)
    ? declaredMethod
    : body.schema || body.example !== undefined
      ? 'POST'
      : undefined
  const [own, others] =
    method !== undefined && hasBody(method)
      ? ([body, { path: partOf(PATH), query: partOf(QUERY), header: partOf(HEADERS) }] as const)
      : ([partOf(QUERY), { path: partOf(PATH), header: partOf(HEADERS) }] as const)
  const schema = joined(own, others, defs)
  const mediaType = method !== undefined && hasBody(method) ? mediaTypeOf(input) : undefined
  const cleaned = schema && boundSchema(mediaType ? { ...schema, contentMediaType: mediaType } : schema)
  return { ...(method && { method }), ...(cleaned && { input: cleaned }) }
}

/** Merges all request parts into one schema; `x-in` marks fields outside of the main part. */
function joined(own: Part, others: Readonly<Record<string, Part>>, defs: JsonRecord): JsonRecord | undefined {
  const schema = schemaOf(own)
  const elsewhere = Object.entries(others).flatMap(([place, part]) => {
    const { properties, required } = schemaOf(part) ?? {}
    return Object.entries(isRecord(properties) ? properties : {}).map(([name, field]) => ({
      name,
      field: { ...(isRecord(field) ? field : {}), 'x-in': place },
      isRequired: place === 'path' || (Array.isArray(required) && required.includes(name)),
      example: isRecord(part.example) ? part.example[name] : undefined,
    }))
  })
  if (!schema && elsewhere.length === 0) return undefined
  if (elsewhere.length === 0) return { ...schema, ...exampleOf(own.example), ...defs }
  const isObject = schema === undefined || schema.type === 'object' || isRecord(schema.properties)
  const example = {
    ...Object.fromEntries(
      elsewhere.filter(({ example }) => example !== undefined).map(({ name, example }) => [name, example]),
    ),
    ...(isObject ? asRecord(own.example) : own.example === undefined ? {} : { body: own.example }),
  }
  return { ...joinInput(schema, elsewhere), ...exampleOf(example), ...defs }
}

const schemaOf = ({ schema, example }: Part): JsonRecord | undefined => {
  if (!schema) return example === undefined ? undefined : schemaFromExample(example)
  const converted = toSchema(schema)
  // The official packages write `properties` without `type: "object"`.
  return isRecord(converted.properties) && converted.type === undefined
    ? { type: 'object', ...converted }
    : converted
}

function readTool(input: JsonRecord): Declared {
  const tool = cleanName(input.toolName, 128)
  if (tool === undefined) return {}
  const schema = isRecord(input.inputSchema) ? toSchema(input.inputSchema) : undefined
  const cleaned = schema && boundSchema({ ...schema, ...exampleOf(input.example) })
  const description = cleanWords(input.description, 1_024)
  return { method: 'POST', tool, ...(description && { description }), ...(cleaned && { input: cleaned }) }
}

function readOutput(output: unknown, declared: unknown): JsonRecord | undefined {
  const example = isRecord(output) ? output.example : undefined
  const schema =
    isSchema(declared) && hasContent(declared)
      ? toSchema(declared)
      : example === undefined
        ? undefined
        : schemaFromExample(example)
  return schema && boundSchema({ ...schema, ...exampleOf(example) })
}

/** The official packages write `{type: "object"}` alone if nothing was declared. */
const hasContent = (schema: JsonRecord): boolean => Object.keys(schema).some(key => key !== 'type')

const exampleOf = (example: unknown): JsonRecord =>
  example === undefined || example === null || (isRecord(example) && Object.keys(example).length === 0)
    ? {}
    : { example }

function mediaTypeOf(input: JsonRecord): string | undefined {
  const bodyType = pick(input, ['bodyType', 'body_type'])
  const type = typeof bodyType === 'string' ? bodyType.toLowerCase() : ''
  if (/form|multipart/.test(type)) return 'multipart/form-data'
  return /text|plain/.test(type) ? 'text/plain' : undefined
}

const pick = (record: JsonRecord, names: readonly string[]): unknown =>
  names.map(name => record[name]).find(value => value !== undefined && value !== null)

/** @returns the schema of one property */
const descend = (schema: unknown, name: string): unknown =>
  isRecord(schema) && isRecord(schema.properties) ? schema.properties[name] : undefined
