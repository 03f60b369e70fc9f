// What operators read and do: sources, hiding, keys, settings, and the log of acts. Pure.
import { z } from 'zod'
import { invalid } from './errors.ts'
import { endpointHost } from './hosts/endpoint.ts'
import type { Entry } from './listing/service.ts'
import { createQueryReader, expecting, toProblems } from './problems.ts'
import { oneOf } from './queries/filters.ts'
import { ownKeySchema, SCOPES } from './sign-in.ts'
import { LEVELS, type Level } from './standing/standing.ts'
import { prose, visible } from './text/text.ts'

const dateTime = z.string().meta({ format: 'date-time' })
const count = z.int().min(0)

/** @throws DirectoryError `invalid_request` with every problem */
const createBodyReader =
  <S extends z.ZodObject>(schema: S) =>
  (body: unknown): z.output<S> => {
    const parsed = schema.safeParse(body)
    if (!parsed.success) throw invalid(toProblems(parsed.error, body))
    return parsed.data
  }

// Every act is logged with who did it.

export const ACTS = [
  'source_added',
  'source_paused',
  'source_resumed',
  'source_removed',
  'key_created',
  'key_revoked',
  'hidden',
  'shown',
  'report_settled',
  'backed_up',
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

// What is hidden: single services, and everything that is paid to a wallet or served by a host, now and later.

export const HIDDEN_KINDS = ['service', 'wallet', 'host'] as const
export type HiddenKind = (typeof HIDDEN_KINDS)[number]
/** Per request: a longer list is sent in parts. */
const MAX_RULES = 200

const named = {
  kind: z
    .enum(HIDDEN_KINDS, { error: expecting('not_one_of', { values: HIDDEN_KINDS }) })
    .describe('wallet: all that is paid to it; host: all that it and the hosts below it serve'),
  value: visible(255, 'id').describe('The id of a service, a payment address, or a host name'),
}
const listOf = <S extends z.ZodObject>(schema: S) =>
  z.object(
    {
      items: z
        .array(schema, { error: expecting('object_expected', { fields: ['items'] }) })
        .min(1, expecting('empty'))
        .max(MAX_RULES, expecting('number_between', { min: 1, max: MAX_RULES }))
        .describe(`At most ${MAX_RULES}; a longer list is sent in parts`),
    },
    { error: expecting('object_expected', { fields: ['items'] }) },
  )
const given = z.object({
  ...named,
  why: prose(500, { lines: true }).describe('The reason, shown to everybody who opens the service'),
})

export const hidingRuleSchema = given
  .extend({ who: z.string().describe('Who hid it'), at: dateTime.describe('When') })
  .meta({ id: 'Hidden', title: 'What an operator hides' })
export type HidingRule = Readonly<z.output<typeof hidingRuleSchema>>

export const hideSchema = listOf(given).meta({
  id: 'Hide',
  title: 'What to hide; a list that was read can be sent as it is',
})
export const showSchema = listOf(z.object(named)).meta({ id: 'Show', title: 'What to show again' })
export const readHiding = createBodyReader(hideSchema)
export const readShowing = createBodyReader(showSchema)

export const hidingResultSchema = z
  .object({
    services: count.describe('Services that this hid, or showed again'),
    unknown: z.array(z.string()).describe('Ids of services that are not here'),
  })
  .meta({ id: 'HidingResult', title: 'What hiding or showing changed' })
export type HidingResult = Readonly<z.output<typeof hidingResultSchema>>

/** Wallets and hosts are compared without case. */
export const toHiddenValue = (kind: HiddenKind, value: string): string =>
  kind === 'service' ? value : value.toLowerCase()

const isHiddenBy = (
  { id, endpoint, x402Config }: Entry,
  { kind, value }: Pick<HidingRule, 'kind' | 'value'>,
) => {
  if (kind === 'service') return value === id
  if (kind === 'wallet') return value === x402Config.paymentAddress.toLowerCase()
  const host = endpointHost(endpoint)
  return host === value || host.endsWith(`.${value}`)
}

/** The first rule that hides the entry. */
export const findHidingRule = <R extends Pick<HidingRule, 'kind' | 'value'>>(
  rules: readonly R[],
  entry: Entry,
): R | undefined => rules.find(rule => isHiddenBy(entry, rule))

// Sources that the server follows.

/** Public lists by name, with their present addresses. */
export const KNOWN_SOURCES = {
  CDP: 'https://api.cdp.coinbase.com/platform/v2/x402/discovery/resources',
  PayAI: 'https://facilitator.payai.network/discovery/resources',
  Circle: 'https://api.circle.com/v2/x402/discovery/resources',
} as const

export const sourceSchema = z
  .object({
    id: z.string().describe('Id of the source'),
    url: z.string().describe('Its address'),
    kind: z.string().nullable().describe('shirube, list, export or origin; null before the first reading'),
    entries: count.describe('Services that follow it'),
    dropped: count.describe('Services that it no longer listed, over all readings'),
    checkedAt: dateTime.nullable().describe('When it was last read'),
    succeededAt: dateTime.nullable().describe('When that last succeeded'),
    dueAt: dateTime.nullable().describe('When it is read next; null while it is paused'),
    failures: count.describe('Failures since the last success'),
    problem: z.string().nullable().describe('The last failure'),
    pausedAt: dateTime.nullable().describe('Since when it is paused; null: it is followed'),
  })
  .meta({ id: 'Source', title: 'A source that is followed' })
export type Source = Readonly<z.output<typeof sourceSchema>>

export const sourcePreviewSchema = z
  .object({
    url: z.string().describe('Its address'),
    kind: z.string().describe('shirube, list, export or origin'),
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

export const addSourceSchema = z
  .object(
    {
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
    },
    { error: expecting('object_expected', { fields: ['url'] }) },
  )
  .meta({ id: 'NewSource', title: 'A source to follow' })
const readSourceBody = createBodyReader(addSourceSchema)

/** @throws DirectoryError `invalid_request` */
export function readNewSource(body: unknown): { readonly url: string; readonly isPreview: boolean } {
  const { url, preview } = readSourceBody(body)
  const known = Object.entries(KNOWN_SOURCES).find(([name]) => name === url)?.[1]
  return { url: (known ?? url).replace(/\/+$/, ''), isPreview: preview === true }
}

export const changeSourceSchema = z
  .object(
    { paused: z.boolean({ error: expecting('not_boolean') }).describe('Whether the server leaves it alone') },
    { error: expecting('object_expected', { fields: ['paused'] }) },
  )
  .meta({ id: 'SourceChange', title: 'Pause or resume a source' })
export const readSourceChange = createBodyReader(changeSourceSchema)

export const removeSourceQuerySchema = z.object({
  entries: oneOf(['keep', 'remove']).default('keep').describe('What becomes of its services. Default: keep'),
})
export const removedSourceSchema = z
  .object({ removed: count.describe('Services that were removed') })
  .meta({ id: 'RemovedSource', title: 'How many services were removed with a source' })
export type RemoveSourceQuery = z.output<typeof removeSourceQuerySchema>
export const parseRemoveSource: (input: unknown) => RemoveSourceQuery =
  createQueryReader(removeSourceQuerySchema)

const MINUTE_MS = 60_000
/** A feed tells only what is new; a list is read whole. */
const EVERY_MS = { shirube: 10 * MINUTE_MS, other: 6 * 60 * MINUTE_MS }
/** After a failure, doubled with each further one. */
const RETRY_MS = { first: MINUTE_MS, max: 6 * 60 * MINUTE_MS }

/** When a source is read next. */
export function dueMs(source: {
  readonly kind: string | null
  readonly checkedAt: string | null
  readonly failures: number
}): number {
  const { kind, checkedAt, failures } = source
  if (checkedAt === null) return 0
  const everyMs = kind === 'shirube' ? EVERY_MS.shirube : EVERY_MS.other
  const pauseMs = failures === 0 ? everyMs : Math.min(RETRY_MS.first * 2 ** (failures - 1), RETRY_MS.max)
  return Date.parse(checkedAt) + pauseMs
}

// Keys, settings, backups and the overview.

const MAX_DAYS = 36_500
export const newKeySchema = z
  .object(
    {
      name: prose(100, { lines: false }).describe('What it is for'),
      scopes: z
        .array(z.enum(SCOPES, { error: expecting('not_one_of', { values: SCOPES }) }), {
          error: expecting('one_value_expected', { values: SCOPES }),
        })
        .min(1, expecting('one_value_expected', { values: SCOPES }))
        .describe('What it may be used for'),
      days: z
        .int({ error: expecting('number_between', { min: 1, max: MAX_DAYS }) })
        .min(1, expecting('number_between', { min: 1, max: MAX_DAYS }))
        .max(MAX_DAYS, expecting('number_between', { min: 1, max: MAX_DAYS }))
        .nullish()
        .describe('Days until it expires; never if it is left out'),
    },
    { error: expecting('object_expected', { fields: ['name', 'scopes'] }) },
  )
  .meta({ id: 'NewApiKey', title: 'An API key to create' })
export const readNewKey = createBodyReader(newKeySchema)
export const keyListSchema = z.array(ownKeySchema)

export const settingSchema = z
  .object({
    name: z.string().describe('Name of the variable'),
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

/** What an operator should do next, the most urgent first. */
export const NEXT_STEPS = [
  'store_failing',
  'add_source',
  'sources_failing',
  'settle_reports',
  'back_up',
] as const

export const overviewSchema = z
  .object({
    version: z.string().describe('Version of the program'),
    state: z.enum(['starting', 'ready', 'degraded']).describe('degraded: the store is unavailable'),
    reason: z.string().nullable().describe('What is wrong with the store'),
    lagMs: z.number().describe('How far the catalog is behind the store'),
    services: count.describe('Services that are shown'),
    levels: z
      .object(
        Object.fromEntries(LEVELS.map(level => [level, count.describe(`Services of ${level}`)])) as Record<
          Level,
          typeof count
        >,
      )
      .describe('Services of at least this level; danger: those that must not be paid'),
    probesWaiting: count.nullable().describe('null: this process does not probe'),
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
