// The terms that an endpoint was seen to declare, in the format of x402 lists: its own payment requirements, version and schemas.

import { toCallRequest } from '../call/request.ts'
import { asRecord, isRecord, type JsonRecord } from '../json/json-record.ts'
import { sampleValue } from '../samples/sample-value.ts'
import type { PaymentRequirements, ResourceTerms, SeenTerms } from '../terms/terms.ts'
import { type BazaarItem, DEFAULT_TIMEOUT_SECONDS, OFFER_TYPE, TOOL_TYPE } from './bazaar.ts'

type Accepts = BazaarItem['accepts'][number]

const WITH_BODY = ['POST', 'PUT', 'PATCH']

/** The item with the terms that its endpoint declares. */
export function toSeenItem(item: BazaarItem, { seenAt, x402Version, resources }: SeenTerms): BazaarItem {
  const resource = resources.find(({ accepts }) => accepts.length > 0)
  if (!resource) return item
  const { url, description, mimeType, accepts, tool } = resource
  return {
    ...item,
    resource: toCallRequest({ ...resource, input: undefined }).url || url,
    type: tool === undefined ? OFFER_TYPE : TOOL_TYPE,
    x402Version,
    accepts: accepts.map(requirements =>
      x402Version === 1 ? toAcceptsV1(requirements, resource) : toAccepts(requirements),
    ),
    metadata: {
      ...item.metadata,
      terms: 'seen',
      seenAt,
      ...(description && { description }),
      ...(mimeType && { mimeType }),
    },
    extensions: { ...item.extensions, bazaar: toBazaarExtension(resource) },
  }
}

const toAccepts = ({
  scheme,
  network,
  amount,
  asset,
  payTo,
  maxTimeoutSeconds,
  extra,
}: PaymentRequirements): Accepts => ({
  scheme,
  network,
  amount,
  asset,
  payTo,
  maxTimeoutSeconds: maxTimeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS,
  extra,
})

function toAcceptsV1(requirements: PaymentRequirements, resource: ResourceTerms): Accepts {
  const { amount, ...accepts } = toAccepts(requirements)
  return {
    ...accepts,
    maxAmountRequired: amount,
    resource: resource.url,
    description: resource.description ?? '',
    mimeType: resource.mimeType ?? '',
    outputSchema: {
      input: { ...toInfo(resource), discoverable: true },
      ...(resource.output && { output: resource.output }),
    },
  }
}

/** The extension of version 2: example values, and the schema that they match. */
function toBazaarExtension(resource: ResourceTerms): JsonRecord {
  const { output, routeTemplate } = resource
  const input = toInfo(resource)
  return {
    info: {
      input,
      ...(output && { output: { type: 'json', ...('example' in output && { example: output.example }) } }),
    },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { type: 'string', const: input.type },
            ...(input.method !== undefined && { method: { type: 'string', enum: [input.method] } }),
            ...schemasOf(resource),
          },
          required: Object.keys(input).filter(name => name !== 'description'),
        },
      },
      required: ['input'],
    },
    ...(routeTemplate !== undefined && { routeTemplate }),
  }
}

const GROUPS = { path: 'pathParams', query: 'queryParams', header: 'headers' } as const

/** The properties of the input, grouped by their place in the request. */
function groupsOf({ method, input = {} }: ResourceTerms): Map<string, JsonRecord> {
  const defaultGroup = WITH_BODY.includes(method) ? 'body' : 'queryParams'
  const required = Array.isArray(input.required) ? (input.required as unknown[]) : []
  const groups = Map.groupBy(Object.entries(asRecord(input.properties)), ([, property]) => {
    const place = asRecord(property)['x-in']
    return place === 'body' ? 'body' : (GROUPS[place as keyof typeof GROUPS] ?? defaultGroup)
  })
  return new Map(
    [...groups].map(([group, properties]) => {
      const [first] = properties
      const isWhole = group === 'body' && asRecord(first?.[1])['x-in'] === 'body'
      const names = properties.map(([name]) => name).filter(name => required.includes(name))
      const schema = {
        type: 'object',
        properties: Object.fromEntries(properties),
        ...(names.length > 0 && { required: names }),
      }
      return [group, isWhole ? asRecord(first![1]) : schema]
    }),
  )
}

function toInfo(resource: ResourceTerms): JsonRecord {
  const { tool, method, input = {}, description } = resource
  if (tool !== undefined)
    return {
      type: 'mcp',
      toolName: tool,
      transport: 'streamable-http',
      inputSchema: input,
      ...(description && { description }),
    }
  const example = asRecord(input.example)
  const values = [...groupsOf(resource)].map(([group, schema]) => {
    const sample = sampleValue(schema, input)
    const fields = Object.entries(example).filter(([name]) =>
      Object.hasOwn(asRecord(schema.properties), name),
    )
    return [group, isRecord(sample) ? { ...sample, ...Object.fromEntries(fields) } : sample] as const
  })
  const hasBody = WITH_BODY.includes(method)
  return {
    type: 'http',
    method,
    ...(hasBody && { bodyType: bodyTypeOf(input.contentMediaType), body: {} }),
    ...Object.fromEntries(values),
  }
}

function schemasOf(resource: ResourceTerms): JsonRecord {
  const { tool, method, input = {} } = resource
  if (tool !== undefined)
    return { toolName: { type: 'string' }, inputSchema: { type: 'object' }, transport: { type: 'string' } }
  return {
    ...(WITH_BODY.includes(method) && {
      bodyType: { type: 'string', enum: [bodyTypeOf(input.contentMediaType)] },
      body: { type: 'object' },
    }),
    ...Object.fromEntries(groupsOf(resource)),
  }
}

function bodyTypeOf(mediaType: unknown): 'json' | 'form-data' | 'text' {
  const type = typeof mediaType === 'string' ? mediaType.toLowerCase() : ''
  if (type.startsWith('text/')) return 'text'
  return type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded' ? 'form-data' : 'json'
}
