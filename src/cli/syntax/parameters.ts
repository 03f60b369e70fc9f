// The options for parameters of a query, with their descriptions.
import type { z } from 'zod'
import { callQuerySchema } from '../../domain/call/call.ts'
import { intentQuerySchema, listQuerySchema } from '../../domain/queries/queries.ts'
import { resolveQuerySchema } from '../../domain/resolve/resolution.ts'
import type { Option, QueryName } from './command.ts'

const SCHEMAS: Readonly<Record<QueryName, z.ZodObject>> = {
  list: listQuerySchema,
  intent: intentQuerySchema,
  call: callQuerySchema,
  resolve: resolveQuerySchema.omit({ url: true }),
}

export const toFlag = (parameter: string) => parameter.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** One flag per parameter that is not an operand. */
export function optionsOfQuery(name: QueryName): Record<string, Option> {
  return Object.fromEntries(
    Object.entries(SCHEMAS[name].shape)
      .filter(([parameter]) => parameter !== 'q')
      .map(([parameter, schema]) => [toFlag(parameter), { value: '<value>', help: helpOf(schema) }]),
  )
}

function helpOf(schema: z.core.$ZodType): string {
  const layers = [...layersOf(schema as unknown as Layer)]
  const description = layers.find(layer => layer.description !== undefined)?.description ?? ''
  const values = layers.find(layer => layer.options !== undefined)?.options
  // A description that names its values, in a list or in its sentence, needs no second list.
  const isNamed = values?.every(value => description.includes(value)) ?? true
  return isNamed ? `${description}.` : `${description}. One of ${values!.join(', ')}.`
}

/** A schema as far as its help needs it: enums have options, wrappers an inner type, pipes an output. */
type Layer = {
  readonly description?: string
  readonly options?: readonly string[]
  readonly def: { readonly innerType?: Layer; readonly in?: Layer; readonly out?: Layer }
}

function* layersOf(schema: Layer): Generator<Layer> {
  yield schema
  const { innerType, in: input, out } = schema.def
  for (const inner of [innerType, input, out]) if (inner) yield* layersOf(inner)
}
