// What operators read and do, besides reports: sources, hiding, keys, backups, settings. Every act is logged with who did it.
import { z } from 'zod'
import type { Catalog } from '../catalog/catalog.ts'
import { DirectoryError } from '../domain/errors.ts'
import { hideEntry, unhideEntry } from '../domain/listing/edit.ts'
import type { Entry } from '../domain/listing/service.ts'
import {
  type Act,
  addSourceSchema,
  type Backup,
  backupSchema,
  changeSourceSchema,
  dueMs,
  findHidingRule,
  type HidingResult,
  type HidingRule,
  hideSchema,
  hidingResultSchema,
  hidingRuleSchema,
  KNOWN_SOURCES,
  keyListSchema,
  newKeySchema,
  type Overview,
  overviewSchema,
  parseRemoveSource,
  type RemoveSourceQuery,
  readHiding,
  readNewKey,
  readNewSource,
  readShowing,
  readSourceChange,
  removedSourceSchema,
  removeSourceQuerySchema,
  type Settings,
  type Source,
  type SourcePreview,
  settingsSchema,
  showSchema,
  sourcePreviewSchema,
  sourceSchema,
  toHiddenValue,
} from '../domain/operating.ts'
import { CAP_WINDOW_MS } from '../domain/purchases/purchases.ts'
import { type CreatedKey, createdKeySchema, type OwnKey } from '../domain/sign-in.ts'
import { LEVELS, type ProbingState } from '../domain/standing/standing.ts'
import { say } from '../messages/message.ts'
import { VERSION } from '../package/version.ts'
import type { Clock } from '../runtime/clock.ts'
import type { FollowedSource } from '../store/sources.ts'
import type { Seq, Store } from '../store/store.ts'
import { createdKeyExample, serviceExample } from './examples.ts'
import { hashKey, type Keyring } from './keys.ts'
import { BODY_ERRORS, type Operation, WRITE_ERRORS } from './operation.ts'
import { toOwnKey } from './sign-in.ts'

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
  hiddenList(by: By): Promise<HidingRule[]>
  /** @throws DirectoryError `invalid_request` */
  hide(body: unknown, by: By): Promise<HidingResult>
  /** @throws DirectoryError `invalid_request` */
  show(body: unknown, by: By): Promise<HidingResult>
  allKeys(by: By): Promise<OwnKey[]>
  /** @throws DirectoryError `invalid_request` */
  createKey(body: unknown, by: By): Promise<CreatedKey>
  /** @throws DirectoryError `not_found` */
  revokeAnyKey(id: string, by: By): Promise<void>
  settings(by: By): Promise<Settings>
  /** Writes a backup of the store next to it. @throws DirectoryError `invalid_request` */
  backUp(by: By): Promise<Backup>
}

/** What the process does for operators besides its store. */
export interface OperatorDesk {
  settings(): Settings
  /** In millionths of a dollar. */
  readonly budgetPerDay: number
  backUp(at: Date): Promise<Backup>
  /** @throws DirectoryError `invalid_request` with what is wrong with the source */
  preview(url: string): Promise<Omit<SourcePreview, 'source'>>
  /** Removes the services of a source; resolves to their number. */
  dropEntries(url: string): Promise<number>
}

