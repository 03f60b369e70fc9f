// What an operation states about itself besides its form over HTTP (directory/wire.ts): the schemas that parse its input and describe
// its result, its errors, its words. Routes and the OpenAPI document are made from it.
import type { z } from 'zod'
import type { ErrorCode } from '../domain/errors.ts'

export const TAGS = [
  { name: 'services', description: 'Services' },
  { name: 'proof', description: 'Evidence' },
  { name: 'payment', description: 'Before you pay' },
  { name: 'owners', description: 'Your services' },
  { name: 'search', description: 'Search' },
  { name: 'feed', description: 'Changes and events' },
  { name: 'webhooks', description: 'Webhooks' },
  { name: 'bazaar', description: 'x402 lists and ARD' },
  { name: 'export', description: 'Export' },
  { name: 'operating', description: 'Operations' },
] as const
export type Tag = (typeof TAGS)[number]['name']

export type JsonSchema = { readonly [name: string]: unknown }

export type Operation = {
  /** The `operationId`. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly description: string
  /** What `:id` of the path names; a service unless stated. */
  readonly of?: { readonly what: string; readonly example: string }
  readonly query?: {
    readonly schema: z.ZodObject
    /** Where more is checked than the schema does. */
    readonly parse?: (input: unknown) => unknown
    readonly examples?: Readonly<Record<string, unknown>>
  }
  readonly body?: {
    readonly schema: z.ZodType | JsonSchema
    readonly example: unknown
    /** Further content types. */
    readonly types?: readonly string[]
  }
  /** Request headers that it reads, besides those of every read. */
  readonly headers?: readonly JsonSchema[]
  /** Describes the response. */
  readonly answer: string
  readonly result?: z.ZodType | JsonSchema
  readonly example?: unknown
  /** Its response can have notices about the request. */
  readonly hasNotices?: true
  /** The errors besides those that follow from its form, such as those of a body or of a key. */
  readonly errors?: readonly ErrorCode[]
  /** Cost relative to a list of 20, which costs 1 (docs/performance.md). */
  readonly cost?: number | ((request: { readonly url: string }) => number)
  /** How long the connection may stay silent, if it waits for somebody else. */
  readonly timeoutSeconds?: number
}

/** The cost of a page by its length: `base`, and 1 for every `each` entries that are asked for, `usual` or of `max` at most. */
export const costOfPage =
  (
    base: number,
    { each, max, usual = 20 }: { readonly each: number; readonly max: number; readonly usual?: number },
  ) =>
  ({ url }: { readonly url: string }): number => {
    const asked = Number(new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('limit')) || usual
    return base + Math.ceil(Math.min(max, Math.max(0, asked)) / each)
  }

/** A request header, as the document describes it. */
export const requestHeader = (
  name: string,
  description: string,
  schema: JsonSchema = { type: 'string' },
): JsonSchema => ({ name, in: 'header', required: false, description, schema })
