// What operators read and do, besides reports and collections: sources, keys, backups, settings. Every act is logged with who did it.

import { z } from 'zod'
import { DirectoryError } from '../domain/errors.ts'
import {
  type Act,
  type ActsQuery,
  actSchema,
  actsQuerySchema,
  addSourceSchema,
  type Backup,
  type Backups,
  backupSchema,
  backupsSchema,
  type ChangedKey,
  changedKeySchema,
  changeSourceSchema,
  dueMs,
  HIDDEN,
  keyChangeSchema,
  keyListSchema,
  type MadeKey,
  MIN_FAILURES,
  madeKeySchema,
  newKeySchema,
  type OperatorDesk,
  type Overview,
  type OwnPurchase,
  overviewSchema,
  ownPurchaseSchema,
  type RemoveSourceQuery,
  readNewSource,
  removedSourceSchema,
  removeSourceQuerySchema,
  type Settings,
  type Source,
  type SourcePreview,
  settingsSchema,
  sourcePreviewSchema,
  sourceSchema,
} from '../domain/operating.ts'
import type { Policy } from '../domain/policy.ts'
import { readBody, toMessageRecord } from '../domain/problems.ts'
import { CAP_WINDOW_MS } from '../domain/purchases/purchases.ts'
import type { OwnKey } from '../domain/sign-in.ts'
import { LEVELS, type ProbingState } from '../domain/standing/standing.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../domain/time.ts'
import { readMessage, say } from '../messages/message.ts'
import { OWN_COMMAND } from '../package/files.ts'
import { VERSION } from '../package/version.ts'
import type { KeyRecord } from '../store/keys.ts'
import type { FollowedSource } from '../store/sources.ts'
import type { By, OperationDeps, Work } from './deps.ts'
import { IDS } from './examples.ts'
import { hashKey, isValidKey, toOwnKey } from './keys.ts'
import type { Operation } from './operation.ts'
import { SESSION_HOURS, type Sessions } from './sign-in.ts'

/** Each @throws DirectoryError `unauthorized`, `forbidden` without a key with the scope `admin`. */
export interface Operating {
  overview(by: By): Promise<Overview>
  followedSources(by: By): Promise<Source[]>
  /** Reads the beginning of a source, and follows it unless only a preview is wanted. @throws DirectoryError `invalid_request` */
  addSource(body: unknown, by: By): Promise<SourcePreview>
  /** Pauses or resumes. @throws DirectoryError `invalid_request`, `not_found` */
  changeSource(id: string, body: unknown, by: By): Promise<Source>
  /** Resolves to the number of removed services. @throws DirectoryError `not_found`, `rate_limited` while it is read */
  removeSource(id: string, query: RemoveSourceQuery, by: By): Promise<{ readonly removed: number }>
  allKeys(by: By): Promise<OwnKey[]>
  /** @throws DirectoryError `invalid_request` */
  createKey(body: unknown, by: By): Promise<MadeKey>
  /** Replaces the policy of a key. @throws DirectoryError `invalid_request`, `not_found` */
  changeKey(id: string, body: unknown, by: By): Promise<ChangedKey>
  /** @throws DirectoryError `not_found` */
  revokeAnyKey(id: string, by: By): Promise<void>
  /** Newest first. */
  acts(query: ActsQuery, by: By): Promise<Act[]>
  settings(by: By): Promise<Settings>
  /** Writes a backup of the store next to it. @throws DirectoryError `invalid_request` */
  backUp(by: By): Promise<Backup>
  backups(by: By): Promise<Backups>
  /** What the directory itself bought last. */
  ownPurchases(by: By): Promise<OwnPurchase[]>
}

/** What pages need: sessions of operators, each resolving to the id of a new one, and whether anybody probes. */
export interface Entrance {
  /** @throws DirectoryError `unauthorized`, `forbidden`, `rate_limited` */
  enterByKey(key: string, from: string): Promise<string>
  /** By the token of a link, which works once. @throws DirectoryError `unauthorized`, `rate_limited` */
  enterByLink(token: string, from: string): Promise<string>
  /** The token of such a link; undefined if an operator has a valid key, other than that of the session of a link. */
  createLink(): Promise<string | undefined>
  /** When any process last probed, null before the first, and whether one does at present. */
  lastProbe(): Promise<LastProbe>
}
export type LastProbe = { readonly at: string | null; readonly isProbing: boolean }

const ofKey = { what: 'key', example: IDS.key }
const ofSource = { what: 'source', example: IDS.source }
const common = { tag: 'operating' } as const

