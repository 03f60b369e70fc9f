/**
 * The services that a call may go to, as a directory returns them. The directory may be another one, which is trusted only in part: each
 * of its responses is validated.
 */
import { z } from 'zod'
import { resourceToCall } from '../domain/call/call.ts'
import { DirectoryError } from '../domain/errors.ts'
import type { Encoded } from '../domain/json/encoded.ts'
import { DECIMAL } from '../domain/money/money.ts'
import type { CallOrder } from '../domain/purchases/paid-calls.ts'
import type { ResolveQuery } from '../domain/resolve/query.ts'
import { type Resolution, resolutionSchema } from '../domain/resolve/resolution.ts'
import { type ResourceTerms, resourceTermsSchema } from '../domain/terms/terms.ts'
import { type Message, say } from '../messages/message.ts'

/** The operations needed of a directory, local or remote. */
export interface CallerDirectory {
  get(id: string): Promise<Encoded<unknown>>
  terms(id: string): Promise<Encoded<unknown>>
  resolve(query: ResolveQuery): Promise<Encoded<unknown>>
  /** Services for a sentence, best first. */
  find(sentence: string, limit: number): Promise<Encoded<unknown>>
}

/** Results that are looked at: those whose terms were never seen cannot be called, and do not count as tried. */
const MAX_FOUND = 25

const payeeSchema = z.object({ paymentAddress: z.string().max(256), network: z.string().max(128) })
const listedSchema = z.object({
  id: z.string().max(64),
  name: z.string().max(1_000),
  pricing: z.object({
    currency: z.string().max(64),
    pricePerRequest: z.string().max(256).regex(DECIMAL),
    freeQuota: z.number(),
  }),
  x402Config: payeeSchema,
})
const searchSchema = z.object({
  results: z.array(z.object({ service: listedSchema, weak: z.literal(true).optional() })),
})
const termsSchema = z.object({ resources: z.array(resourceTermsSchema).max(64) })

export type Candidate = z.output<typeof listedSchema>

/** @throws DirectoryError if the response is not that of a directory */
function read<S extends z.ZodType>(schema: S, answer: Encoded<unknown>): z.output<S> {
  const parsed = schema.safeParse(answer.decode())
  if (!parsed.success)
    throw new DirectoryError('internal', say('directory_answer_odd'), [], { cause: parsed.error })
  return parsed.data
}

/** The named service, or those that match the sentence, best first. */
export async function findCandidates(
  directory: CallerDirectory,
  target: CallOrder['target'],
): Promise<readonly Candidate[]> {
  if (target.kind === 'id') {
    const service = read(listedSchema, await directory.get(target.id))
    return [{ ...service, id: target.id }]
  }
  const { results } = read(searchSchema, await directory.find(target.sentence, MAX_FOUND))
  // Weak matches are not paid for.
  const fitting = results.filter(({ weak }) => !weak).slice(0, MAX_FOUND)
  return fitting.map(({ service }) => service)
}

/** @returns why there is none, if so */
export async function readResource(directory: CallerDirectory, id: string): Promise<ResourceTerms | Message> {
  try {
    return resourceToCall(read(termsSchema, await directory.terms(id))) ?? say('terms_never_seen')
  } catch (error) {
    if (!(error instanceof DirectoryError) || error.code !== 'no_terms') throw error
    return say(error.said.code === 'sample' ? 'sample' : 'terms_never_seen')
  }
}

export const resolvePayment = async (directory: CallerDirectory, query: ResolveQuery): Promise<Resolution> =>
  read(resolutionSchema, await directory.resolve(query))
