// What operators read and do: sources, hiding, keys, settings, and the log of acts. Pure.

import { z } from 'zod'
import { say } from '../messages/message.ts'
import { invalid, toProblem } from './errors.ts'
import { endpointHost } from './hosts/endpoint.ts'
import { deriveId, isServiceId } from './ids.ts'
import type { Entry } from './listing/service.ts'
import { policyFieldSchema, readNamed } from './policy.ts'
import {
  bodySchema,
  count,
  createQueryReader,
  dateTime,
  expecting,
  messageSchema,
  readBody,
  wholeNumberBetween,
} from './problems.ts'
import { PURCHASE_OUTCOMES, PURCHASE_STATES } from './purchases/purchases.ts'
import { oneOf } from './queries/filters.ts'
import { limit } from './queries/queries.ts'
import { createdKeySchema, ownKeySchema, SCOPES } from './sign-in.ts'
import { LEVELS, type Level } from './standing/standing.ts'
import { prose, visible } from './text/text.ts'
import { MINUTE_MS } from './time.ts'

// Every act is logged with who did it.

export const ACTS = [
  'source_added',
  'source_paused',
  'source_resumed',
  'source_read',
  'source_removed',
  'key_created',
  'key_changed',
  'key_revoked',
  'hidden',
  'shown',
  'collected',
  'dropped',
  'report_settled',
  'backed_up',
  'entered',
] as const

export const actSchema = z
  .object({
    id: z.string().describe('Id of the act'),
    at: dateTime.describe('When it was done'),
    who: z.string().describe('Id of the key, or "command" for a command on the server\'s machine'),
    act: z.enum(ACTS).describe('What was done'),
    about: z.string().describe('What it was done to'),
  })
  .meta({ id: 'Act', title: 'An act of an operator' })
export type Act = Readonly<z.output<typeof actSchema>>

export const actsQuerySchema = z.object({
  limit: limit(100, 1_000),
  before: z.string().optional().describe('Id of the last act of the previous page'),
})
export type ActsQuery = z.output<typeof actsQuerySchema>

// Collections: services, wallets and hosts under a name. Policies allow or deny them by it; what is in `hidden` is shown to nobody.

/** The collection of what is hidden, with everything that is paid to a wallet or served by a host, now and later. */
export const HIDDEN = 'hidden'
/** What callers without a key see where the setting `CATALOG` says approved. */
export const APPROVED = 'approved'
/** The address of a collection, to read and to follow it. */
export const COLLECTIONS_PATH = '/api/collections/'

export const COLLECTED_KINDS = ['service', 'wallet', 'host'] as const
type CollectedKind = (typeof COLLECTED_KINDS)[number]
/** Per request: a longer list is sent in parts. */
export const MAX_ITEMS = 200

const itemName = {
  kind: oneOf(COLLECTED_KINDS).describe(
    'wallet: all that is paid to it; host: all that it serves, and if hidden also the hosts below it',
  ),
  value: visible(255, 'id').describe('The id of a service, a payment address, or a host name'),
}
const listOf = <S extends z.ZodObject>(schema: S) =>
  z.object(
    {
      items: z
        .array(schema, { error: expecting('object_expected', { fields: ['items'] }) })
        .min(1, expecting('empty'))
        .max(MAX_ITEMS, expecting('list_expected', { max: MAX_ITEMS }))
        .describe(`At most ${MAX_ITEMS}; a longer list is sent in parts`),
    },
    { error: expecting('object_expected', { fields: ['items'] }) },
  )
const ofItsKind = { path: ['value'], error: expecting('collected_value_expected') }
const why = prose(500, { lines: true })
const hiddenItem = z.object({
  ...itemName,
  why: why.describe('The reason, shown to everybody who opens the service'),
})
const collectedItem = z.object({
  ...itemName,
  why: why.nullish().describe('The reason, shown to everybody who reads the collection'),
})

export const collectedSchema = hiddenItem
  .extend({ who: z.string().describe('Who added it'), at: dateTime.describe('When') })
  .meta({ id: 'Collected', title: 'What an operator hides or collects' })
export type Collected = Readonly<z.output<typeof collectedSchema>>

