// Checks a response against the seller's declaration: not empty, of the declared type, and valid by the declared schema. Pure.

import type { AnswerEvidence } from '../domain/purchases/purchases.ts'
import { schemaProblems } from '../domain/samples/schema-check.ts'
import { truncate } from '../domain/text/text.ts'
import { type Message, say } from '../messages/message.ts'
import { shown } from '../probe/untrusted/untrusted-text.ts'

export type Declared = {
  readonly output?: Readonly<Record<string, unknown>> | undefined
  readonly mimeType?: string | undefined
}

export type Conformance = Pick<AnswerEvidence, 'conformance'> & { readonly reasons: readonly Message[] }

const MAX_PROBLEM = 200

/** @param body undefined if it was too large */
export function judgeAnswer(
  {
    status,
    contentType,
    body,
  }: {
    readonly status: number
    readonly contentType: string | null
    readonly body: Uint8Array | undefined
  },
  declared: Declared,
  maxBytes: number,
): Conformance {
  const schema = declared.output && hasContent(declared.output) ? declared.output : undefined
  const wantsJson = schema !== undefined || isJson(declared.mimeType)
  const problem = typeProblem(declared, contentType, wantsJson)
  if (problem) return differs(problem)
  if (!body) return wantsJson ? differs(say('answer_too_large', { kib: maxBytes / 1024 })) : NOTHING
  const text =
    wantsJson || isJson(contentType ?? undefined) ? new TextDecoder().decode(body).trim() : undefined
  if (status === 204 || body.length === 0 || text === '') return differs(say('answer_empty'))
  if (text === undefined) return declared.mimeType ? AS_DECLARED : NOTHING
  const value = parse(text)
  if (value === undefined) return differs(say('answer_not_json'))
  if (isNothing(value)) return differs(say('answer_empty'))
  if (!schema) return declared.mimeType ? AS_DECLARED : NOTHING
  const problems = problemsOf(value, schema)
  return problems.length === 0 ? AS_DECLARED : differs(say('answer_other_schema', { problems }))
}

/** For a tool without a result message. @param body undefined if it was too large */
export function judgeNoResult(body: Uint8Array | undefined, maxBytes: number): Conformance {
  if (!body) return differs(say('answer_too_large', { kib: maxBytes / 1024 }))
  return differs(say(new TextDecoder().decode(body).trim() === '' ? 'answer_empty' : 'answer_no_result'))
}

const AS_DECLARED: Conformance = { conformance: 'as_declared', reasons: [] }
const NOTHING: Conformance = { conformance: 'nothing_declared', reasons: [] }
const differs = (reason: Message): Conformance => ({ conformance: 'not_as_declared', reasons: [reason] })

const essenceOf = (type: string): string => type.split(';', 1)[0]!.trim().toLowerCase()
const isJson = (type: string | undefined): boolean =>
  type !== undefined && /^[\w.-]+\/(?:[\w.-]+\+)?json$/.test(essenceOf(type))

/** A response without a content type is judged by its content. */
function typeProblem(
  { mimeType }: Declared,
  contentType: string | null,
  wantsJson: boolean,
): Message | undefined {
  if (contentType === null || contentType.trim() === '') return undefined
  const wanted = mimeType?.includes('/') ? mimeType : wantsJson ? 'application/json' : undefined
  if (wanted === undefined) return undefined
  const isAlike = isJson(wanted)
    ? isJson(contentType) || isPlain(contentType)
    : essenceOf(wanted) === essenceOf(contentType)
  return isAlike
    ? undefined
    : say('answer_other_type', { declared: shown(essenceOf(wanted)), got: shown(essenceOf(contentType)) })
}

/** Some servers send JSON with these types: the content decides. */
const isPlain = (type: string): boolean =>
  ['text/plain', 'application/octet-stream'].includes(essenceOf(type))

const hasContent = (schema: Readonly<Record<string, unknown>>): boolean => Object.keys(schema).length > 0

/** An empty list may be a search result; these values are no result at all. */
const isNothing = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  (typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length === 0)

function problemsOf(value: unknown, schema: Readonly<Record<string, unknown>>): string[] {
  const { example, ...rules } = schema
  try {
    const problems =
      Object.keys(rules).length > 0 ? schemaProblems(value, schema) : kindProblems(value, example)
    return problems.map(problem => truncate(problem.replace(/[\p{C}\u2028\u2029]/gu, ''), MAX_PROBLEM))
  } catch (error) {
    if (error instanceof RangeError) return ['it is nested too deeply']
    throw error
  }
}

/** If only an example is declared, the response must have its type. */
const kindProblems = (value: unknown, example: unknown): string[] =>
  example === undefined || kindOf(value) === kindOf(example)
    ? []
    : [`it must be ${kindOf(example)}, like the example`]

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'array' : typeof value)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
