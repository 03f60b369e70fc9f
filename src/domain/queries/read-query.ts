// Parses queries by their schema. Each parameter is validated by its own part of the schema, which is sufficient for a valid query;
// only an invalid one is validated as a whole, so that all problems are reported at once.

import type { z } from 'zod'
import { memoize } from '../../memory/memoize.ts'
import { say } from '../../messages/message.ts'
import { invalid, type Problem, toProblem } from '../errors.ts'
import { toProblems } from '../problems.ts'
import { findMeantParameter, findNearestName } from '../text/nearest.ts'

/** A query string has digits, other interfaces have a number. */
export const wholeNumber = (value: unknown) =>
  typeof value === 'string' && /^\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value

/** The parameter for which empty and absent differ. */
const MEANINGFUL_WHEN_EMPTY = 'cursor'

type Validated = { readonly isValid: boolean; readonly value: unknown }
type Parameter = {
  readonly name: string
  readonly validate: (value: unknown) => Validated
  readonly isAbsentWhenEmpty: boolean
}

/** Values cached per parameter, and their maximum length: few distinct values occur, over and over. */
const MAX_CACHED = 1_024
const MAX_CACHED_LENGTH = 32

function toValidator(schema: z.ZodType, isSurelyValid?: IsSurelyValid): (value: unknown) => Validated {
  const validate = (value: unknown): Validated => {
    const { success, data } = schema.safeParse(value)
    // Cached values are shared between queries.
    return { isValid: success, value: Object.freeze(data) }
  }
  const validateText = memoize(MAX_CACHED, validate)
  return value => {
    if (typeof value !== 'string') return validate(value)
    if (value.length <= MAX_CACHED_LENGTH) return validateText(value)
    return isSurelyValid?.(value) ? { isValid: true, value } : validate(value)
  }
}

/** A fast path: true only for texts that the schema accepts unchanged. */
type IsSurelyValid = (text: string) => boolean

type Entries = Iterable<readonly [string, unknown]>

/** A query string is parsed to a map, other interfaces pass an object. */
const toEntries = (input: unknown): Entries =>
  input instanceof Map ? input : Object.entries(input as Readonly<Record<string, unknown>>)

/**
 * @param surely fast paths for parameters that are long, and different in every query
 * @param options refusesEmpty: an empty optional parameter is invalid instead of absent
 * @returns a function that throws DirectoryError `invalid_request`
 */
export function createQueryReader<S extends z.ZodObject>(
  schema: S,
  surely: { readonly [N in keyof z.output<S>]?: IsSurelyValid } = {},
  { refusesEmpty = false } = {},
): (input: unknown) => z.output<S> {
  const parameters = new Map<string, Parameter>()
  const defaults: Record<string, unknown> = {}
  const required: string[] = []
  for (const [name, part] of Object.entries(schema.shape)) {
    const whenAbsent = (part as z.ZodType).safeParse(undefined)
    const isAbsentWhenEmpty = whenAbsent.success && !refusesEmpty && name !== MEANINGFUL_WHEN_EMPTY
    const validate = toValidator(part as z.ZodType, surely[name as keyof typeof surely])
    parameters.set(name, { name, validate, isAbsentWhenEmpty })
    if (!whenAbsent.success) required.push(name)
    else if (whenAbsent.data !== undefined) defaults[name] = whenAbsent.data
  }

  return input => {
    const entries = toEntries(input)
    const query = { ...defaults }
    for (const [name, value] of entries) {
      const parameter = parameters.get(name)
      if (parameter === undefined) throw refusalOf(schema, parameters, entries)
      if (value === undefined || (value === '' && parameter.isAbsentWhenEmpty)) continue
      const validated = parameter.validate(value)
      if (!validated.isValid) throw refusalOf(schema, parameters, entries)
      query[parameter.name] = validated.value
    }
    for (const name of required) if (!(name in query)) throw refusalOf(schema, parameters, entries)
    return query as z.output<S>
  }
}

/**
 * An unknown parameter is refused with the nearest known name, and with all of them if none is similar: ignoring it would mislead
 * the caller.
 */
function refusalOf(schema: z.ZodObject, parameters: ReadonlyMap<string, Parameter>, entries: Entries) {
  const present: Record<string, unknown> = {}
  const problems: Problem[] = []
  for (const [name, value] of entries) {
    const parameter = parameters.get(name)
    if (parameter === undefined) {
      const known = [...parameters.keys()]
      const similar = findMeantParameter(name, known)
      const said =
        similar === undefined
          ? say('parameter_not_among', { nearest: findNearestName(name, known) ?? '', known })
          : say('parameter_unknown', { nearest: similar })
      problems.push(toProblem(name, said))
    } else if (value !== '' || !parameter.isAbsentWhenEmpty) present[name] = value
  }
  const parsed = schema.safeParse(present)
  return invalid(parsed.success ? problems : [...problems, ...toProblems(parsed.error, present)])
}
