// The tools that read one service, and the categories.

import { z } from 'zod'
import { findTerms } from '../directory/service-records.ts'
import { callQuerySchema, resourceToCall, toCall } from '../domain/call/call.ts'
import { expecting } from '../domain/errors.ts'
import { forEachLanguage } from '../domain/languages/languages.ts'
import { backingSchema } from '../domain/listing/backing.ts'
import { type Category, KNOWN_CATEGORIES } from '../domain/listing/categories.ts'
import { statusRecordSchema } from '../domain/listing/service.ts'
import { parseOutcomesQuery } from '../domain/purchases/outcomes.ts'
import { parsePurchasesQuery } from '../domain/purchases/purchases-view.ts'
import type { Trust } from '../domain/standing/trust.ts'
import { toBackingLines } from './backing-lines.ts'
import { boughtSchema, MAX_BOUGHT, toBoughtLines, toBoughtView } from './bought-view.ts'
import {
  MAX_PAYER_REPORTS,
  payerReportsSchema,
  toPayerReportLines,
  toPayerReportsView,
} from './payer-reports-view.ts'
import { readArguments } from './schemas.ts'
import { fieldsOfOne, serviceViewSchema, toLine, toView } from './service-view.ts'
import { seenSchema, toSeenView, toTermsLines } from './terms-view.ts'
import { createTool, READING, type Tool } from './tool.ts'
import { NOTICE, quote, stripInvisible, toData } from './untrusted-text.ts'

const id = z
  .string({ error: expecting('service_id_expected') })
  .min(1, expecting('service_id_expected'))
  .max(64, expecting('service_id_expected'))
  .describe('Id of the service, from find_service or search_services')

const serviceInput = z.object({
  id,
  fields: fieldsOfOne,
  callFor: callQuerySchema.shape.for.describe('Language or format of the code that calls it'),
})

const why = z.string().describe('Why it has its status; a message of its owner, if it is out of service')

/** Contains what an owner wrote. */
const whyOf = ({ components: [first] }: Trust): string => stripInvisible(first?.reason ?? '', 800)

/** Why it is not verified; a verified one needs no reason. */
const toWhyLines = (status: string, reason: string): string[] =>
  status === 'verified' || reason === '' ? [] : [`Why it is ${status}: ${quote(reason, 800)}`]

export const GET_SERVICE: Tool = createTool({
  name: 'get_service',
  title: 'Get one service',
  description:
    'Everything about one service: what it does, its endpoint, the price of a request, the payment address, who is behind it, the payment terms its endpoint asks for, and code that calls and pays it.',
  input: serviceInput,
  output: z.object({
    service: serviceViewSchema.describe(
      'status verified: its endpoint asks to be paid as listed; trustScore: 0 to 100, as measured',
    ),
    why,
    backing: backingSchema.omit({ id: true }).describe('Who is behind it'),
    terms: seenSchema
      .nullable()
      .describe(
        'Payment terms that its endpoint asks for, as last seen; null before the first readable response',
      ),
    call: z
      .string()
      .nullable()
      .describe(
        'Code that calls and pays it, at most the price that was seen and listed; null if no terms were seen',
      ),
    purchases: boughtSchema.describe('Test purchases by the directory; /api/services/{id}/purchases has all'),
    payerReports: payerReportsSchema.describe('Reports of other payers; /api/services/{id}/outcomes has all'),
    notice: z.string(),
  }),
  annotations: READING,
  async run({ directory, given }) {
    const { id, fields, callFor } = readArguments(serviceInput, given)
    const [listed, trusted, backed, seen, bought, reported] = await Promise.all([
      directory.get(id),
      directory.trust(id),
      directory.backing(id),
      findTerms(directory, id),
      directory.purchases(id, parsePurchasesQuery({ limit: MAX_BOUGHT })),
      directory.outcomes(id, parseOutcomesQuery({ limit: MAX_PAYER_REPORTS })),
    ])
    const purchases = bought.decode()
    const payerReports = reported.decode()
    const service = listed.decode()
    const reason = whyOf(trusted.decode())
    const { id: _, ...backing } = backed.decode()
    const whole = Object.keys(service) as (keyof typeof service)[]
    // Built here from escaped literals, and meant to be run unchanged.
    const call = seen && resourceToCall(seen) ? toCall(service, seen, callFor) : null
    return {
      text: [
        toLine(service, { fields }),
        ...(fields ? [] : [quote(service.description)]),
        `Listed wallet: ${quote(service.x402Config.paymentAddress)} on ${quote(service.x402Config.network)}`,
        ...toWhyLines(service.status, reason),
        ...toBackingLines(backing),
        ...toTermsLines(seen),
        ...toBoughtLines(purchases),
        ...toPayerReportLines(payerReports),
        NOTICE,
        ...(call === null ? [] : [`Code (${callFor}):`, call]),
      ].join('\n'),
      content: {
        service: toView(service, fields ?? whole),
        why: reason,
        backing: toData(backing),
        terms: seen ? toData(toSeenView(seen)) : null,
        call,
        purchases: toData(toBoughtView(purchases)),
        payerReports: toData(toPayerReportsView(payerReports)),
        notice: NOTICE,
      },
    }
  },
})

