// The OpenAPI description of one method of a route.
import type { Json } from './json-schema.ts'

export const TAGS = [
  { name: 'services', description: 'Services' },
  { name: 'proof', description: 'Evidence' },
  { name: 'payment', description: 'Before you pay' },
  { name: 'owners', description: 'Your services' },
  { name: 'search', description: 'Search' },
  { name: 'feed', description: 'Changes and events' },
  { name: 'webhooks', description: 'Webhooks' },
  { name: 'bazaar', description: 'x402 lists and Agentic Resource Discovery (ARD)' },
  { name: 'export', description: 'Census and export' },
  { name: 'operating', description: 'Operations' },
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
