// What operators read and do, besides reports: sources, hiding, keys, backups, settings. Every act is logged with who did it.
import { z } from 'zod'
import { DirectoryError } from '../domain/errors.ts'
import { Encoded } from '../domain/json.ts'
import { hideEntry, unhideEntry } from '../domain/listing/edit.ts'
import type { Entry } from '../domain/listing/service.ts'
import {
  APPROVED,
  addSourceSchema,
  type Backup,
  type Backups,
  backupSchema,
  backupsSchema,
  type ChangedKey,
  type Collected,
  type Collection,
  type CollectionSize,
  changedKeySchema,
  changeSourceSchema,
  checkCollectionName,
  collectedSchema,
  collectionSchema,
  collectionSizeSchema,
  collectSchema,
  dueMs,
  findCollected,
  HIDDEN,
  type HidingResult,
  hideSchema,
  hidingResultSchema,
  KNOWN_SOURCES,
  keyChangeSchema,
  keyListSchema,
  type MadeKey,
  madeKeySchema,
  namedSchema,
  newKeySchema,
  type Overview,
  type OwnPurchase,
  overviewSchema,
  ownPurchaseSchema,
  parseRemoveSource,
  type RemoveSourceQuery,
  readCollecting,
  readHiding,
  readKeyChange,
  readNamedItems,
  readNewKey,
  readNewSource,
  readSourceChange,
  removedSourceSchema,
  removeSourceQuerySchema,
  type Settings,
  type Source,
  type SourcePreview,
  settingsSchema,
  sourcePreviewSchema,
  sourceSchema,
  toCollectedValue,
  toCollection,
} from '../domain/operating.ts'
import type { Policy } from '../domain/policy.ts'
import { CAP_WINDOW_MS } from '../domain/purchases/purchases.ts'
import type { OwnKey } from '../domain/sign-in.ts'
import { LEVELS, type ProbingState } from '../domain/standing/standing.ts'
import { say } from '../messages/message.ts'
import { VERSION } from '../package/version.ts'
import type { FollowedSource } from '../store/sources.ts'
import type { Seq } from '../store/store.ts'
import { createdKeyExample, serviceExample } from './examples.ts'
import { hashKey } from './keys.ts'
import type { Operation } from './operation.ts'
import type { OperatorDesk, Parts } from './parts.ts'
import { SESSION_HOURS, type Sessions, toOwnKey } from './sign-in.ts'

type By = { readonly key: string }

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
  hiddenList(by: By): Promise<Collected[]>
  /** @throws DirectoryError `invalid_request` */
  hide(body: unknown, by: By): Promise<HidingResult>
  /** @throws DirectoryError `invalid_request` */
  show(body: unknown, by: By): Promise<HidingResult>
  /** With their sizes, also that of what is hidden. */
  collections(by: By): Promise<CollectionSize[]>
  /** For everybody. @throws DirectoryError `invalid_request`, `not_found` */
  collection(name: string): Promise<Encoded<Collection>>
  /** Each resolves to the size of the collection. @throws DirectoryError `invalid_request` */
  collect(name: string, body: unknown, by: By): Promise<CollectionSize>
  uncollect(name: string, body: unknown, by: By): Promise<CollectionSize>
  allKeys(by: By): Promise<OwnKey[]>
  /** @throws DirectoryError `invalid_request` */
  createKey(body: unknown, by: By): Promise<MadeKey>
  /** Replaces the policy of a key. @throws DirectoryError `invalid_request`, `not_found` */
  changeKey(id: string, body: unknown, by: By): Promise<ChangedKey>
  /** @throws DirectoryError `not_found` */
  revokeAnyKey(id: string, by: By): Promise<void>
  settings(by: By): Promise<Settings>
  /** Writes a backup of the store next to it. @throws DirectoryError `invalid_request` */
  backUp(by: By): Promise<Backup>
  backups(by: By): Promise<Backups>
  /** What the directory itself bought last. */
  ownPurchases(by: By): Promise<OwnPurchase[]>
}