const statusInput = z.object({ id })

export const GET_STATUS: Tool = createTool({
  name: 'get_status',
  title: 'Get what was found out about a service',
  description:
    'What the directory measured about a service: status, trust, uptime, payments seen on chain. Call it before you pay.',
  input: statusInput,
  output: statusRecordSchema.extend({ why }),
  annotations: READING,
  async run({ directory, given }) {
    const { id } = readArguments(statusInput, given)
    const [measured, trusted] = await Promise.all([directory.status(id), directory.trust(id)])
    const found = measured.decode()
    const reason = whyOf(trusted.decode())
    const { status, trustScore, uptimeScore, txCount, lastChecked } = found
    return {
      text: [
        `${status}, trust ${trustScore} of 100, up ${uptimeScore} %, ${txCount} payments seen, checked ${lastChecked}`,
        ...toWhyLines(status, reason),
      ].join('\n'),
      content: toData({ ...found, why: reason }),
    }
  },
})

const categoriesInput = z.object({
  all: z
    .boolean({ error: expecting('not_boolean') })
    .default(false)
    .describe('true: include known categories that have no service yet'),
})

export const categoriesSchema = z.object({
  categories: z.array(
    z.object({
      id: z.string(),
      labels: z.object(forEachLanguage(() => z.string())),
      count: z.int().describe('Number of services'),
    }),
  ),
  further: z
    .int()
    .describe(`Number of categories invented by providers that are left out, those with the fewest services`),
  notice: z.string(),
})

/** Anyone can invent a category, and an agent reads everything it gets. */
const MAX_OTHER_CATEGORIES = 50

function mostUsed(categories: readonly Category[]): Category[] {
  const others = categories.filter(({ id }) => !Object.hasOwn(KNOWN_CATEGORIES, id))
  const shown = new Set(others.toSorted((a, b) => b.count - a.count).slice(0, MAX_OTHER_CATEGORIES))
  return categories.filter(each => Object.hasOwn(KNOWN_CATEGORIES, each.id) || shown.has(each))
}

export const LIST_CATEGORIES: Tool = createTool({
  name: 'list_categories',
  title: 'List the categories',
  description: 'The categories of services with the number of services in each.',
  input: categoriesInput,
  output: categoriesSchema,
  annotations: READING,
  async run({ directory, given }) {
    const { all } = readArguments(categoriesInput, given)
    const used = (await directory.categories()).filter(({ count }) => all || count > 0)
    const categories = mostUsed(used)
    const further = used.length - categories.length
    const list = categories.map(({ id, count }) => `${quote(id)} (${count})`).join(', ')
    return {
      text: `${list}${further > 0 ? `, and ${further} with fewer services` : ''}\n${NOTICE}`,
      content: { categories: toData(categories), further, notice: NOTICE },
    }
  },
})