export const hideSchema = listOf(
  hiddenItem.refine(item => item.kind !== 'host' || isNamable(item), ofItsKind),
).meta({
  id: 'Hide',
  title: 'What to hide; a list that was read can be sent as it is',
})
export const namedSchema = listOf(z.object(itemName)).meta({
  id: 'Named',
  title: 'Services, wallets and hosts',
})
export const collectSchema = listOf(collectedItem.refine(isNamable, ofItsKind)).meta({
  id: 'Collect',
  title: 'What to add to a collection',
})

export const hidingResultSchema = z
  .object({
    services: count.describe('Services that this hid, or showed again'),
    unknown: z.array(z.string()).describe('Ids of services that are not here'),
  })
  .meta({ id: 'HidingResult', title: 'What hiding or showing changed' })
export type HidingResult = Readonly<z.output<typeof hidingResultSchema>>

export const collectionSizeSchema = z
  .object({
    name: z.string().describe('Its name; of a followed one its address'),
    items: count.describe('Services, wallets and hosts'),
  })
  .meta({ id: 'CollectionSize', title: 'A collection' })
export type CollectionSize = Readonly<z.output<typeof collectionSizeSchema>>

export const collectionSchema = z
  .object({
    collection: z.string().describe('Its name'),
    items: z.array(collectedItem).describe('What it names'),
  })
  .meta({ id: 'Collection', title: 'What a collection names' })
export type Collection = Readonly<z.output<typeof collectionSchema>>
export const toCollection = (collection: string, items: readonly Collected[]): Collection => ({
  collection,
  items: items.map(({ kind, value, why }) => ({ kind, value, ...(why !== '' && { why }) })),
})

/** @throws DirectoryError `invalid_request` */
export function checkCollectionName(name: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,63}$/.test(name) && name !== HIDDEN) return name
  throw invalid([toProblem('id', say('collection_name_expected'))])
}

/** A collection of another directory as it is kept here, where services that are followed from there have other ids. Undefined if it is none. */
export function readFollowed(document: unknown, url: string, now: Date): Collected[] | undefined {
  const from = url.slice(0, url.lastIndexOf(COLLECTIONS_PATH))
  return collectionSchema
    .safeParse(document)
    .data?.items.filter(isNamable)
    .map(({ kind, value, why }) => ({
      kind,
      value: kind === 'service' && isServiceId(value) ? deriveId(value, from) : toCollectedValue(kind, value),
      ...{ why: why ?? '', who: url, at: now.toISOString() },
    }))
}

/** Whether a policy that names the value means it of the same kind. */
function isNamable({ kind, value }: Pick<Collected, 'kind' | 'value'>): boolean {
  return readNamed(value)?.kind === kind
}

/** Host names are compared without port, and like hexadecimal addresses without case. */
export const toCollectedValue = (kind: CollectedKind, value: string): string =>
  kind === 'host' ? (readNamed(value)?.name ?? value) : /^0x/i.test(value) ? value.toLowerCase() : value

const isNamedBy = (
  { id, endpoint, x402Config }: Entry,
  { kind, value }: Pick<Collected, 'kind' | 'value'>,
) => {
  if (kind === 'service') return value === id
  if (kind === 'wallet') return value.toLowerCase() === x402Config.paymentAddress.toLowerCase()
  const host = endpointHost(endpoint)
  return host === value || host.endsWith(`.${value}`)
}

/** The first item that names the entry. */
export const findCollected = <C extends Pick<Collected, 'kind' | 'value'>>(
  items: readonly C[],
  entry: Entry,
): C | undefined => items.find(item => isNamedBy(entry, item))

// Sources that the server follows.

/** Public lists by name, with their present addresses. */
export const KNOWN_SOURCES = {
  CDP: 'https://api.cdp.coinbase.com/platform/v2/x402/discovery/resources',
  PayAI: 'https://facilitator.payai.network/discovery/resources',
  Circle: 'https://api.circle.com/v2/x402/discovery/resources',
  B402: 'https://www.binance.com/bapi/ramp/v1/public/ramp/b402/bazaar/resources',
  MPP: 'https://mpp.dev/api/services',
} as const

