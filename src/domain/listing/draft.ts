// Reads a registration body: reports all problems at once, and reports unknown fields without refusing them.
import { tellInEnglish } from '../../messages/tell-in-english.ts'
import { addressProblem } from '../chains/addresses.ts'
import { invalid, type Problem, toProblem } from '../errors.ts'
import { privateEndpointProblem } from '../hosts/endpoint.ts'
import { ignoredFields, isRecord } from '../json.ts'
import { toProblems } from '../problems.ts'
import { draftSchema, type ServiceDraft } from './service.ts'

export type DraftPolicy = {
  /** Whether endpoints on private and loopback addresses may be registered. */
  readonly allowPrivateEndpoints: boolean
  /** Whether an address that is malformed for its known chain is refused; otherwise a notice is returned. */
  readonly strictAddresses: boolean
}

export type ParsedDraft = {
  readonly draft: ServiceDraft
  /** Paths of the fields that were sent and ignored. */
  readonly ignored: readonly string[]
  /** Sentences for the provider about values that were accepted but look wrong. */
  readonly notices: readonly string[]
}

const KNOWN_FIELDS = {
  '': Object.keys(draftSchema.shape),
  pricing: Object.keys(draftSchema.shape.pricing.shape),
  x402Config: Object.keys(draftSchema.shape.x402Config.shape),
}

/** The paths of all fields that a registration may have. */
export const DRAFT_FIELDS: readonly string[] = Object.entries(KNOWN_FIELDS).flatMap(([parent, fields]) =>
  fields.map(field => (parent === '' ? field : `${parent}.${field}`)),
)

/** The paths of unknown fields in a registration, or in a part of one. */
export const unknownFields = (body: unknown): string[] =>
  isRecord(body) ? ignoredFields(body, KNOWN_FIELDS) : []

/** @throws DirectoryError `invalid_request` that lists every problem. */
export function readDraft(body: unknown, policy: DraftPolicy): ParsedDraft {
  const parsed = draftSchema.safeParse(body)
  const problems: Problem[] = parsed.success ? [] : toProblems(parsed.error, body)
  const notices: string[] = []
  const failed = new Set(problems.map(problem => problem.path))
  const sent = body as Partial<ServiceDraft>

  if (!policy.allowPrivateEndpoints && !failed.has('endpoint') && typeof sent?.endpoint === 'string') {
    const problem = privateEndpointProblem(sent.endpoint)
    if (problem) problems.push(toProblem('endpoint', problem))
  }
  const { paymentAddress, network } = sent?.x402Config ?? {}
  if (typeof paymentAddress === 'string' && typeof network === 'string') {
    const problem = addressProblem(paymentAddress, network)
    if (problem && policy.strictAddresses) problems.push(toProblem('x402Config.paymentAddress', problem))
    else if (problem) notices.push(`x402Config.paymentAddress: ${tellInEnglish(problem)}`)
  }

  if (problems.length > 0 || !parsed.success) throw invalid(problems)
  return { draft: parsed.data, ignored: ignoredFields(body as object, KNOWN_FIELDS), notices }
}
