// The tools that read one service, and the categories; and the tool to call before a payment.
//
// Purchases from a service, for agents: how often it delivered, and the newest.

import { z } from 'zod'
import { findTerms } from '../directory/service-records.ts'
import { callQuerySchema, resourceToCall, toCall } from '../domain/call/call.ts'
import { backingSchema } from '../domain/listing/backing.ts'
import { type Category, KNOWN_CATEGORIES } from '../domain/listing/categories.ts'
import { categorySchema, serviceSchema, statusRecordSchema } from '../domain/listing/service.ts'
import { expecting } from '../domain/problems.ts'
import {
  type PurchasesAnswer,
  parsePurchasesQuery,
  purchaseSchema,
  purchasesSchema,
} from '../domain/purchases/purchases-view.ts'
import {
  parseResolveQuery,
  type ResolveQuery,
  resolutionSchema,
  resolveQuerySchema,
} from '../domain/resolve/resolution.ts'
import { levelSchema } from '../domain/standing/standing.ts'
import { type Trust, trustSchema } from '../domain/standing/trust.ts'
import { type TermsAnswer, termsSchema } from '../domain/terms/terms.ts'
import { NOTICE, quote, stripInvisible, toBackingLines, toData, toLine } from './service-view.ts'
import { createTool, READING, readArguments, type Tool } from './tool.ts'

const MAX_BOUGHT = 10

const SHOWN = ['at', 'source', 'from', 'outcome', 'through', 'charged', 'transaction', 'reasons'] as const
type Shown<Of> = Record<(typeof SHOWN)[number], Of>

const boughtSchema = z.object({
  ...purchasesSchema.shape.delivery.shape,
  payers: purchasesSchema.shape.payers,
  peers: purchasesSchema.shape.peers,
  newest: z.array(purchaseSchema.pick(Object.fromEntries(SHOWN.map(name => [name, true])) as Shown<true>)),
})
type BoughtView = z.output<typeof boughtSchema>

const toBoughtView = ({ delivery, payers, peers, purchases }: PurchasesAnswer): BoughtView => ({
  ...delivery,
  payers,
  peers,
  newest: purchases.map(
    each => Object.fromEntries(SHOWN.map(name => [name, each[name]])) as BoughtView['newest'][number],
  ),
})

function toBoughtLines({ delivery, payers, peers, purchases }: PurchasesAnswer): string[] {
  const last = purchases.find(({ source }) => source === 'operator')
  const { delivered, purchases: counted, failing } = delivery
  return [
    last || counted > 0
      ? `Bought by the directory: it delivered in ${delivered} of ${counted} purchases that count${last ? `; last ${last.at}: ${last.outcome}` : ''}.`
      : 'The directory has not bought from it: whether it delivers is not known.',
    ...(failing ? ['It was paid several times in a row and did not deliver: do not pay it.'] : []),
    ...(payers.payers > 0
      ? [
          `Reported by payers, not checked by the directory: it delivered to ${payers.delivered} of ${payers.payers} whose payment was seen on chain.`,
        ]
      : []),
    ...(peers.purchases > 0
      ? [
          `Bought by other directories, by their word: it delivered in ${peers.delivered} of ${peers.purchases} purchases.`,
        ]
      : []),
  ]
}

// The terms of a service as agents get them: those of the probed resource; `/terms` also has those from documents.

/** Enough to pay; `/terms` has all. */
const MAX_OPTIONS = 8

/** Characters of a schema in a text; the structured content has all of it. */
const MAX_SCHEMA = 4_000

const seenSchema = termsSchema.omit({ id: true, noteCodes: true })

type SeenView = Omit<TermsAnswer, 'id' | 'noteCodes'>

const toSeenView = ({ id: _, noteCodes: __, resources, ...seen }: TermsAnswer): SeenView => ({
  ...seen,
  resources: resources
    .slice(0, 1)
    .map(resource => ({ ...resource, accepts: resource.accepts.slice(0, MAX_OPTIONS) })),
})

const PRICE = {
  same: 'as listed',
  lower: 'lower than listed',
  higher: 'higher than listed',
  unknown: 'not comparable with the listed one',
} as const

/** For hosts without structured content: the terms, the input and every note. */
function toTermsLines(seen: TermsAnswer | undefined): string[] {
  const [resource] = seen?.resources ?? []
  if (!seen || !resource) return ['Its endpoint has not answered with terms yet.']
  const [requirements] = resource.accepts
  const asks = requirements
    ? `${requirements.scheme === 'upto' ? 'up to ' : ''}${requirements.price ?? requirements.amount} ${requirements.assetName ?? requirements.asset} to ${requirements.payTo}`
    : 'nothing'
  const tool = resource.tool ? ` (tool ${quote(resource.tool)})` : ''
  const where = `${quote(resource.method)} ${quote(resource.url, 300)}${tool}`
  const { address, network } = seen.asListed
  const payee = address
    ? 'wallet as listed'
    : network
      ? 'ANOTHER WALLET than listed'
      : 'ANOTHER NETWORK than listed'
  return [
    `Seen ${seen.seenAt}: ${where} asks ${quote(asks, 300)}; price ${PRICE[seen.asListed.price]}, ${payee}`,
    ...seen.notes.map(note => quote(note, 400)),
    ...(resource.input
      ? [`Its input, as JSON Schema: ${stripInvisible(JSON.stringify(toData(resource.input)), MAX_SCHEMA)}`]
      : []),
  ]
}

// The tools themselves.

const id = z
  .string({ error: expecting('service_id_expected') })
  .min(1, expecting('service_id_expected'))
  .max(64, expecting('service_id_expected'))
  .describe('Id of the service, from find_service or search_services')

