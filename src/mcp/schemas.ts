// Converts schemas of the domain for tools: agents get the descriptions, validation stays here.

import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { invalid, type Problem, toProblem, toProblems } from '../domain/errors.ts'
import { findMeantParameter } from '../domain/text/nearest.ts'
import { say } from '../messages/message.ts'

export type Arguments = Readonly<Record<string, unknown>>
type JsonSchema = Record<string, unknown>

/** Ids would move schemas into definitions, and not every host resolves references. */
const describedInPlace = {
  get(schema: z.core.$ZodType) {
    const { id: _, ...described } = z.globalRegistry.get(schema) ?? {}
    return described
  },
} as typeof z.globalRegistry

/** Accepts any arguments: the tool validates them itself, to explain mistakes. */
export const toInputSchema = (schema: z.ZodType): StandardSchemaWithJSON<Arguments> =>
  state(
    z.toJSONSchema(schema, {
      io: 'input',
      metadata: describedInPlace,
      override({ jsonSchema }) {
        for (const name of UNUSABLE) delete (jsonSchema as JsonSchema)[name]
      },
    }),
  )

/** What a model cannot use: the descriptions say what is meant, and the tool explains every mistake. */
const UNUSABLE = ['pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'const', 'title', 'format']

/** For prompts, which the library validates: with our own words for what is wrong. */
export const toCheckedSchema = <S extends z.ZodObject>(schema: S): StandardSchemaWithJSON<z.output<S>> => {
  const { '~standard': described } = toInputSchema(schema)
  return {
    '~standard': {
      ...described,
      validate(value) {
        const parsed = schema.safeParse(value ?? {})
        if (parsed.success) return { value: parsed.data }
        const problems = toProblems(parsed.error, value ?? {})
        return { issues: problems.map(({ path, message }) => ({ message: `${path}: ${message}` })) }
      },
    },
  } as StandardSchemaWithJSON<z.output<S>>
}

/**
 * An outline, because every agent that connects pays tokens for it: each field of the result with its meaning, and the fields below by name.
 * The result itself shows the rest. No limits of values but for words to choose from: a remote directory may return longer or unknown ones,
 * and a host would reject the result.
 */
export function toOutputSchema(schema: z.ZodObject): StandardSchemaWithJSON<Arguments> {
  const { type, properties, required } = z.toJSONSchema(schema, { io: 'output', metadata: describedInPlace })
  return state({
    type,
    properties: mapValues(properties as Fields, field => ({
      ...toShape(field),
      ...(field.enum !== undefined && { enum: field.enum }),
      ...(field.description !== undefined && { description: field.description }),
    })),
    required,
  } as z.core.JSONSchema.BaseSchema)
}

type Fields = Readonly<Record<string, JsonSchema>>

function toShape({ type, items, properties, anyOf }: JsonSchema): JsonSchema {
  if (Array.isArray(anyOf)) return toOneShape(anyOf.map(toShape))
  return {
    ...(type !== undefined && { type }),
    ...(items !== undefined && { items: toShape(items as JsonSchema) }),
    ...(properties !== undefined && { properties: mapValues(properties as Fields, () => ({})) }),
  }
}

/** What may be null has its shape and null; of other alternatives only the types are stated. */
function toOneShape(shapes: readonly JsonSchema[]): JsonSchema {
  const types = new Set(shapes.flatMap(({ type }) => type))
  const [shape, ...others] = shapes.filter(({ type }) => type !== 'null')
  return { ...(others.length === 0 && shape), type: [...types] }
}

const mapValues = <T, U>(record: Readonly<Record<string, T>>, map: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))

function state({ $schema: _, ...stated }: z.core.JSONSchema.BaseSchema): StandardSchemaWithJSON<Arguments> {
  const json = () => stated as JsonSchema
  return {
    '~standard': {
      version: 1,
      vendor: 'shirube',
      validate: value => ({ value: (value ?? {}) as Arguments }),
      jsonSchema: { input: json, output: json },
    },
  }
}

/** Agents send null or an empty string for absent arguments. @throws DirectoryError `invalid_request` */
export function readArguments<S extends z.ZodObject>(schema: S, given: Arguments): z.output<S> {
  const known = Object.keys(schema.shape)
  const present = Object.fromEntries(
    Object.entries(given)
      .filter(([name, value]) => !(isEmpty(value) && isOptional(schema, name)))
      .map(([name, value]) => [name, toExpectedText(schema, name, value)]),
  )
  const unknown = unknownArguments(present, known)
  const parsed = schema.safeParse(present)
  const problems = [...unknown, ...(parsed.success ? [] : toProblems(parsed.error, present))]
  if (problems.length > 0 || !parsed.success) throw invalid(problems)
  return parsed.data
}

/** Digits that every number keeps as they were written. */
const EXACT_DIGITS = 15

/** Agents send amounts as numbers; one that a number may have rounded stays what it is, and is refused. */
function toExpectedText(schema: z.ZodObject, name: string, value: unknown): unknown {
  if (typeof value !== 'number' || !Object.hasOwn(schema.shape, name)) return value
  const text = String(value)
  const isExact = /^\d+(\.\d+)?$/.test(text) && text.replace('.', '').length <= EXACT_DIGITS
  const accepts = (each: unknown) => schema.shape[name]!.safeParse(each).success
  return isExact && !accepts(value) && accepts(text) ? text : value
}

/**
 * For arguments that the directory validates: it ignores those that it does not know, and only reports what it misses.
 * @param unused arguments that are accepted without a use
 * @throws DirectoryError `invalid_request` with all problems, if an argument is unknown
 */
export function refuseUnknown(schema: z.ZodObject, given: Arguments, unused: readonly string[] = []): void {
  const known = Object.keys(schema.shape)
  const unknown = unknownArguments(given, known).filter(({ path }) => !unused.includes(path))
  if (unknown.length === 0) return
  const parsed = schema.safeParse(given)
  throw invalid([...unknown, ...(parsed.success ? [] : toProblems(parsed.error, given))])
}

const unknownArguments = (given: Arguments, known: readonly string[]): Problem[] =>
  Object.keys(given)
    .filter(name => !known.includes(name))
    .map(path => {
      const nearest = findMeantParameter(path, known)
      const said =
        nearest === undefined ? say('argument_not_among', { known }) : say('argument_unknown', { nearest })
      return toProblem(path, said)
    })

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

const isOptional = (schema: z.ZodObject, name: string): boolean =>
  Object.hasOwn(schema.shape, name) && schema.shape[name]!.safeParse(undefined).success