export const OPERATING_OPERATIONS = {
  overview: {
    ...common,
    id: 'getOverview',
    summary: 'See how the directory is, and what to do next',
    description: 'Health, services by level, sources, reports, spending, the last backup, and the last acts.',
    answer: 'The overview',
    result: overviewSchema,
  },
  followedSources: {
    ...common,
    id: 'listSources',
    summary: 'List the sources that are followed',
    description: 'With their last reading and failure, and how many of their services are here.',
    answer: 'The sources, by address',
    result: z.array(sourceSchema),
  },
  addSource: {
    ...common,
    id: 'addSource',
    summary: 'Follow a source',
    description:
      'It is recognised first, and what it lists is told. The server then reads it, and again every 6 hours; another Shirube every 10 minutes. Sent twice, it is stored once.',
    body: { schema: addSourceSchema, example: { url: 'PayAI', preview: true } },
    answer: 'What it lists',
    result: sourcePreviewSchema,
    timeoutSeconds: 120,
  },
  changeSource: {
    ...common,
    id: 'changeSource',
    summary: 'Pause or resume a source',
    description:
      'A source that is being read is read to its end. With `paused: false` it is read within seconds, whenever it is due.',
    of: ofSource,
    body: { schema: changeSourceSchema, example: { paused: true } },
    answer: 'The source',
    result: sourceSchema,
  },
  removeSource: {
    ...common,
    id: 'removeSource',
    summary: 'Stop following a source',
    description:
      'Its services stay, or are removed with it, except those with an owner here and hidden ones. 429 while it is being read.',
    of: ofSource,
    query: { schema: removeSourceQuerySchema },
    answer: 'How many services were removed',
    result: removedSourceSchema,
  },
  allKeys: {
    ...common,
    id: 'listKeys',
    summary: 'List all API keys',
    description: 'Those of wallets too, without the keys themselves.',
    answer: 'The keys, oldest first',
    result: keyListSchema,
  },
  createKey: {
    ...common,
    id: 'createKey',
    summary: 'Create an API key',
    description: 'The scope admin includes all others.',
    body: { schema: newKeySchema, example: { name: 'Importer', scopes: ['register'], days: 90 } },
    answer: 'The key, shown only once',
    result: madeKeySchema,
  },
  changeKey: {
    ...common,
    id: 'changeKey',
    summary: 'Change the policy of an API key',
    description: 'As a whole; it holds within a second. Not of keys that wallets signed in for.',
    of: ofKey,
    body: {
      schema: keyChangeSchema,
      example: { policy: { levels: ['paid', 'delivers'], maxUsdPrice: '0.01', budgetPerDay: '1.00' } },
    },
    answer: 'The key',
    result: changedKeySchema,
  },
  revokeAnyKey: {
    ...common,
    id: 'revokeKey',
    summary: 'Revoke any API key',
    description: 'It stops working within a second.',
    of: ofKey,
    answer: 'Revoked',
  },
  acts: {
    ...common,
    id: 'listActs',
    summary: 'Read the log of what operators did',
    description:
      'Each act with the key that did it, newest first; the last 10,000 are kept. What an act does to a service is also an event, without the key.',
    query: { schema: actsQuerySchema },
    answer: 'A page of acts',
    result: z.array(actSchema),
  },
  settings: {
    ...common,
    id: 'getSettings',
    summary: 'See the settings',
    description: 'Each with where it comes from; secrets are not shown.',
    answer: 'The settings',
    result: settingsSchema,
  },
  backUp: {
    ...common,
    id: 'backUp',
    summary: 'Back up the store now',
    description: 'To a new file in the folder `backups` next to the database, which opens as it is.',
    answer: 'The file',
    result: backupSchema,
    timeoutSeconds: 120,
  },
  backups: {
    ...common,
    id: 'listBackups',
    summary: 'List the backups',
    description: 'Those made on request, and those of each night.',
    answer: 'The files on the server',
    result: backupsSchema,
  },
  ownPurchases: {
    ...common,
    id: 'listOwnPurchases',
    summary: 'List what this directory bought',
    description: 'The last 100 purchases, open ones included. The budget is in the overview.',
    answer: 'The purchases, newest first',
    result: z.array(ownPurchaseSchema),
  },
} satisfies Readonly<Record<keyof Operating, Operation>>

/**
 * How many services a policy allows today; null without a policy.
 * @throws DirectoryError `invalid_request` if it names a collection that is not here: a mistyped one would deny nothing
 */
export type CountAllowed = (policy: Policy | null | undefined) => Promise<number | null>

/** By its address, which never changes. */
export const sourceIdOf = (url: string): string => `src_${hashKey(url).slice(0, 12)}`

const MAX_REPORTS = 1_000
const SHOWN_ACTS = 20
const SHOWN_PURCHASES = 100
const BACKUP_EVERY_MS = 7 * DAY_MS