const serviceInput = z.object({
  id,
  callFor: callQuerySchema.shape.for.describe('Language or format of the code that calls it'),
})

const why = z.string().describe('Why it has its status; a message of its owner, if it is discontinued')

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
    service: serviceSchema.describe(
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
    purchases: boughtSchema.describe(
      'Purchases by the directory, and those that payers report; /api/services/{id}/purchases has all',
    ),
    notice: z.string(),
  }),
  annotations: READING,
  async run({ directory, given }) {
    const { id, callFor } = readArguments(serviceInput, given)
    const [listed, trusted, backed, seen, bought] = await Promise.all([
      directory.get(id),
      directory.trust(id),
      directory.backing(id),
      findTerms(directory, id),
      directory.purchases(id, parsePurchasesQuery({ limit: MAX_BOUGHT })),
    ])
    const purchases = bought.decode()
    const service = listed.decode()
    const reason = whyOf(trusted.decode())
    const { id: _, ...backing } = backed.decode()
    // Built here from escaped literals, and meant to be run unchanged.
    const call = seen && resourceToCall(seen) ? toCall(service, seen, callFor) : null
    return {
      text: [
        toLine(service),
        quote(service.description),
        `Listed wallet: ${quote(service.x402Config.paymentAddress)} on ${quote(service.x402Config.network)}`,
        ...toWhyLines(service.status, reason),
        ...toBackingLines(backing),
        ...toTermsLines(seen),
        ...toBoughtLines(purchases),
        NOTICE,
        ...(call === null ? [] : [`Code (${callFor}):`, call]),
      ].join('\n'),
      content: {
        service: toData(service),
        why: reason,
        backing: toData(backing),
        terms: seen ? toData(toSeenView(seen)) : null,
        call,
        purchases: toData(toBoughtView(purchases)),
        notice: NOTICE,
      },
    }
  },
})

const toClaimLine = ({ source, at, calls, payers, droppedAt }: Trust['claims'][number]): string =>
  [
    `${quote(source)} counts within 30 days, not checked here, as of ${at}: ${calls ?? 'unknown'} calls, ${payers ?? 'unknown'} payers`,
    ...(droppedAt === null
      ? []
      : [`it has not listed it since ${droppedAt}, which says nothing about the endpoint`]),
  ].join('; ')

const statusInput = z.object({ id })

export const GET_STATUS: Tool = createTool({
  name: 'get_status',
  title: 'Get what was found out about a service',
  description:
    'What the directory measured about a service: status, trust, uptime, payments seen on chain. Call it before you pay.',
  input: statusInput,
  output: statusRecordSchema.extend({ level: levelSchema, why, claims: trustSchema.shape.claims }),
  annotations: READING,
  async run({ directory, given }) {
    const { id } = readArguments(statusInput, given)
    const [measured, trusted] = await Promise.all([directory.status(id), directory.trust(id)])
    const found = measured.decode()
    const trust = trusted.decode()
    const reason = whyOf(trust)
    const { status, trustScore, uptimeScore, txCount, lastChecked } = found
    // Before the first probe nothing is measured: 0 % would say that it is down.
    const isMeasured = trust.components.some(({ name, points }) => name === 'uptime' && points !== null)
    return {
      text: [
        [
          `level ${trust.level}, ${status}, trust ${trustScore} of 100`,
          isMeasured ? `up ${uptimeScore} %, checked ${lastChecked}` : 'uptime not measured yet',
          trust.payers === null ? 'its payments are not read' : `${txCount} payments seen`,
        ].join(', '),
        ...toWhyLines(status, reason),
        ...trust.claims.map(toClaimLine),
      ].join('\n'),
      content: toData({ ...found, level: trust.level, why: reason, claims: trust.claims }),
    }
  },
})

const categoriesInput = z.object({
  all: z
    .boolean({ error: expecting('not_boolean') })
    .default(false)
    .describe('true: include known categories that have no service yet'),
})

const categoriesSchema = z.object({
  categories: z.array(categorySchema),
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

// The tool to call before a payment.

const ADVICE = {
  clear: 'It may be paid as it asks.',
  caution: 'Ask your user before you pay.',
  stop: 'Do not pay.',
  unknown: 'The directory knows nothing of it. Ask your user before you pay.',
} as const

/** Without them, any payee or price would be cleared. */
const INCOMPLETE =
  'Not everything was compared. Before you pay, call this again with payTo, amount, asset and network of the 402 response.'
const isWhole = ({ payTo, amount, asset, network }: ResolveQuery): boolean =>
  [payTo, amount, asset, network].every(value => value !== undefined)

export const RESOLVE: Tool = createTool({
  name: 'resolve_payment',
  title: 'Check whether a URL is safe to pay',
  description:
    'Compares what a 402 response asks for with the listing and with what the endpoint was seen asking for. Call it before every payment, with every value of the 402 response.',
  input: resolveQuerySchema,
  output: resolutionSchema.omit({ url: true }),
  annotations: READING,
  async run({ directory, given }) {
    const query = parseResolveQuery(readArguments(resolveQuerySchema, given))
    const resolution = (await directory.resolve(query)).decode()
    const { verdict, reasons, service } = resolution
    return {
      text: [
        `${verdict}. ${verdict === 'clear' && !isWhole(query) ? INCOMPLETE : (ADVICE[verdict] ?? ADVICE.unknown)}`,
        ...reasons.map(({ text }) => quote(text, 400)),
        ...(service ? [`Service: ${quote(service.name, 120)}, id ${quote(service.id)}`] : []),
        NOTICE,
      ].join('\n'),
      content: toData({ ...resolution }),
    }
  },
})