/** Sessions of operators on pages. Each resolves to the id of a new one. */
export interface Entrance {
  /** @throws DirectoryError `unauthorized`, `forbidden`, `rate_limited` */
  enterByKey(key: string, from: string): Promise<string>
  /** By the token of a link, which works once. @throws DirectoryError `unauthorized`, `rate_limited` */
  enterByLink(token: string, from: string): Promise<string>
  /** The token of such a link; undefined if an operator has a valid key, other than that of the session of a link. */
  createLink(): Promise<string | undefined>
}

const at = '2026-11-18T09:00:00.000Z'
const url = KNOWN_SOURCES.PayAI
const sourceExample: Source = {
  ...{ id: 'src_6c1d2f0a9b3e', url, kind: 'list', entries: 812, dropped: 7, read: null },
  ...{ checkedAt: at, succeededAt: at, dueAt: at, failures: 0, problem: null, pausedAt: null },
}
const backupExample: Backup = {
  file: '/var/lib/shirube/backups/2026-11-18T09-00-00Z.db',
  bytes: 52_428_800,
  at,
}
const ruleExample = { kind: 'host', value: 'impostor.example', why: 'It poses as another service.' } as const
const { key: _, ...keyExample } = createdKeyExample
const overviewExample: Overview = {
  ...{ version: VERSION, state: 'ready', reason: null, lagMs: 0, services: 812 },
  levels: { danger: 3, listed: 809, verified: 640, paid: 88, delivers: 41 },
  ...{ probesWaiting: 12, sources: { followed: 1, paused: 0, failing: 0 }, reportsOpen: 0, hidden: 1 },
  ...{ spending: { perDay: 1, spent: 0.12 }, lastBackup: at, next: [] },
  acts: [
    {
      id: 'act_01k6zq8v5pf3t9m2r7xw4yhd0e',
      at,
      who: 'key_5m2k9x0c1v',
      act: 'hidden',
      about: 'host impostor.example',
    },
  ],
}
const policyExample: Policy = { levels: ['paid', 'delivers'], maxUsdPrice: '0.01', budgetPerDay: '1.00' }
const collectionExample: CollectionSize = { name: APPROVED, items: 12 }
const ofCollection = { what: 'collection', example: APPROVED }
const ofKey = { what: 'key', example: createdKeyExample.id }
const ofSource = { what: 'source', example: sourceExample.id }
const common = { tag: 'operating' } as const

