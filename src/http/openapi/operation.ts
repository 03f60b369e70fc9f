// The OpenAPI description of one method of a route.
import type { Tag } from '../../directory/operation.ts'
import type { Json } from './json-schema.ts'

/** An Operation Object of OpenAPI 3.1, with the fields required here. */
export type Operation = {
  readonly operationId: string
  readonly tags: readonly [Tag]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly Json[]
  readonly parameters?: readonly Json[]
  readonly requestBody?: Json
  readonly responses: Json
}