export const sourceSchema = z
  .object({
    id: z.string().describe('Id of the source'),
    url: z.string().describe('Its address'),
    kind: z.string().nullable().describe('shirube, collection, list, services, export, origin; null: unread'),
    entries: count.describe('Services that follow it'),
    dropped: count.describe('Services that it no longer listed, over all readings'),
    read: count.nullable().describe('Items read so far, while it is being read; null: it is not'),
    checkedAt: dateTime.nullable().describe('When it was last read'),
    succeededAt: dateTime.nullable().describe('When that last succeeded'),
    dueAt: dateTime.nullable().describe('When it is read next; null while it is paused'),
    failures: count.describe('Failures since the last success'),
    problem: z.string().nullable().describe('The last failure'),
    cause: messageSchema.nullable().describe('Why it failed, without the address; null: no code tells it'),
    pausedAt: dateTime.nullable().describe('Since when it is paused; null: it is followed'),
  })
  .meta({ id: 'Source', title: 'A source that is followed' })
export type Source = Readonly<z.output<typeof sourceSchema>>

export const sourcePreviewSchema = z
  .object({
    url: z.string().describe('Its address'),
    kind: z.string().describe('shirube, collection, list, services, export or origin'),
    count: count.nullable().describe('Entries that it lists; null: known only when all of it was read'),
    names: z.array(z.string()).describe('The first services that would come in'),
    source: sourceSchema.nullable().describe('The stored source; null: it was a preview only'),
  })
  .meta({ id: 'SourcePreview', title: 'What a source would bring in' })
export type SourcePreview = Readonly<z.output<typeof sourcePreviewSchema>>

const MAX_URL = 2_048

function isSource(text: string): boolean {
  if (Object.hasOwn(KNOWN_SOURCES, text)) return true
  const { protocol, username, password } = URL.parse(text) ?? {}
  // The address is shown to readers as the source of its entries.
  return /^https?:$/.test(protocol ?? '') && !username && !password && text.length <= MAX_URL
}

export const addSourceSchema = bodySchema({
  url: z
    .string({ error: expecting('url_expected') })
    .refine(isSource, expecting('url_expected'))
    .describe(
      `The address of another Shirube, an x402 list, an export or an origin, or one of ${Object.keys(KNOWN_SOURCES).join(', ')}`,
    ),
  preview: z
    .boolean({ error: expecting('not_boolean') })
    .nullish()
    .describe('Only tell what would come in, and store nothing'),
}).meta({ id: 'NewSource', title: 'A source to follow' })

/** @throws DirectoryError `invalid_request` */
export function readNewSource(body: unknown): { readonly url: string; readonly isPreview: boolean } {
  const { url, preview } = readBody(addSourceSchema, body)
  const known = Object.entries(KNOWN_SOURCES).find(([name]) => name === url)?.[1]
  return { url: (known ?? url).replace(/\/+$/, ''), isPreview: preview === true }
}

export const changeSourceSchema = bodySchema({
  paused: z.boolean({ error: expecting('not_boolean') }).describe('false: it is followed, and read at once'),
}).meta({ id: 'SourceChange', title: 'Pause or resume a source' })

export const removeSourceQuerySchema = z.object({
  entries: oneOf(['keep', 'remove']).default('keep').describe('What becomes of its services. Default: keep'),
})
export const removedSourceSchema = z
  .object({ removed: count.describe('Services that were removed') })
  .meta({ id: 'RemovedSource', title: 'How many services were removed with a source' })
export type RemoveSourceQuery = z.output<typeof removeSourceQuerySchema>

/** A feed contains only what is new, and a collection is short; a list has to be read from its beginning. */
const EVERY_MS = { shirube: 10 * MINUTE_MS, other: 6 * 60 * MINUTE_MS }
/** After a failure, doubled with each further one. */
const RETRY_MS = { first: MINUTE_MS, max: 6 * 60 * MINUTE_MS }

/** Fewer failures in a row are normal. */
export const MIN_FAILURES = 3

/** When a source is read next. */
export function dueMs({
  kind,
  checkedAt,
  failures,
}: Pick<Source, 'kind' | 'checkedAt' | 'failures'>): number {
  if (checkedAt === null) return 0
  const everyMs = kind === 'shirube' || kind === 'collection' ? EVERY_MS.shirube : EVERY_MS.other
  const pauseMs = failures === 0 ? everyMs : Math.min(RETRY_MS.first * 2 ** (failures - 1), RETRY_MS.max)
  return Date.parse(checkedAt) + pauseMs
}

