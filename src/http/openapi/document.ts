// The OpenAPI 3.1 document, assembled from the descriptions of the routes and from the schemas that validate requests and shape
// responses.

import { TAGS } from '../../directory/operation.ts'
import { SUMMARY, VERSION } from '../../package/version.ts'
import { HEADERS } from './headers.ts'
import type { Json } from './json-schema.ts'
import type { Operation } from './operation.ts'
import { createErrorExamples, createErrorResponses } from './problems.ts'
import { createSchemas } from './schemas.ts'
import { WEBHOOK_MESSAGES } from './webhook-messages.ts'

export type OpenApiDocument = {
  readonly openapi: string
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
    readonly contact: Json
    readonly license: Json
  }
  readonly paths: Readonly<Record<string, Json>>
  readonly components: {
    readonly schemas: Json
    readonly headers: Json
    readonly responses: Json
    readonly examples: Json
    readonly securitySchemes: Json
  }
} & Json

type Described = {
  readonly path: string
  readonly methods: Readonly<Partial<Record<string, { readonly operation: () => Operation }>>>
}

/**
 * URLs are relative to the directory that serves the document, unless the public URL is given. The large parts are created on first
 * access, not at startup.
 */
export function createOpenApi(routes: readonly Described[], publicUrl = ''): OpenApiDocument {
  let parts: ReturnType<typeof createParts> | undefined
  const read = () => {
    parts ??= createParts(routes)
    return parts
  }
  return {
    ...createFrame(publicUrl),
    get paths() {
      return read().paths
    },
    get webhooks() {
      return read().webhooks
    },
    get components() {
      return read().components
    },
  }
}

const createFrame = (publicUrl: string) => ({
  openapi: '3.1.1',
  info: {
    title: 'Shirube',
    version: VERSION,
    summary: SUMMARY,
    description:
      'Reads are open; registering and changing need an API key. Responses are JSON in UTF-8 unless stated otherwise; errors are application/problem+json. HEAD works wherever GET does, OPTIONS everywhere; reads are allowed from any origin.',
    contact: { name: 'The operator of this directory', ...(publicUrl !== '' && { url: publicUrl }) },
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: publicUrl === '' ? '/' : publicUrl }],
  tags: TAGS,
  // No security, except for operations that name a key.
  security: [],
})

function createParts(routes: readonly Described[]) {
  const paths = Object.fromEntries(routes.map(({ path, methods }) => [toTemplate(path), toPathItem(methods)]))
  return {
    paths,
    webhooks: WEBHOOK_MESSAGES,
    components: {
      schemas: createSchemas({ paths, webhooks: WEBHOOK_MESSAGES }),
      headers: HEADERS,
      responses: pickNamed(createErrorResponses(), paths),
      examples: createErrorExamples(),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY>' },
      },
    },
  }
}

/** A code that always shares its status with another is an example in their common response. */
function pickNamed(responses: Json, paths: Json): Json {
  const text = JSON.stringify(paths)
  return Object.fromEntries(
    Object.entries(responses).filter(([code]) => text.includes(`"#/components/responses/${code}"`)),
  )
}

/** `:id` in the syntax of OpenAPI. */
const toTemplate = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

const toPathItem = (methods: Described['methods']): Json =>
  Object.fromEntries(
    Object.entries(methods).map(([method, endpoint]) => [method.toLowerCase(), endpoint!.operation()]),
  )
