// What a tool is: its schemas, its failures, its questions to the user, and its definition.
//
// Converts schemas of the domain for tools: agents get the descriptions, validation stays here.
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
  type StandardSchemaWithJSON,
  type ToolAnnotations,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Directory } from '../directory/directory.ts'
import { DirectoryError, type ErrorCode, invalid, MAX_PROBLEMS, type Problem } from '../domain/errors.ts'
import { toProblems, unknownParameter } from '../domain/problems.ts'
import { say } from '../messages/message.ts'
import { stripInvisible } from './service-view.ts'

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
    .slice(0, MAX_PROBLEMS)
    .map(path => unknownParameter(path, known))

const isEmpty = (value: unknown) => value === null || value === undefined || value === ''

const isOptional = (schema: z.ZodObject, name: string): boolean =>
  Object.hasOwn(schema.shape, name) && schema.shape[name]!.safeParse(undefined).success

// Converts an error of the directory into a result that an agent can act on: what is wrong, and what to do next.

const NEXT: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'Correct what is named above and call again.',
  unauthorized:
    'This needs an API key, which the operator of the directory creates. Tell your user: the key goes into the header "Authorization: Bearer <key>" of this server, or after "shirube mcp --key". Reading needs none.',
  forbidden: 'Do not call this again with the same key; tell your user.',
  not_approved: 'Choose another service, or ask the user: the operator decides what this key may use.',
  over_budget: 'Tell your user: the operator of the directory decides how much this key may spend a day.',
  not_found: 'Get ids from find_service or search_services.',
  no_terms:
    'It may be new: its endpoint is probed within minutes. Until then trust its listing less, or choose another service.',
  method_not_allowed: 'Use another tool.',
  idempotency_conflict:
    'Send the first body again to get its response, or use another idempotencyKey for another service.',
  hidden: 'Do not pay this service; tell your user the reason and find another one.',
  history_changed: 'Start again from the beginning.',
  body_too_large: 'Shorten the texts and call again.',
  unsupported_media_type: 'Tell your user: the request had an unsupported content type.',
  rate_limited: 'Wait a minute before you call again.',
  not_ready: 'Wait a few seconds and call again.',
  store_unavailable: 'Wait a few seconds and call again; if it still fails, tell your user.',
  internal: 'Call again once; if it still fails, tell your user.',
}

export function toFailure(error: DirectoryError): CallToolResult {
  const { code, message, problems } = error
  const found = problems.length > 0 ? problems.map(({ path, message }) => `- ${path}: ${message}`) : [message]
  const text = [`Error (${code}):`, ...found, `Next: ${nextStep(code)}`].join('\n')
  return { isError: true, content: [{ type: 'text', text: stripInvisible(text) }] }
}

/** A remote directory may send an unknown code. */
const nextStep = (code: ErrorCode): string => (Object.hasOwn(NEXT, code) ? NEXT[code] : NEXT.internal)

/** Internal faults have no details. */
export const FAULT = new DirectoryError('internal', say('fault_there'))

// A yes-or-no question to the agent's user, in a form of the agent's host.

const FIELD = 'approve'

type Question = {
  /** Returned by the client with the answer: it must be verifiable, or a client could forge it. */
  readonly state: string
  readonly message: string
  /** What is approved, in a few words. */
  readonly title: string
  readonly description: string
}

export const ask = ({ state, message, title, description }: Question): InputRequiredResult =>
  inputRequired({
    requestState: state,
    inputRequests: {
      [FIELD]: inputRequired.elicit({
        mode: 'form',
        message,
        requestedSchema: {
          type: 'object',
          properties: { [FIELD]: { type: 'boolean', title, description, default: false } },
          required: [FIELD],
        },
      }),
    },
  })

/** The user's answer, and the question's state; undefined if nothing was asked. */
export function readAnswer({
  mcpReq,
}: ServerContext): { readonly state: string; readonly isYes: boolean } | undefined {
  const state = mcpReq.requestState()
  const response = inputResponse(mcpReq.inputResponses, FIELD)
  if (typeof state !== 'string' || response.kind !== 'elicit') return undefined
  return { state, isYes: response.action === 'accept' && response.content?.[FIELD] === true }
}

/** Whether the agent's host can show a form to its user. */
export function canElicit({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()
  const { elicitation } = (capabilities ?? {}) as { readonly elicitation?: Record<string, unknown> }
  // Without modes it means the form, as in the first revision with elicitation.
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation))
}

// The definition of a tool: description, input and output, and the call to the directory.

export type ToolRequest = {
  readonly directory: Directory
  readonly given: Arguments
  /** Empty if the caller sent none; the directory rejects it where a key is required. */
  readonly key: string
  readonly from: string | undefined
}

export type ToolResult = {
  /** A few lines, for hosts without structured content. */
  readonly text: string
  readonly content: Record<string, unknown>
}

type Description = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  readonly annotations: ToolAnnotations
  /** Processor time of a call in that of a plain read over HTTP. */
  readonly cost?: number
  readonly run: (request: ToolRequest) => Promise<ToolResult>
}

/** Reading the message and building the server for it. */
export const MESSAGE_COST = 3

export type Tool = ReturnType<typeof createTool>

export const READING: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

/** Converts the schemas once, not for every server. */
export const createTool = ({ input, output, cost = MESSAGE_COST, ...rest }: Description) => ({
  ...rest,
  cost,
  inputSchema: toInputSchema(input),
  outputSchema: toOutputSchema(output),
})