// Keys, settings, backups and the overview.

const MAX_DAYS = 36_500
export const newKeySchema = bodySchema({
  name: prose(100, { lines: false }).describe('What it is for'),
  scopes: z
    .array(oneOf(SCOPES), { error: expecting('one_value_expected', { values: SCOPES }) })
    .nullish()
    .describe('What it may be used for besides reading; a key without a policy needs one'),
  policy: policyFieldSchema.nullish().describe('What its holder finds and may pay; null: everything'),
  days: wholeNumberBetween(1, MAX_DAYS).nullish().describe('Days until it expires; never if it is left out'),
}).meta({ id: 'NewApiKey', title: 'An API key to create' })
export const keyListSchema = z.array(ownKeySchema)

export const keyChangeSchema = bodySchema({
  policy: policyFieldSchema.nullable().describe('In place of the old one'),
}).meta({ id: 'ApiKeyChange', title: 'A new policy for an API key; null: it may use everything' })

const allows = {
  allows: count.nullable().describe('Services listed here today that its policy allows; null: it has none'),
}
export const changedKeySchema = ownKeySchema
  .extend(allows)
  .meta({ id: 'ChangedApiKey', title: 'An API key, and how much its policy allows' })
export type ChangedKey = Readonly<z.output<typeof changedKeySchema>>
export const madeKeySchema = createdKeySchema
  .extend(allows)
  .meta({ id: 'MadeApiKey', title: 'A new API key, and how much its policy allows' })
export type MadeKey = Readonly<z.output<typeof madeKeySchema>>

const settingSchema = z
  .object({
    name: z.string().describe('Name of the variable'),
    group: z.string().describe('What it belongs to'),
    about: z.string().describe('What it does'),
    value: z.string().describe('Without secrets'),
    from: z.enum(['default', '.env', 'environment']).describe('Where it comes from'),
  })
  .meta({ id: 'Setting', title: 'A setting of the server' })
export const settingsSchema = z
  .object({
    settings: z.array(settingSchema).describe('All of them'),
    unknown: z.array(z.string()).describe('Variables that look like settings and are none'),
  })
  .meta({ id: 'Settings', title: 'The settings of the server' })
export type Settings = z.output<typeof settingsSchema>

export const backupSchema = z
  .object({
    file: z.string().describe('Path on the server'),
    bytes: count.describe('Its size'),
    at: dateTime.describe('When'),
  })
  .meta({ id: 'Backup', title: 'A backup of the store' })
export type Backup = Readonly<z.output<typeof backupSchema>>

export const backupsSchema = z
  .object({
    isFile: z.boolean().describe('false: a PostgreSQL server, which is backed up by pg_dump'),
    database: z.string().nullable().describe('Path of the database file; null: there is none'),
    files: z.array(backupSchema).describe('Newest first'),
    nightly: z.string().nullable().describe('The folder of the nightly backups; null: there are none'),
  })
  .meta({ id: 'Backups', title: 'The backups on the server' })
export type Backups = Readonly<z.output<typeof backupsSchema>>

export const ownPurchaseSchema = z
  .object({
    id: z.string().describe('Id of the purchase'),
    at: dateTime.describe('When it was reserved'),
    serviceId: z.string().nullable().describe('The service; null: the place is not listed'),
    host: z.string().describe('Domain of the seller'),
    state: z.enum(PURCHASE_STATES).describe('How far it is'),
    usd: z.number().describe('What counts against the budget, in dollars'),
    price: z.string().describe('What was asked, in whole units'),
    currency: z.string().describe('Currency of the price'),
    outcome: z.enum(PURCHASE_OUTCOMES).nullable().describe('null: not known yet'),
    reasonCodes: z.array(messageSchema).describe('Why it has this outcome'),
    transaction: z.string().nullable().describe('The settlement on chain, if known'),
  })
  .meta({ id: 'OwnPurchase', title: 'A purchase of this directory' })
