// The OpenAPI 3.1 document: the descriptions of the routes, the schemas to which they refer, and what webhook receivers get.
import { z } from 'zod'
import { feedEventExample, IDS } from '../../directory/examples.ts'
import { TAGS } from '../../directory/operation.ts'
import { PROBLEM_TYPES } from '../../directory/wire.ts'
import { messageFieldsSchema, messageSchema } from '../../domain/problems.ts'
import type { WebhookChallenge } from '../../domain/webhooks.ts'
import { SUMMARY, VERSION } from '../../package/version.ts'
import {
  createErrorExamples,
  createErrorResponses,
  HEADERS,
  type Json,
  json,
  jsonBody,
  type OperationObject,
  schemaRef,
} from './describe.ts'

z.object({
  type: z.string().meta({ format: 'uri-reference' }).describe('Where the code is explained'),
  title: z.string().describe('What kind of problem it is'),
  status: z.int().describe('The HTTP status code'),
  detail: z.string().describe('What went wrong and what to do, in one sentence'),
  error: z
    .string()
    .optional()
    .describe('The same sentence, where clients of x402 lists look for it: on /discovery only'),
  errorCode: z.string().optional().describe('The code where clients of ARD look for it: on /ard only'),
  message: z.string().optional().describe('The same sentence, for clients of ARD: on /ard only'),
  code: z.enum(Object.keys(PROBLEM_TYPES)).describe('Stable, for programs'),
  detailCode: messageSchema.describe('What detail says, for programs'),
  errors: z
    .array(
      messageFieldsSchema.extend({
        path: z.string().describe('The field or parameter'),
        message: z.string().describe('What is wrong with it, in English'),
      }),
    )
    .optional()
    .describe('For invalid input: every problem at once'),
}).meta({ id: 'Problem', title: 'What went wrong (RFC 9457)' })

/** The schemas to which the described operations refer, and everything these refer to. */
function createSchemas(described: Json): Json {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    io: 'input',
    unrepresentable: 'any',
    uri: id => `#/components/schemas/${id}`,
  })
  const found = new Map<string, Json>()
  const visit = (part: Json) => {
    for (const [, id] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(id!)) continue
      const { $schema: _, $id: __, ...schema } = schemas[id!] as Json
      found.set(id!, schema)
      visit(schema)
    }
  }
  visit(described)
  return Object.fromEntries(found)
}

// The requests that webhook receivers get: no route of ours describes them.

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})
const SIGNED = [
  header('webhook-id', 'The same however often the message is sent'),
  header('webhook-timestamp', 'When it was sent, in seconds since 1970'),
  header('webhook-signature', 'v1, a comma, and HMAC-SHA256 over id.timestamp.body in base64'),
]
const { type, at: timestamp } = feedEventExample
const challenge: WebhookChallenge = {
  type: 'webhook.challenge',
  timestamp,
  data: {
    webhookId: IDS.webhook,
    challenge: 'q8Zt0n3vJx5rYb1cKd7fLw2hPm9sTg4u',
    message:
      'Someone asked to send webhook messages to this address. To accept, respond with the challenge; otherwise ignore this.',
  },
}

const WEBHOOK_MESSAGES: Json = {
  challenge: {
    post: {
      operationId: 'answerChallenge',
      tags: ['webhooks'],
      summary: 'Confirm that you accept messages',
      description:
        'Sent first, and again when the host of the receiver resolves to another address. Nothing else is sent until a response contains the value of the challenge.',
      parameters: SIGNED,
      requestBody: jsonBody(schemaRef('WebhookChallenge'), challenge),
      responses: {
        '2XX': {
          description: 'Accepted: the value of the challenge and nothing else',
          content: {
            'text/plain': { schema: { type: 'string' }, example: challenge.data.challenge },
            ...json(
              { type: 'object', required: ['challenge'], properties: { challenge: { type: 'string' } } },
              { challenge: challenge.data.challenge },
            ),
          },
        },
        410: { description: 'Refused: the webhook is disabled' },
        default: { description: 'Not confirmed: the challenge is repeated a few times' },
      },
    },
  },
  serviceEvent: {
    post: {
      operationId: 'receiveServiceEvent',
      tags: ['webhooks'],
      summary: 'Something happened to a service',
      parameters: SIGNED,
      requestBody: jsonBody(schemaRef('WebhookMessage'), { type, timestamp, data: feedEventExample }),
      responses: {
        '2XX': { description: 'Received' },
        410: { description: 'No more messages are wanted: the webhook is disabled' },
        default: { description: 'Not received: it is sent again later' },
      },
    },
  },
}

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
  readonly methods: Readonly<Partial<Record<string, { readonly operation: () => OperationObject }>>>
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
      schemas: createSchemas({ paths, webhooks: WEBHOOK_MESSAGES, responses: createErrorResponses() }),
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
