// The OpenAPI 3.1 document, folded from what each route says about itself and from the schemas that parse requests and shape answers.

import { SUMMARY, VERSION } from '../../runtime/version.ts'
import { createErrorResponses, createSchemas, HEADERS, type Json } from './components.ts'
import { type Operation, TAGS } from './operation.ts'
import { WEBHOOK_MESSAGES } from './webhook-messages.ts'

export type OpenApiDocument = {
  readonly openapi: string
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
    readonly license: Json
  }
  readonly paths: Readonly<Record<string, Json>>
  readonly components: {
    readonly schemas: Json
    readonly headers: Json
    readonly responses: Json
    readonly securitySchemes: Json
  }
} & Json

type Described = {
  readonly path: string
  readonly methods: Readonly<Partial<Record<string, { readonly operation: Operation }>>>
}

/**
 * Addresses are relative to the directory that serves the document, unless it is told its public one. The large parts are made
 * when the first of them is read: a start does not wait for them.
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
      'Reads are open; registering and changing take an API key. Every answer is JSON in UTF-8, every error is application/problem+json. HEAD is answered wherever GET is, OPTIONS everywhere; reads may come from any origin.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: publicUrl === '' ? '/' : publicUrl }],
  tags: TAGS,
})

const createParts = (routes: readonly Described[]) => ({
  paths: Object.fromEntries(routes.map(({ path, methods }) => [toTemplate(path), toPathItem(methods)])),
  webhooks: WEBHOOK_MESSAGES,
  components: {
    schemas: createSchemas(),
    headers: HEADERS,
    responses: createErrorResponses(),
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer <API_KEY>' },
    },
  },
})

/** `:id` as OpenAPI writes it. */
const toTemplate = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

const toPathItem = (methods: Described['methods']): Json =>
  Object.fromEntries(
    Object.entries(methods).map(([method, endpoint]) => [method.toLowerCase(), endpoint!.operation]),
  )
