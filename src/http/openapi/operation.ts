// The OpenAPI description of one method of a route.
import type { Json } from './json-schema.ts'

export const TAGS = [
  { name: 'services', description: 'The catalog' },
  { name: 'proof', description: 'What the directory measured' },
  { name: 'payment', description: 'Before you pay' },
  { name: 'owners', description: 'Managing your own services' },
  { name: 'search', description: 'Finding' },
  { name: 'feed', description: 'Following' },
  { name: 'webhooks', description: 'Notifications by webhook' },
  { name: 'bazaar', description: 'The formats of x402 lists and of ARD registries' },
  { name: 'export', description: 'Copying' },
  { name: 'operating', description: 'Watching the process' },
] as const

/** An Operation Object of OpenAPI 3.1, with the fields required here. */
export type Operation = {
  readonly operationId: string
  readonly tags: readonly [(typeof TAGS)[number]['name']]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly Json[]
  readonly parameters?: readonly Json[]
  readonly requestBody?: Json
  readonly responses: Json
}