export const OPERATING_OPERATIONS = {
  overview: {
    ...common,
    id: 'getOverview',
    summary: 'See how the directory is, and what to do next',
    description: 'Health, services by level, sources, reports, spending, the last backup, and the last acts.',
    answer: 'The overview',
    result: overviewSchema,
    example: overviewExample,
  },
  followedSources: {
    ...common,
    id: 'listSources',
    summary: 'List the sources that are followed',
    description: 'With their last reading and failure, and how many of their services are here.',
    answer: 'The sources, by address',
    result: z.array(sourceSchema),
    example: [sourceExample],
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
    example: { url, kind: 'list', count: 812, names: [serviceExample.name], source: null },
    timeoutSeconds: 120,
  },
  changeSource: {
    ...common,
    id: 'changeSource',
    summary: 'Pause or resume a source',
    description:
      'A source that is being read is read to its end. One that is resumed is read when it is due.',
    of: ofSource,
    body: { schema: changeSourceSchema, example: { paused: true } },
    answer: 'The source',
    result: sourceSchema,
    example: { ...sourceExample, pausedAt: at, dueAt: null },
  },
  removeSource: {
    ...common,
    id: 'removeSource',
    summary: 'Stop following a source',
    description:
      'Its services stay, or are removed with it, except those with an owner here and hidden ones. 429 while it is being read.',
    of: ofSource,
    query: { schema: removeSourceQuerySchema, parse: parseRemoveSource },
    answer: 'How many services were removed',
    result: removedSourceSchema,
    example: { removed: 0 },
  },
  hiddenList: {
    ...common,
    id: 'listHidden',
    summary: 'List what is hidden',
    description: 'By service, wallet and host. As `items` it can be sent to another directory.',
    answer: 'What is hidden, and why',
    result: z.array(collectedSchema),
    example: [{ ...ruleExample, who: 'key_5m2k9x0c1v', at }],
  },
  hide: {
    ...common,
    id: 'hide',
    summary: 'Hide services, wallets or hosts',
    description:
      'What is hidden is in no list, search or feed, and its page says why. What comes later from a hidden wallet or host is hidden too.',
    body: { schema: hideSchema, example: { items: [ruleExample] } },
    answer: 'How many services this hid',
    result: hidingResultSchema,
    example: { services: 4, unknown: [] },
  },
  show: {
    ...common,
    id: 'show',
    summary: 'Show services, wallets or hosts again',
    description: 'What is hidden for another reason too stays hidden.',
    body: { schema: namedSchema, example: { items: [{ kind: 'host', value: 'impostor.example' }] } },
    answer: 'How many services this showed',
    result: hidingResultSchema,
    example: { services: 4, unknown: [] },
  },
  collections: {
    ...common,
    id: 'listCollections',
    summary: 'List the collections',
    description:
      'Named lists of services, wallets and hosts. Those that are followed have their address as name.',
    answer: 'The collections, by name',
    result: z.array(collectionSizeSchema),
    example: [collectionExample],
  },
  collect: {
    ...common,
    id: 'collect',
    summary: 'Add to a collection',
    description:
      'Policies allow or deny what it names, as collection: and its name. It begins with its first item. A collection that was read can be sent as it is.',
    of: ofCollection,
    body: { schema: collectSchema, example: { items: [{ kind: 'service', value: serviceExample.id }] } },
    answer: 'The collection',
    result: collectionSizeSchema,
    example: collectionExample,
  },
  uncollect: {
    ...common,
    id: 'uncollect',
    summary: 'Remove from a collection',
    description: 'It ends with its last item.',
    of: ofCollection,
    body: { schema: namedSchema, example: { items: [{ kind: 'service', value: serviceExample.id }] } },
    answer: 'The collection',
    result: collectionSizeSchema,
    example: collectionExample,
  },
  collection: {
    tag: 'export',
    id: 'getCollection',
    summary: 'Get a collection',
    description:
      'For everybody. Another directory follows it by its address, and its policies then allow or deny it by that.',
    of: ofCollection,
    errors: ['invalid_request'],
    answer: 'The collection',
    result: collectionSchema,
    example: { collection: APPROVED, items: [{ kind: 'service', value: serviceExample.id }] },
  },
  allKeys: {
    ...common,
    id: 'listKeys',
    summary: 'List all API keys',
    description: 'Those of wallets too, without the keys themselves.',
    answer: 'The keys, oldest first',
    result: keyListSchema,
    example: [keyExample],
  },
  createKey: {
    ...common,
    id: 'createKey',
    summary: 'Create an API key',
    description: 'The scope admin includes all others.',
    body: { schema: newKeySchema, example: { name: 'Importer', scopes: ['register'], days: 90 } },
    answer: 'The key, shown only once',
    result: madeKeySchema,
    example: { ...createdKeyExample, allows: null },
  },
  changeKey: {
    ...common,
    id: 'changeKey',
    summary: 'Change the policy of an API key',
    description: 'As a whole; it holds within a second. Not of keys that wallets signed in for.',
    of: ofKey,
    body: { schema: keyChangeSchema, example: { policy: policyExample } },
    answer: 'The key',
    result: changedKeySchema,
    example: { ...keyExample, policy: policyExample, wallet: null, allows: 88 },
  },
  revokeAnyKey: {
    ...common,
    id: 'revokeKey',
    summary: 'Revoke any API key',
    description: 'It stops working within a second.',
    of: ofKey,
    answer: 'Revoked',
  },
  settings: {
    ...common,
    id: 'getSettings',
    summary: 'See the settings',
    description: 'Each with where it comes from; secrets are not shown.',
    answer: 'The settings',
    result: settingsSchema,
    example: { settings: [{ name: 'PORT', value: '4020', from: 'default' }], unknown: [] },
  },
  backUp: {
    ...common,
    id: 'backUp',
    summary: 'Back up the store now',
    description: 'To a new file in the folder `backups` next to the database, which opens as it is.',
    answer: 'The file',
    result: backupSchema,
    example: backupExample,
    timeoutSeconds: 120,
  },
  backups: {
    ...common,
    id: 'listBackups',
    summary: 'List the backups',
    description: 'Those made on request, and those of each night.',
    answer: 'The files on the server',
    result: backupsSchema,
    example: { files: [backupExample], nightly: null },
  },
  ownPurchases: {
    ...common,
    id: 'listOwnPurchases',
    summary: 'List what this directory bought',
    description: 'The last 100 purchases, open ones included. The budget is in the overview.',
    answer: 'The purchases, newest first',
    result: z.array(ownPurchaseSchema),
    example: [
      {
        ...{
          id: 'pur_01k6zq8v5pf3t9m2r7xw4yhd0e',
          at,
          serviceId: serviceExample.id,
          host: 'skycast.example',
        },
        ...{ state: 'settled', usd: 0.002, outcome: 'delivered', transaction: `0x${'5e'.repeat(32)}` },
      },
    ],
  },
} satisfies Readonly<Record<keyof Operating, Operation>>

