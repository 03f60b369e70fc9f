// The OpenAPI 3.1 document, made of the same schemas that judge requests and shape answers.

import { SUMMARY, VERSION } from '../../runtime/version.ts'
import { answerBytes, JSON_TYPE } from '../pipeline/answer.ts'
import type { Route } from '../pipeline/route.ts'
import { createErrorResponses, createSchemas, HEADERS, type Json } from './components.ts'
import { PATHS } from './operations.ts'
import { WEBHOOK_MESSAGES } from './webhooks.ts'

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

/** Addresses are relative to the directory that serves the document, unless it is told its public one. */
export const createOpenApi = (publicUrl = ''): OpenApiDocument => ({
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
  tags: [
    { name: 'services', description: 'What is listed' },
    { name: 'owners', description: 'Changing what is yours' },
    { name: 'search', description: 'Finding' },
    { name: 'feed', description: 'Following' },
    { name: 'webhooks', description: 'Being told' },
    { name: 'bazaar', description: 'The format of x402 lists' },
    { name: 'export', description: 'Copying' },
    { name: 'operating', description: 'Watching the process' },
  ],
  paths: PATHS,
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

export function createOpenApiRoute(document: OpenApiDocument): Route {
  const bytes = new TextEncoder().encode(JSON.stringify(document))
  return {
    path: '/openapi.json',
    methods: { GET: ({ request }) => answerBytes(request, bytes, JSON_TYPE) },
  }
}
