// Reading input by its schema: queries and bodies, and every problem with them as a message with a path.
import { z } from 'zod'
import {
  type Code,
  isMessage,
  type Message,
  readMessage,
  say,
  tellInEnglish,
  type ValueArguments,
  verbatim,
} from '../messages/message.ts'
import { invalid, MAX_PROBLEMS, type Problem, toProblem } from './errors.ts'
import { findNearestName, findSimilarName } from './text/nearest.ts'

// Turns issues of the schema library into problems with a path and a message of our own.

/** The message of a schema for a value that it refuses. The library only takes a text, so the message is encoded as JSON. */
export const expecting = <C extends Code>(code: C, ...values: ValueArguments<C>): string =>
  JSON.stringify(say(code, ...values))

/** The message of `expecting`; else a message for a default of the library; else the text of the schema. */
export function readIssue(issue: Issue): Message {
  const { message } = issue
  try {
    const decoded: unknown = JSON.parse(message)
    if (isMessage(decoded)) return decoded
  } catch {
    // Not JSON: a text of the schema or the library.
  }
  return ofDefault(issue) ?? verbatim(message)
}

type Issue = Pick<z.core.$ZodIssue, 'message'> & Partial<z.core.$ZodIssue>

const TYPES: Readonly<Record<string, Message>> = {
  string: say('not_text'),
  boolean: say('not_boolean'),
  object: say('not_json_object'),
  record: say('not_json_object'),
}

/** The message for a default check of the library. */
function ofDefault(issue: Issue): Message | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected ?? '']
    case 'too_big':
      return issue.origin === 'string' ? say('text_too_long', { max: Number(issue.maximum) }) : undefined
    case 'too_small':
      return issue.origin === 'string' ? say('empty') : undefined
    default:
      return undefined
  }
}

/** One problem per path: the first states what is expected, further ones about the same value add nothing. */
export function toProblems(error: z.ZodError, input: unknown): Problem[] {
  const byPath = new Map<string, Problem>()
  for (const issue of error.issues) {
    if (byPath.size === MAX_PROBLEMS) break
    const path = issue.path.join('.')
    const isMissing = issue.path.length > 0 && valueAt(input, issue.path) === undefined
    const problem = readIssue(issue)
    if (!byPath.has(path))
      byPath.set(path, toProblem(path, isMissing ? say('required', { problem }) : problem))
  }
  return [...byPath.values()]
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined | null)?.[key],
    input,
  )
}

// Bodies.

/** ISO 8601. */
export const dateTime = z.string().meta({ format: 'date-time' })
export const count = z.int().min(0)

/** An object in a body. If it is none, the error names the fields that it must have. */
export const bodySchema = <S extends z.ZodRawShape>(shape: S) =>
  z.object(shape, {
    error: () =>
      expecting('object_expected', {
        fields: Object.keys(shape).filter(name => !(shape[name] as z.ZodType).safeParse(undefined).success),
      }),
  })

/** @throws DirectoryError `invalid_request` with every problem */
export function readBody<S extends z.ZodObject>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw invalid(toProblems(parsed.error, value))
  return parsed.data
}

/** The same, with the paths of the fields that were sent and ignored. */
export const readKnownFields = <S extends z.ZodObject>(
  schema: S,
  body: unknown,
): { readonly value: z.output<S>; readonly ignored: readonly string[] } => ({
  value: readBody(schema, body),
  ignored: ignoredFields(body as object, fieldsOf(schema)),
})

/** The fields of an object, by the field of the body that holds it; those of the body itself by an empty name. */
export type KnownFields = Readonly<Record<string, readonly string[]>>

/** Down to one level of nesting. */
export const fieldsOf = ({ shape }: z.ZodObject): KnownFields =>
  Object.fromEntries([
    ['', Object.keys(shape)],
    ...Object.entries(shape).flatMap(([name, field]) => {
      const inner = field instanceof z.ZodOptional ? field.unwrap() : field
      return inner instanceof z.ZodObject ? [[name, Object.keys(inner.shape)]] : []
    }),
  ])

/** Paths of unknown fields in a body. */
export function ignoredFields(body: object, known: KnownFields): string[] {
  const ignored: string[] = []
  for (const parent in known) {
    const object = parent === '' ? body : (body as Record<string, object>)[parent]
    for (const field of Object.keys(object ?? {}))
      if (!known[parent]!.includes(field)) ignored.push(parent === '' ? field : `${parent}.${field}`)
  }
  return ignored
}

