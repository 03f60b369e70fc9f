// A preflight check of any URL: its request and its report. Nothing is stored or listed.
import { z } from 'zod'
import { PARTS } from '../messages/kinds.ts'
import { invalid } from './errors.ts'
import { ignoredFields } from './json/ignored-fields.ts'
import { domainSchema } from './listing/backing.ts'
import { draftSchema } from './listing/service.ts'
import { messageFieldsSchema, messageSchema } from './message-view.ts'
import { expecting, toProblems } from './problems.ts'
import { PROBE_OUTCOMES } from './standing/probes.ts'
import { resourceTermsSchema } from './terms/terms.ts'

/** In UTF-16 units, the same as for a listed endpoint. */
const MAX_URL_LENGTH = 2048

export const checkRequestSchema = z
  .object(
    {
      // A text that is not a URL is a result of the check, not an error in the request.
      endpoint: z
        .string({ error: expecting('not_url_text') })
        .max(MAX_URL_LENGTH, expecting('text_too_long', { max: MAX_URL_LENGTH }))
        .describe('The URL to check'),
      x402Config: draftSchema.shape.x402Config
        .partial()
        .optional()
        .describe('The expected payment requirements; fields that are left out are not compared'),
      pricing: draftSchema.shape.pricing
        .pick({ currency: true, pricePerRequest: true })
        .optional()
        .describe('The expected price per request'),
    },
    { error: expecting('not_json_object') },
  )
  .meta({ id: 'CheckRequest', title: 'What to check; a registration body is accepted' })
export type CheckRequest = Readonly<z.output<typeof checkRequestSchema>>

export const CHECKS = PARTS.check
export type CheckName = (typeof CHECKS)[number]

const paymentSchema = z
  .object({
    scheme: z.string().describe('Payment scheme, like exact'),
    network: z.string().describe('Network, as the endpoint names it'),
    payTo: z.string().describe('The address that is paid'),
    asset: z.string().describe('Contract address or mint of the asset'),
    amount: z.string().describe("In the asset's smallest units"),
    price: z.string().nullable().describe('In whole units, if the asset is known'),
    currency: z.string().nullable().describe('Name of the asset, where it is known'),
  })
  .meta({ id: 'CheckedPayment', title: 'A way to pay that was found' })

export const checkReportSchema = z
  .object({
    endpoint: z.string().describe('The checked URL'),
    outcome: z.enum(PROBE_OUTCOMES).nullable().describe('As of a probe; null: no request was sent'),
    wouldVerify: z
      .boolean()
      .describe('Whether a service listed with this address and network would be verified'),
    checks: z
      .array(
        z
          .object({
            check: z.enum(CHECKS).describe('What is checked'),
            result: z.enum(['passed', 'failed', 'skipped']).describe('skipped: there was nothing to check'),
            detail: z.string().describe('What was found, in English'),
            ...messageFieldsSchema.shape,
          })
          .meta({ id: 'Check', title: 'A check with its result' }),
      )
      .describe('Each check with its result, in order'),
    notes: z.array(z.string()).describe('Possible improvements that do not affect the result'),
    noteCodes: z.array(messageSchema).describe('The notes for programs, in the same order'),
    requests: z
      .array(
        z
          .object({
            method: z.string().describe('HTTP method'),
            path: z.string().describe('With its query'),
            status: z.int().nullable().describe('null: no response'),
            as: z.enum(['directory', 'customer']).describe('customer: without our name in the User-Agent'),
          })
          .meta({ id: 'CheckedRequest', title: 'A request that was sent' }),
      )
      .describe('Every request for its payment requirements, in order'),
    domain: domainSchema
      .pick({ host: true, by: true, names: true })
      .nullable()
      .describe(
        'How the domain of the URL names the payment address; null if it does not, or if no address was given',
      ),
    httpStatus: z.int().nullable().describe('Status code of the response; null: there was none'),
    latencyMs: z.number().nullable().describe('Milliseconds until the response; null: there was none'),
    resource: z
      .string()
      .nullable()
      .describe('The payable resource below the endpoint, if it is not the endpoint itself'),
    payments: z.array(paymentSchema).describe('The payment requirements that it offers'),
    resources: z
      .array(resourceTermsSchema)
      .describe(
        'Payment requirements and input of its resources: first the one that was requested, then those that its documents name',
      ),
  })
  .meta({ id: 'CheckReport', title: 'Result of a probe of a URL' })
export type CheckReport = Readonly<z.output<typeof checkReportSchema>>

const KNOWN_FIELDS = {
  '': Object.keys(checkRequestSchema.shape),
  x402Config: Object.keys(draftSchema.shape.x402Config.shape),
  pricing: ['currency', 'pricePerRequest'],
}

/** @throws DirectoryError `invalid_request` that lists every problem. */
export function readCheckRequest(body: unknown): { request: CheckRequest; ignored: string[] } {
  const parsed = checkRequestSchema.safeParse(body)
  if (!parsed.success) throw invalid(toProblems(parsed.error, body))
  return { request: parsed.data, ignored: ignoredFields(body as object, KNOWN_FIELDS) }
}