export function createOperating({
  store,
  keys,
  clock,
  note,
  requireCatalog,
  health,
  countAllowed,
  sessions,
  desk,
}: OperationDeps & {
  readonly health: () => Promise<
    Pick<Overview, 'state' | 'reason' | 'lagMs' | 'services'> & { readonly probing: ProbingState | null }
  >
  readonly countAllowed: CountAllowed
  readonly sessions: Sessions
}): Work<Operating> & Entrance {
  function atDesk(): OperatorDesk {
    if (desk) return desk
    throw new DirectoryError('forbidden', say('operating_off'))
  }

  /** Whether an operator has a valid key, other than that of the session of a link. */
  async function hasOwnKey(): Promise<boolean> {
    const isOwn = ({ name, scopes }: KeyRecord) => name !== KEY_OF_LINK && scopes.includes('admin')
    return (await keys.list()).some(key => isOwn(key) && isValidKey(key, clock.now()))
  }

  async function toSource(state: FollowedSource): Promise<Source> {
    const { url, kind, checkedAt, succeededAt, failures, problem, cause, pausedAt } = state
    const dueAt =
      pausedAt === null ? new Date(Math.max(dueMs(state), clock.now().getTime())).toISOString() : null
    const entries = await store.countOfSource(url)
    return {
      ...{ id: sourceIdOf(url), url, kind, entries, dropped: state.dropped ?? 0, read: state.read ?? null },
      ...{ checkedAt, succeededAt, dueAt, failures, problem, pausedAt },
      cause: cause === undefined ? null : toMessageRecord(readMessage(cause)),
    }
  }

  async function findSource(id: string): Promise<FollowedSource> {
    const found = (await store.sources.list()).find(({ url }) => sourceIdOf(url) === id)
    if (found) return found
    throw new DirectoryError('not_found', say('id_unknown', { what: 'source' }))
  }

  /** Every service is probed about once an hour; where this process does not probe, another one may. */
  async function lastProbe(): Promise<LastProbe> {
    const [{ probing }, { newestAt: at }] = await Promise.all([health(), store.probes.count(clock.now())])
    const isRecent = at !== null && clock.now().getTime() - Date.parse(at) < HOUR_MS
    return { at, isProbing: isRecent || (probing?.by ?? 'nobody') !== 'nobody' }
  }

  function countLevels(): Overview['levels'] {
    const counts = new Map(
      requireCatalog()
        .facets({})
        .level?.map(({ id, count }) => [id, count ?? 0]),
    )
    return Object.fromEntries(LEVELS.map(level => [level, counts.get(level) ?? 0])) as Overview['levels']
  }

  return {
    async overview() {
      const { budgetPerDay, isFile } = atDesk()
      const now = clock.now().getTime()
      const [
        { state, reason, lagMs, services, probing },
        sources,
        reports,
        rules,
        spent,
        [backup],
        acts,
        isOwned,
        probed,
      ] = await Promise.all([
        health(),
        store.sources.list(),
        store.reports.list({ state: 'open', limit: MAX_REPORTS }),
        store.collections.list(HIDDEN),
        store.purchases.spent(new Date(now - CAP_WINDOW_MS)),
        store.acts.list(1, { act: 'backed_up' }),
        store.acts.list(SHOWN_ACTS),
        hasOwnKey(),
        lastProbe(),
      ])
      const failing = sources.filter(
        ({ failures, pausedAt }) => failures >= MIN_FAILURES && pausedAt === null,
      )
      const needsBackup = isFile && services > 0 && (!backup || now - Date.parse(backup.at) > BACKUP_EVERY_MS)
      const steps: readonly (readonly [Overview['next'][number], boolean])[] = [
        ['store_failing', reason !== null],
        ['not_probing', state === 'ready' && services > 0 && !probed.isProbing],
        ['create_key', !isOwned],
        ['add_source', sources.length === 0],
        ['sources_failing', failing.length > 0],
        ['settle_reports', reports.length > 0],
        ['back_up', needsBackup],
      ]
      return {
        ...{ version: VERSION, state, reason, lagMs, services, levels: countLevels() },
        ...{ probesWaiting: probing?.due ?? null, lastProbeAt: probed.at },
        sources: {
          followed: sources.length,
          paused: sources.filter(({ pausedAt }) => pausedAt !== null).length,
          failing: failing.length,
        },
        ...{ reportsOpen: reports.length, hidden: rules.length },
        spending: { perDay: budgetPerDay / 1e6, spent: spent.microUsd / 1e6 },
        lastBackup: backup?.at ?? null,
        next: steps.filter(([, isDue]) => isDue).map(([step]) => step),
        acts,
      }
    },

    lastProbe,

    followedSources: async () => Promise.all((await store.sources.list()).map(toSource)),

    async addSource(body, { id: who }) {
      const { url, isPreview } = readNewSource(body)
      const preview = await atDesk().preview(url)
      if (isPreview) return { ...preview, source: null }
      if (await store.sources.add(url)) await note(who, 'source_added', url)
      return { ...preview, source: await toSource(await findSource(sourceIdOf(url))) }
    },

    async changeSource(id, body, { id: who }) {
      const { paused } = readBody(changeSourceSchema, body)
      const { url, pausedAt } = await findSource(id)
      const isChanged = paused !== (pausedAt !== null)
      if (isChanged) await store.sources.pause(url, paused ? clock.now() : null)
      if (isChanged) await note(who, paused ? 'source_paused' : 'source_resumed', url)
      // Who has mended a source need not wait until it is due. What is being read has no lease to give.
      const free = paused ? undefined : await store.sources.lease(url, clock.now(), MINUTE_MS)
      if (free) await store.sources.save({ ...free, checkedAt: null })
      if (free && !isChanged) await note(who, 'source_read', url)
      return toSource(await findSource(id))
    },

    async removeSource(id, { entries }, { id: who }) {
      const { url } = await findSource(id)
      const dropEntries = entries === 'remove' ? atDesk().dropEntries : async () => 0
      if (!(await store.sources.remove(url, clock.now()))) {
        // Another operator may have been faster.
        await findSource(id)
        throw new DirectoryError('rate_limited', say('source_being_read'))
      }
      if (entries === 'remove') await store.collections.replace(url, [])
      const removed = await dropEntries(url)
      await note(who, 'source_removed', entries === 'remove' ? `${url} (${removed})` : url)
      return { removed }
    },

    allKeys: async () => (await keys.list()).map(toOwnKey),

    async createKey(body, { id: who }) {
      const { name, scopes, days, policy } = readBody(newKeySchema, body)
      const allows = await countAllowed(policy)
      const expiresAt = days == null ? null : new Date(clock.now().getTime() + days * DAY_MS)
      const { key, record } = await keys.create({ name, scopes: scopes ?? [], expiresAt, policy })
      await note(who, 'key_created', `${record.id} (${record.scopes.join(', ')})`)
      return { key, ...toOwnKey(record), allows }
    },

    async changeKey(id, body, { id: who }) {
      const { policy } = readBody(keyChangeSchema, body)
      const allows = await countAllowed(policy)
      const changed = await keys.setPolicy(id, policy)
      if (!changed) throw new DirectoryError('not_found', say('id_unknown', { what: 'key' }))
      await note(who, 'key_changed', `${id} ${JSON.stringify(policy)}`)
      return { ...toOwnKey(changed), allows }
    },

    async revokeAnyKey(id, { id: who }) {
      if (!(await keys.revoke(id))) throw new DirectoryError('not_found', say('id_unknown', { what: 'key' }))
      await note(who, 'key_revoked', id)
    },

    acts: ({ limit, before }) => store.acts.list(limit, { before }),

    settings: async () => atDesk().settings(),

    async backUp({ id: who }) {
      const backup = await atDesk().backUp(clock.now())
      await note(who, 'backed_up', backup.file)
      return backup
    },

    backups: async () => atDesk().backups(),

    async ownPurchases() {
      const purchases = await store.purchases.list({ limit: SHOWN_PURCHASES })
      return purchases.map(({ id, at, serviceId, host, state, microUsd, outcome, transaction, detail }) => {
        const { price, currency, reasons } = detail
        const paid = { usd: microUsd / 1e6, price, currency, reasonCodes: reasons.map(toMessageRecord) }
        return { id, at, serviceId, host, state, ...paid, outcome, transaction }
      })
    },

    async enterByKey(key, from) {
      await keys.authorize(key, 'admin')
      return sessions.openSession({ kind: 'operator', key }, from)
    },

    async enterByLink(token, from) {
      const isLink = (await sessions.findSession(token))?.kind === 'link'
      // Every start prints one: those that nobody opened end with the first key.
      if (!isLink || (await hasOwnKey()) || !(await sessions.closeSession(token)))
        throw new DirectoryError('unauthorized', say('link_used', { command: OWN_COMMAND }))
      const expiresAt = new Date(clock.now().getTime() + SESSION_HOURS * HOUR_MS)
      const { key, record } = await keys.create({ name: KEY_OF_LINK, scopes: ['admin'], expiresAt })
      await note(record.id, 'entered', KEY_OF_LINK)
      return sessions.openSession({ kind: 'operator', key }, from)
    },

    async createLink() {
      if (await hasOwnKey()) return undefined
      return sessions.openSession({ kind: 'link', key: '' }, '127.0.0.1')
    },
  }
}

/** Expires with its session, so it is no key to rely on. */
const KEY_OF_LINK = 'opened by the first link'