const at = '2026-11-18T09:00:00.000Z'
const url = KNOWN_SOURCES.PayAI
const sourceExample: Source = {
  ...{ id: 'src_6c1d2f0a9b3e', url, kind: 'list', entries: 812, dropped: 7 },
  ...{ checkedAt: at, succeededAt: at, dueAt: at, failures: 0, problem: null, pausedAt: null },
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
const ofSource = { what: 'source', example: sourceExample.id }
const common = { tag: 'operating', errors: WRITE_ERRORS } as const
const withBody = [...BODY_ERRORS, ...WRITE_ERRORS] as const

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
    errors: withBody,
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
    errors: [...withBody, 'not_found'],
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
    errors: ['invalid_request', 'not_found', ...WRITE_ERRORS],
  },
  hiddenList: {
    ...common,
    id: 'listHidden',
    summary: 'List what is hidden',
    description: 'By service, wallet and host. As `items` it can be sent to another directory.',
    answer: 'What is hidden, and why',
    result: z.array(hidingRuleSchema),
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
    errors: withBody,
  },
  show: {
    ...common,
    id: 'show',
    summary: 'Show services, wallets or hosts again',
    description: 'What is hidden for another reason too stays hidden.',
    body: { schema: showSchema, example: { items: [{ kind: 'host', value: 'impostor.example' }] } },
    answer: 'How many services this showed',
    result: hidingResultSchema,
    example: { services: 4, unknown: [] },
    errors: withBody,
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
    result: createdKeySchema,
    example: createdKeyExample,
    errors: withBody,
  },
  revokeAnyKey: {
    ...common,
    id: 'revokeKey',
    summary: 'Revoke any API key',
    description: 'It stops working within a second.',
    of: { what: 'key', example: createdKeyExample.id },
    answer: 'Revoked',
    errors: ['invalid_request', 'not_found', ...WRITE_ERRORS],
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
    example: { file: '/var/lib/shirube/backups/2026-11-18T09-00-00Z.db', bytes: 52_428_800, at },
    errors: ['invalid_request', ...WRITE_ERRORS],
    timeoutSeconds: 120,
  },
} satisfies Readonly<Record<keyof Operating, Operation>>

export type NoteAct = (who: string, act: Act['act'], about: string) => Promise<void>

type LogParts = {
  readonly store: Pick<Store, 'acts'>
  readonly clock: Clock
  readonly newId: (now: Date) => string
}

export const createActLog =
  ({ store, clock, newId }: LogParts): NoteAct =>
  (who, act, about) => {
    const now = clock.now()
    const id = newId(now).replace(/^svc_/, 'act_')
    return store.acts.add({ id, at: now.toISOString(), who, act, about: about.slice(0, 500) })
  }

// Hiding, for operations and commands.

type HidingParts = {
  readonly store: Pick<Store, 'hidden' | 'update' | 'paidTo' | 'byId' | 'lookUp'>
  readonly clock: Clock
  readonly note: NoteAct
}
type Named = Pick<HidingRule, 'kind' | 'value'>
type Changed = HidingResult & { readonly seq: Seq }

const AT_ONCE = 500

export interface Hiding {
  hide(items: readonly Pick<HidingRule, 'kind' | 'value' | 'why'>[], who: string): Promise<Changed>
  show(items: readonly Named[], who: string): Promise<Changed>
}