// A message in a response: a sentence for people, with its code and values for programs.

const code = z.string().describe('Code of the sentence, for programs')
const values = z.record(z.string(), z.unknown()).describe('The values in the sentence, by name')

/** The fields next to the sentence. */
export const messageFieldsSchema = z.object({ code, values })
/** The fields next to a sentence that may be missing. */
export const maybeMessageFieldsSchema = z.object({
  code: code.nullable().describe('Code of the reason; null: there is none'),
  values: values.nullable().describe('The values in the reason, by name'),
})
export const messageSchema = messageFieldsSchema.meta({ id: 'Message', title: 'A code and its values' })

type MessageRecord = { code: string; values: Record<string, unknown> }

export const toMessageRecord = ({ code, values }: Message): MessageRecord => ({ code, values: { ...values } })

export const toReason = (message: Message) => ({
  reason: tellInEnglish(message),
  ...toMessageRecord(message),
})

export const toDetail = (message: Message) => ({
  detail: tellInEnglish(message),
  ...toMessageRecord(message),
})

/** The fields in a list of messages. */
export const saidSchema = z.object({
  code: z.string().describe('What the sentence says, for programs'),
  text: z.string().describe('The sentence, in English'),
  values: z.record(z.string(), z.unknown()).describe('The values in the text, by name'),
})

export const toSaid = (message: Message) => ({ ...toMessageRecord(message), text: tellInEnglish(message) })

/** If there is no message. */
export const NO_MESSAGE = { reason: null, code: null, values: null } as const

/** The message of a response; if its code is unknown here, the sentence itself. */
export function readMessageRecord(
  record: { readonly code: string | null; readonly values: unknown } | undefined,
  sentence: string,
): Message {
  const message = readMessage({ code: record?.code, values: record?.values })
  return message.code === record?.code ? message : verbatim(sentence)
}

// Queries.

/** A query string has digits, other interfaces have a number. */
export const wholeNumber = (value: unknown) =>
  typeof value === 'string' && /^\d+$/.test(value) ? Math.min(Number(value), Number.MAX_SAFE_INTEGER) : value

/** A whole number within bounds. */
export const wholeNumberBetween = (min: number, max: number) => {
  const error = expecting('whole_number_between', { min, max })
  return z.int({ error }).min(min, error).max(max, error)
}

/** A whole number from a bound on, in a query. */
export const wholeNumberFrom = (min: number) => {
  const error = expecting('whole_number_expected', { min })
  return z.preprocess(wholeNumber, z.int({ error }).min(min, error))
}

/** A query string is parsed to a map, other interfaces pass an object. */
type Entries = Iterable<readonly [string, unknown]>
const toEntries = (input: unknown): Entries =>
  input instanceof Map ? input : Object.entries(input as Readonly<Record<string, unknown>>)

/**
 * An unknown parameter is refused with the nearest known name, and with all of them if none is similar: ignoring it would mislead
 * the caller.
 * @param options refusesEmpty: an empty optional parameter is invalid instead of absent
 * @returns a function that throws DirectoryError `invalid_request` with every problem
 */
export function createQueryReader<S extends z.ZodObject>(schema: S, { refusesEmpty = false } = {}) {
  const known = Object.keys(schema.shape)
  const isAbsentWhenEmpty = new Map(
    Object.entries<z.ZodType>(schema.shape).map(([name, part]) => [
      name,
      !refusesEmpty && part.safeParse(undefined).success,
    ]),
  )
  return (input: unknown): z.output<S> => {
    const given: Record<string, unknown> = {}
    const problems: Problem[] = []
    for (const [name, value] of toEntries(input)) {
      const isOptional = isAbsentWhenEmpty.get(name)
      if (isOptional === undefined) {
        if (problems.length < MAX_PROBLEMS) problems.push(unknownParameter(name, known))
      } else if (value !== '' || !isOptional) given[name] = value
    }
    const parsed = schema.safeParse(given)
    if (parsed.success && problems.length === 0) return parsed.data
    throw invalid(parsed.success ? problems : [...problems, ...toProblems(parsed.error, given)])
  }
}

export function unknownParameter(name: string, known: readonly string[]): Problem {
  const meant = findSimilarName(name, known)
  const said =
    meant === undefined
      ? say('parameter_not_among', { nearest: findNearestName(name, known) ?? '', known })
      : say('parameter_unknown', { nearest: meant })
  return toProblem(name, said)
}