export type OwnPurchase = Readonly<z.output<typeof ownPurchaseSchema>>

/** What an operator should do next, the most urgent first. */
export const NEXT_STEPS = [
  'store_failing',
  'not_probing',
  'create_key',
  'add_source',
  'sources_failing',
  'settle_reports',
  'back_up',
] as const

const levelCounts = LEVELS.map(level => [level, count.describe(`Services of ${level}`)])
export const overviewSchema = z
  .object({
    version: z.string().describe('Version of the program'),
    state: z.enum(['starting', 'ready', 'degraded']).describe('degraded: the store is unavailable'),
    reason: z.string().nullable().describe('What is wrong with the store'),
    lagMs: z.number().describe('How far the catalog is behind the store'),
    services: count.describe('Services that are shown'),
    levels: z
      .object(Object.fromEntries(levelCounts) as Record<Level, typeof count>)
      .describe('Services of at least this level; danger: those that must not be paid'),
    probesWaiting: count.nullable().describe('null: this process does not probe'),
    lastProbeAt: dateTime.nullable().describe('When any process last probed; null before the first'),
    sources: z
      .object({
        followed: count.describe('All of them'),
        paused: count.describe('Those that are paused'),
        failing: count.describe('Those that failed three times in a row'),
      })
      .describe('How many there are'),
    reportsOpen: count.describe('Counted up to 1,000'),
    hidden: count.describe('Rules; see hidden'),
    spending: z
      .object({ perDay: z.number().describe('At most'), spent: z.number().describe('So far') })
      .describe('In dollars, over 24 hours; perDay 0: nothing is bought'),
    lastBackup: dateTime.nullable().describe('null: none is known'),
    next: z.array(z.enum(NEXT_STEPS)).describe('What to do next, the most urgent first'),
    acts: z.array(actSchema).describe('The last acts, newest first'),
  })
  .meta({ id: 'Overview', title: 'How the directory is, for its operator' })
export type Overview = Readonly<z.output<typeof overviewSchema>>

// Reports to the operator about a service. They have no automatic effect, because a report can be false.

export const REPORT_KINDS = ['impostor', 'bait_price', 'no_delivery', 'malware', 'other'] as const

export const reportDraftSchema = z
  .object({
    kind: oneOf(REPORT_KINDS).describe(
      'impostor: it poses as another; bait_price: it charges more than it lists; no_delivery: it takes the payment and delivers nothing; malware: its content is harmful; other',
    ),
    text: prose(1000, { lines: true }).describe('What was observed, and when; for the operator to check'),
  })
  .meta({ id: 'ReportDraft', title: 'What is wrong with a service' })

export const reportSchema = z
  .object({
    id: z.string().describe('Id of the report'),
    serviceId: z.string().describe('Id of the service'),
    ...reportDraftSchema.shape,
    reporter: z.string().describe('The key, or the wallet with all its keys, that sent it'),
    createdAt: dateTime.describe('When it was reported'),
    resolvedAt: dateTime.nullable().describe('When an operator resolved it; null while it is open'),
  })
  .meta({ id: 'Report', title: 'A report about a service, as operators see it' })
export type Report = Readonly<z.output<typeof reportSchema>>

export const reportsQuerySchema = z.object({
  state: oneOf(['open', 'resolved']).default('open').describe('Default: open'),
  limit: limit(100, 1_000),
  after: z
    .string()
    .max(64, expecting('report_id_expected'))
    .describe('Id of the last report of the previous page')
    .optional(),
})
export type ReportsQuery = z.output<typeof reportsQuerySchema>

export const parseReportsQuery: (input: unknown) => ReportsQuery = createQueryReader(reportsQuerySchema)

/** What the process does for operators besides its store. */
export interface OperatorDesk {
  settings(): Settings
  /** In millionths of a dollar. */
  readonly budgetPerDay: number
  readonly isFile: boolean
  backUp(at: Date): Promise<Backup>
  backups(): Promise<Backups>
  /** @throws DirectoryError `invalid_request` with what is wrong with the source */
  preview(url: string): Promise<Omit<SourcePreview, 'source'>>
  /** Removes the services of a source; resolves to their number. */
  dropEntries(url: string): Promise<number>
}
