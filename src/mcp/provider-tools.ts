// Tools that call the directory itself: a check of any URL, and a report to its operator.
import { z } from 'zod'
import {
  askedBy,
  type CheckReport,
  checkReportSchema,
  checkRequestSchema,
  draftFromCheck,
} from '../domain/check.ts'
import { invalid, toProblem } from '../domain/errors.ts'
import { draftSchema } from '../domain/listing/service.ts'
import { reportDraftSchema, reportSchema } from '../domain/operating.ts'
import type { PaymentRequirements } from '../domain/terms/terms.ts'
import { say } from '../messages/message.ts'
import { NOTICE, quote, toData } from './service-view.ts'
import { createTool, refuseUnknown, type Tool } from './tool.ts'

/** In the result, but not in its outline. */
const LESS_USED = {
  endpoint: true,
  resource: true,
  noteCodes: true,
  requests: true,
  httpStatus: true,
  latencyMs: true,
} as const

export const CHECK_ENDPOINT: Tool = createTool({
  name: 'check_endpoint',
  title: 'Check a paid endpoint',
  description:
    'Requests the payment terms of any URL without paying, and reports check by check whether the directory would verify it. Lists nothing. Needs an API key.',
  input: checkRequestSchema,
  output: checkReportSchema.omit(LESS_USED).extend({
    resources: z
      .array(z.record(z.string(), z.unknown()))
      .describe('Payment requirements and input of its resources, like terms.resources of get_service'),
    draft: z
      .record(z.string(), z.unknown())
      .describe(
        'A draft for register_service, filled in from the endpoint; show it to your user, who adds what is missing',
      ),
  }),
  annotations: { readOnlyHint: true, openWorldHint: true },
  async run({ directory, given, key, from }) {
    refuseUnknown(checkRequestSchema, given, Object.keys(draftSchema.shape))
    const report = (await directory.check(given, { key, ...(from && { from }) })).report
    const draft = toData(draftFromCheck(report))
    const lines = report.checks.map(
      ({ check, result, detail }) => `${check}: ${result}, ${quote(detail, 300)}`,
    )
    return {
      text: [
        toVerdict(report),
        ...askedBy(report).slice(0, MAX_PAYMENTS).map(toPaymentLine),
        ...lines,
        ...(report.domain ? [`Domain proved: ${quote(report.domain.host)} names the wallet.`] : []),
        `Draft for register_service: ${JSON.stringify(draft)}`,
        NOTICE,
      ].join('\n'),
      content: toData({ ...report, draft }),
    }
  },
})

/** Ways to pay in a text; the structured content has all of them. */
const MAX_PAYMENTS = 5

/** Without values to compare, nothing has failed and nothing is decided. */
function toVerdict({ wouldVerify, outcome, checks }: CheckReport): string {
  if (wouldVerify) return 'It would be verified, listed with the values that you gave.'
  return outcome === 'payable' && !checks.some(({ result }) => result === 'failed')
    ? 'Not decided: give the expected x402Config (paymentAddress and network) and pricing, to have them compared with what it asks.'
    : 'It would not be verified, listed with the values that you gave.'
}

const toPaymentLine = ({ price, assetName, amount, asset, scheme, network, payTo }: PaymentRequirements) =>
  `It asks for ${quote(price === undefined ? `${amount} units of ${asset}` : `${price} ${assetName}`, 200)} (${quote(scheme, 40)}) on ${quote(network, 64)} to ${quote(payTo, 128)}`

const report = reportDraftSchema.extend({ id: z.string().describe('Id of the service') })

export const REPORT: Tool = createTool({
  name: 'report_service',
  title: 'Report a service to the operator',
  description:
    'Reports a problem with a service to the operator of the directory: it impersonates another, asks for more than it lists, takes payments without delivering, or does harm. Only the operator sees the report. Report only what you saw yourself, and ask your user first.',
  input: report,
  output: reportSchema.pick({ id: true, serviceId: true, createdAt: true }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ directory, given, key, from }) {
    refuseUnknown(report, given)
    const { id, ...body } = given
    if (id != null && typeof id !== 'string') throw invalid([toProblem('id', say('service_id_expected'))])
    const sent = await directory.report(id ?? '', body, { key, ...(from && { from }) })
    return {
      text: `The operator will see it as ${quote(sent.report.id)}.`,
      content: toData({ ...sent.report }),
    }
  },
})