export function createHiding({ store, clock, note }: HidingParts): Hiding {
  /** Ids of the entries that the items name. Only hosts take a look at every entry. */
  async function findNamed(items: readonly Named[]): Promise<{ ids: string[]; unknown: string[] }> {
    const valuesOf = (kind: Named['kind']) =>
      items.filter(item => item.kind === kind).map(({ value }) => value)
    const named = valuesOf('service')
    const known = await store.lookUp(named)
    const isKnown = (id: string) => known.get(id)?.entry != null
    const ids = new Set(named.filter(isKnown))
    const add = (entries: readonly Entry[]) => {
      for (const entry of entries) if (findHidingRule(items, entry)) ids.add(entry.id)
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

  const clean = <N extends Named>(items: readonly N[]): N[] =>
    items.map(item => ({ ...item, value: toHiddenValue(item.kind, item.value) }))
  const tell = (items: readonly Named[]) => items.map(({ kind, value }) => `${kind} ${value}`).join(', ')

  return {
    async hide(given, who) {
      const items = clean(given)
      const { ids, unknown } = await findNamed(items)
      const now = clock.now()
      const rules = items
        .filter(({ kind, value }) => kind !== 'service' || !unknown.includes(value))
        .map(({ kind, value, why }) => ({ kind, value, why, who, at: now.toISOString() }))
      // Stored first: what comes in meanwhile is hidden by the store.
      await store.hidden.put(rules)
      const changed = await change(ids, entry => {
        const rule = findHidingRule(rules, entry)
        return rule && hideEntry(entry, rule.why, now)
      })
      if (rules.length > 0) await note(who, 'hidden', tell(rules))
      return { ...changed, unknown }
    },
    async show(given, who) {
      const items = clean(given)
      const { ids, unknown } = await findNamed(items)
      await store.hidden.remove(items)
      const rest = await store.hidden.list()
      const changed = await change(ids, entry =>
        findHidingRule(rest, entry) ? undefined : unhideEntry(entry, clock.now()),
      )
      if (unknown.length < items.length) await note(who, 'shown', tell(items))
      return { ...changed, unknown }
    },
  }
}

/** By its address, which never changes. */
export const sourceIdOf = (url: string): string => `src_${hashKey(url).slice(0, 12)}`

const CLAIM_MS = 60_000
const MAX_REPORTS = 1_000
const SHOWN_ACTS = 20
const MIN_FAILURES = 3
const DAY_MS = 86_400_000
const BACKUP_EVERY_MS = 7 * DAY_MS

export function createOperating({
  store,
  keys,
  clock,
  note,
  ready,
  health,
  waitUntilVisible,
  desk,
}: {
  readonly store: Store
  readonly keys: Keyring
  readonly clock: Clock
  readonly note: NoteAct
  readonly ready: () => Catalog
  readonly health: () => Promise<
    Pick<Overview, 'state' | 'reason' | 'lagMs' | 'services'> & { readonly probing: ProbingState | null }
  >
  readonly waitUntilVisible: (seq: Seq) => Promise<void>
  readonly desk: OperatorDesk | undefined
}): Operating {
  const hiding = createHiding({ store, clock, note })

  /** Who acts. */
  const enter = async ({ key }: By): Promise<string> => (await keys.authorize(key, 'admin')).id

  function atDesk(): OperatorDesk {
    if (desk) return desk
    throw new DirectoryError('forbidden', say('operating_off'))
  }

  async function toSource(state: FollowedSource): Promise<Source> {
    const { url, kind, checkedAt, succeededAt, failures, problem, pausedAt, dropped = 0 } = state
    const dueAt =
      pausedAt === null ? new Date(Math.max(dueMs(state), clock.now().getTime())).toISOString() : null
    const entries = await store.countOfSource(url)
    return {
      ...{ id: sourceIdOf(url), url, kind, entries, dropped },
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
      const [{ state, reason, lagMs, services, probing }, sources, reports, rules, spent, [backup], acts] =
        await Promise.all([
          health(),
          store.sources.list(),
          store.reports.list({ state: 'open', limit: MAX_REPORTS }),
          store.hidden.list(),
          store.purchases.spent(new Date(now - CAP_WINDOW_MS)),
          store.acts.list(1, 'backed_up'),
          store.acts.list(SHOWN_ACTS),
        ])
      const failing = sources.filter(
        ({ failures, pausedAt }) => failures >= MIN_FAILURES && pausedAt === null,
      )
      const needsBackup = services > 0 && (!backup || now - Date.parse(backup.at) > BACKUP_EVERY_MS)
      const steps: readonly (readonly [Overview['next'][number], boolean])[] = [
        ['store_failing', reason !== null],
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
      const removed = await dropEntries(url)
      await note(who, 'source_removed', entries === 'remove' ? `${url} (${removed})` : url)
      return { removed }
    },

    async hiddenList(by) {
      await enter(by)
      return store.hidden.list()
    },

    async hide(body, by) {
      const who = await enter(by)
      return finish(await hiding.hide(readHiding(body).items, who))
    },

    async show(body, by) {
      const who = await enter(by)
      return finish(await hiding.show(readShowing(body).items, who))
    },

    async allKeys(by) {
      await enter(by)
      return (await keys.list()).map(toOwnKey)
    },

    async createKey(body, by) {
      const who = await enter(by)
      const { name, scopes, days } = readNewKey(body)
      const expiresAt = days == null ? null : new Date(clock.now().getTime() + days * DAY_MS)
      const { key, record } = await keys.create({ name, scopes, expiresAt })
      await note(who, 'key_created', `${record.id} (${record.scopes.join(', ')})`)
      return { key, ...toOwnKey(record) }
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
  }
}