export const createActLog =
  ({ store, clock, newId }: Pick<Parts, 'store' | 'clock' | 'newId'>): Parts['note'] =>
  (who, act, about) => {
    const now = clock.now()
    const id = newId(now).replace(/^svc_/, 'act_')
    return store.acts.add({ id, at: now.toISOString(), who, act, about: about.slice(0, 500) })
  }

// Hiding, for operations and commands.

type Named = Pick<Collected, 'kind' | 'value'>
const clean = <N extends Named>(items: readonly N[]): N[] =>
  items.map(item => ({ ...item, value: toCollectedValue(item.kind, item.value) }))
const tell = (items: readonly Named[]) => items.map(({ kind, value }) => `${kind} ${value}`).join(', ')

type Changed = HidingResult & { readonly seq: Seq }

const AT_ONCE = 500

export interface Hiding {
  hide(items: readonly Pick<Collected, 'kind' | 'value' | 'why'>[], who: string): Promise<Changed>
  show(items: readonly Named[], who: string): Promise<Changed>
}

export function createHiding({ store, clock, note }: Pick<Parts, 'store' | 'clock' | 'note'>): Hiding {
  /** Ids of the entries that the items name. Only hosts take a look at every entry. */
  async function findNamed(items: readonly Named[]): Promise<{ ids: string[]; unknown: string[] }> {
    const valuesOf = (kind: Named['kind']) =>
      items.filter(item => item.kind === kind).map(({ value }) => value)
    const named = valuesOf('service')
    const known = await store.lookUp(named)
    const isKnown = (id: string) => known.get(id)?.entry != null
    const ids = new Set(named.filter(isKnown))
    const add = (entries: readonly Entry[]) => {
      for (const entry of entries) if (findCollected(items, entry)) ids.add(entry.id)
    }
    add(await store.paidTo(valuesOf('wallet')))
    if (valuesOf('host').length > 0)
      for (let page = await store.byId('', AT_ONCE); page.length > 0; ) {
        add(page)
        page = page.length < AT_ONCE ? [] : await store.byId(page.at(-1)!.id, AT_ONCE)
      }
    return { ids: [...ids], unknown: named.filter(id => !isKnown(id)) }
  }

  async function change(ids: readonly string[], edit: (entry: Entry) => ReturnType<typeof hideEntry>) {
    const changed = new Set<string>()
    let seq = 0
    for (let from = 0; from < ids.length; from += AT_ONCE)
      seq = await store.update(ids.slice(from, from + AT_ONCE), entry => {
        const edited = edit(entry)
        if (edited) changed.add(entry.id)
        return edited
      })
    return { services: changed.size, seq }
  }

  return {
    async hide(given, who) {
      const items = clean(given)
      const { ids, unknown } = await findNamed(items)
      const now = clock.now()
      const rules = items
        .filter(({ kind, value }) => kind !== 'service' || !unknown.includes(value))
        .map(({ kind, value, why }) => ({ kind, value, why, who, at: now.toISOString() }))
      // Stored first: what comes in meanwhile is hidden by the store.
      await store.collections.put(HIDDEN, rules)
      const changed = await change(ids, entry => {
        const rule = findCollected(rules, entry)
        return rule && hideEntry(entry, rule.why, now)
      })
      if (rules.length > 0) await note(who, 'hidden', tell(rules))
      return { ...changed, unknown }
    },
    async show(given, who) {
      const items = clean(given)
      const { ids, unknown } = await findNamed(items)
      await store.collections.remove(HIDDEN, items)
      const rest = await store.collections.list(HIDDEN)
      const changed = await change(ids, entry =>
        findCollected(rest, entry) ? undefined : unhideEntry(entry, clock.now()),
      )
      if (unknown.length < items.length) await note(who, 'shown', tell(items))
      return { ...changed, unknown }
    },
  }
}

