// The options for parameters of a query, with their descriptions.
import type { z } from 'zod'
import { callQuerySchema } from '../domain/call/call.ts'
import { intentQuerySchema, keywordQuerySchema, listQuerySchema } from '../domain/queries.ts'
import { reportsQuerySchema } from '../domain/reports.ts'
import { resolveQuerySchema } from '../domain/resolve/query.ts'
import type { Option, QueryName } from './command.ts'

const SCHEMAS: Readonly<Record<QueryName, z.ZodObject>> = {
  list: listQuerySchema,
  search: keywordQuerySchema,
  intent: intentQuerySchema,
  call: callQuerySchema,
  resolve: resolveQuerySchema.omit({ url: true }),
  reports: reportsQuerySchema,
}

export const toFlag = (parameter: string) => parameter.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** One flag per parameter that is not an operand. */
export function optionsOfQuery(name: QueryName): Record<string, Option> {
  return Object.fromEntries(
    Object.entries(SCHEMAS[name].shape)
      .filter(([parameter]) => parameter !== 'q' && parameter !== 'cursor')
      .map(([parameter, schema]) => [
        toFlag(parameter),
        { value: '<value>', help: `${descriptionOf(schema)}.` },
      ]),
  )
}

function descriptionOf(schema: z.core.$ZodType): string {
  const { description } = schema as z.ZodType
  const inner = (schema as Partial<z.ZodOptional>).def?.innerType
  return description ?? (inner === undefined ? '' : descriptionOf(inner))
}