/**
 * How many services a policy allows today; null without a policy.
 * @throws DirectoryError `invalid_request` if it names a collection that is not here: a mistyped one would deny nothing
 */
export type CountAllowed = (policy: Policy | null | undefined) => Promise<number | null>

/** By its address, which never changes. */
export const sourceIdOf = (url: string): string => `src_${hashKey(url).slice(0, 12)}`

const CLAIM_MS = 60_000
const MAX_REPORTS = 1_000
const SHOWN_ACTS = 20
const SHOWN_PURCHASES = 100
const MIN_FAILURES = 3
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const BACKUP_EVERY_MS = 7 * DAY_MS

export function createOperating({
  store,
  keys,
  clock,
  note,
  ready,
  health,
  waitUntilVisible,
  countAllowed,
  sessions,
  desk,
}: Pick<Parts, 'store' | 'keys' | 'clock' | 'note' | 'ready' | 'waitUntilVisible' | 'desk'> & {
  readonly health: () => Promise<
    Pick<Overview, 'state' | 'reason' | 'lagMs' | 'services'> & { readonly probing: ProbingState | null }
  >
  readonly countAllowed: CountAllowed
  readonly sessions: Sessions
}): Operating & Entrance {
  const hiding = createHiding({ store, clock, note })

  /** Who acts. */
  const enter = async ({ key }: By): Promise<string> => (await keys.authorize(key, 'admin')).id

  function atDesk(): OperatorDesk {
    if (desk) return desk
    throw new DirectoryError('forbidden', say('operating_off'))
  }

  /** Of operators. */
  async function validKeys() {
    const now = clock.now().toISOString()
    return (await keys.list()).filter(
      ({ scopes, revokedAt, expiresAt }) =>
        scopes.includes('admin') && revokedAt === null && (expiresAt === null || expiresAt > now),
    )
  }

  async function toSource(state: FollowedSource): Promise<Source> {
    const { url, kind, checkedAt, succeededAt, failures, problem, pausedAt, dropped = 0, read = null } = state
    const dueAt =
      pausedAt === null ? new Date(Math.max(dueMs(state), clock.now().getTime())).toISOString() : null
    const entries = await store.countOfSource(url)
    return {
      ...{ id: sourceIdOf(url), url, kind, entries, dropped, read },
      ...{ checkedAt, succeededAt, dueAt, failures, problem, pausedAt },
    }
  }

  async function findSource(id: string): Promise<FollowedSource> {
    const found = (await store.sources.list()).find(({ url }) => sourceIdOf(url) === id)
    if (found) return found
    throw new DirectoryError('not_found', say('id_unknown', { what: 'source' }))
  }

  async function finish({ seq, ...result }: Changed): Promise<HidingResult> {
    await waitUntilVisible(seq)
    return result
  }

  async function changeCollection(
    act: 'collected' | 'dropped',
    name: string,
    by: By,
    change: (who: string) => Promise<readonly Named[]>,
  ): Promise<CollectionSize> {
    const who = await enter(by)
    checkCollectionName(name)
    const items = await change(who)
    await note(who, act, `${name}: ${tell(items)}`)
    return { name, items: (await store.collections.list(name)).length }
  }

  function countLevels(): Overview['levels'] {
    const counts = new Map(
      ready()
        .facets({})
        .level?.map(({ id, count }) => [id, count ?? 0]),
    )
    return Object.fromEntries(LEVELS.map(level => [level, counts.get(level) ?? 0])) as Overview['levels']
  }

  return {
    async overview(by) {
      await enter(by)
      const { budgetPerDay } = atDesk()
      const now = clock.now().getTime()
      const [
        { state, reason, lagMs, services, probing },
        sources,
        reports,
        rules,
        spent,
        [backup],
        acts,
        own,
      ] = await Promise.all([
        health(),
        store.sources.list(),
        store.reports.list({ state: 'open', limit: MAX_REPORTS }),
        store.collections.list(HIDDEN),
        store.purchases.spent(new Date(now - CAP_WINDOW_MS)),
        store.acts.list(1, 'backed_up'),
        store.acts.list(SHOWN_ACTS),
        validKeys(),
      ])
      const failing = sources.filter(
        ({ failures, pausedAt }) => failures >= MIN_FAILURES && pausedAt === null,
      )
      const needsBackup = services > 0 && (!backup || now - Date.parse(backup.at) > BACKUP_EVERY_MS)
      const steps: readonly (readonly [Overview['next'][number], boolean])[] = [
        ['store_failing', reason !== null],
        ['create_key', own.every(({ name }) => name === KEY_OF_LINK)],
        ['add_source', sources.length === 0],
        ['sources_failing', failing.length > 0],
        ['settle_reports', reports.length > 0],
        ['back_up', needsBackup],
      ]
      return {
        ...{ version: VERSION, state, reason, lagMs, services, levels: countLevels() },
        probesWaiting: probing?.due ?? null,
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

    async followedSources(by) {
      await enter(by)
      return Promise.all((await store.sources.list()).map(toSource))
    },

    async addSource(body, by) {
      const who = await enter(by)
      const { url, isPreview } = readNewSource(body)
      const preview = await atDesk().preview(url)
      if (isPreview) return { ...preview, source: null }
      const isNew = !(await store.sources.list()).some(source => source.url === url)
      await store.sources.add(url)
      if (isNew) await note(who, 'source_added', url)
      return { ...preview, source: await toSource(await findSource(sourceIdOf(url))) }
    },

    async changeSource(id, body, by) {
      const who = await enter(by)
      const { paused } = readSourceChange(body)
      const { url, pausedAt } = await findSource(id)
      if (paused !== (pausedAt !== null)) {
        await store.sources.pause(url, paused ? clock.now() : null)
        await note(who, paused ? 'source_paused' : 'source_resumed', url)
      }
      return toSource(await findSource(id))
    },

    async removeSource(id, { entries }, by) {
      const who = await enter(by)
      const { url } = await findSource(id)
      const dropEntries = entries === 'remove' ? atDesk().dropEntries : async () => 0
      // Whoever reads it would go on to add its entries.
      if (!(await store.sources.claim(url, clock.now(), CLAIM_MS)))
        throw new DirectoryError('rate_limited', say('source_being_read'))
      await store.sources.remove(url)
      if (entries === 'remove') await store.collections.replace(url, [])
      const removed = await dropEntries(url)
      await note(who, 'source_removed', entries === 'remove' ? `${url} (${removed})` : url)
      return { removed }
    },

    async hiddenList(by) {
      await enter(by)
      return store.collections.list(HIDDEN)
    },

    async hide(body, by) {
      const who = await enter(by)
      return finish(await hiding.hide(readHiding(body).items, who))
    },

    async show(body, by) {
      const who = await enter(by)
      return finish(await hiding.show(readNamedItems(body).items, who))
    },

    async collections(by) {
      await enter(by)
      return store.collections.names()
    },

    async collection(name) {
      const items = await store.collections.list(checkCollectionName(name))
      if (items.length === 0) throw new DirectoryError('not_found', say('id_unknown', { what: 'collection' }))
      return Encoded.of(toCollection(name, items))
    },

    collect: (name, body, by) =>
      changeCollection('collected', name, by, async who => {
        const at = clock.now().toISOString()
        const items = clean(readCollecting(body).items).map(item => ({
          ...item,
          why: item.why ?? '',
          who,
          at,
        }))
        await store.collections.put(name, items)
        return items
      }),

    uncollect: (name, body, by) =>
      changeCollection('dropped', name, by, async () => {
        const items = clean(readNamedItems(body).items)
        await store.collections.remove(name, items)
        return items
      }),

    async allKeys(by) {
      await enter(by)
      return (await keys.list()).map(toOwnKey)
    },

    async createKey(body, by) {
      const who = await enter(by)
      const { name, scopes, days, policy } = readNewKey(body)
      const allows = await countAllowed(policy)
      const expiresAt = days == null ? null : new Date(clock.now().getTime() + days * DAY_MS)
      const { key, record } = await keys.create({
        ...{ name, scopes: scopes ?? [], expiresAt },
        ...(policy && { policy }),
      })
      await note(who, 'key_created', `${record.id} (${record.scopes.join(', ')})`)
      return { key, ...toOwnKey(record), allows }
    },

    async changeKey(id, body, by) {
      const who = await enter(by)
      const { policy } = readKeyChange(body)
      const allows = await countAllowed(policy)
      const changed = await keys.setPolicy(id, policy)
      if (!changed) throw new DirectoryError('not_found', say('own_key_unknown'))
      await note(who, 'key_changed', `${id} ${JSON.stringify(policy)}`)
      return { ...toOwnKey(changed), allows }
    },

    async revokeAnyKey(id, by) {
      const who = await enter(by)
      if (!(await keys.revoke(id))) throw new DirectoryError('not_found', say('own_key_unknown'))
      await note(who, 'key_revoked', id)
    },

    async settings(by) {
      await enter(by)
      return atDesk().settings()
    },

    async backUp(by) {
      const who = await enter(by)
      const backup = await atDesk().backUp(clock.now())
      await note(who, 'backed_up', backup.file)
      return backup
    },

    async backups(by) {
      await enter(by)
      return atDesk().backups()
    },

    async ownPurchases(by) {
      await enter(by)
      const purchases = await store.purchases.list({ limit: SHOWN_PURCHASES })
      return purchases.map(({ id, at, serviceId, host, state, microUsd, outcome, transaction }) => {
        return { id, at, serviceId, host, state, usd: microUsd / 1e6, outcome, transaction }
      })
    },

    async enterByKey(key, from) {
      await enter({ key })
      return sessions.openSession({ kind: 'operator', key }, from)
    },

    async enterByLink(token, from) {
      const isLink = (await sessions.findSession(token))?.kind === 'link'
      if (!isLink || !(await sessions.closeSession(token)))
        throw new DirectoryError('unauthorized', say('link_used'))
      const expiresAt = new Date(clock.now().getTime() + SESSION_HOURS * HOUR_MS)
      const { key, record } = await keys.create({ name: KEY_OF_LINK, scopes: ['admin'], expiresAt })
      await note(record.id, 'entered', KEY_OF_LINK)
      return sessions.openSession({ kind: 'operator', key }, from)
    },

    async createLink() {
      if ((await validKeys()).some(({ name }) => name !== KEY_OF_LINK)) return undefined
      return sessions.openSession({ kind: 'link', key: '' }, HERE)
    },
  }
}

/** Expires with its session, so it is no key to rely on. */
const KEY_OF_LINK = 'opened by the first link'
/** Whose limit on sessions counts. */
const HERE = '127.0.0.1'
