// What operators hide and collect: services, wallets and hosts, by name.
import { z } from 'zod'
import { DirectoryError } from '../domain/errors.ts'
import { Encoded } from '../domain/json.ts'
import { hideEntry, unhideEntry } from '../domain/listing/edit.ts'
import type { Entry } from '../domain/listing/service.ts'
import {
  APPROVED,
  type Collected,
  type Collection,
  type CollectionSize,
  checkCollectionName,
  collectedSchema,
  collectionSchema,
  collectionSizeSchema,
  collectSchema,
  findCollected,
  HIDDEN,
  type HidingResult,
  hideSchema,
  hidingResultSchema,
  namedSchema,
  toCollectedValue,
  toCollection,
} from '../domain/operating.ts'
import { readBody } from '../domain/problems.ts'
import { say } from '../messages/message.ts'
import type { Seq } from '../store/store.ts'
import type { By, OperationDeps, Work } from './deps.ts'
import { serviceExample } from './examples.ts'
import type { Operation } from './operation.ts'

/** Each but the last @throws DirectoryError `unauthorized`, `forbidden` without a key with the scope `admin`. */
export interface Collections {
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
}

const ruleExample = { kind: 'host', value: 'impostor.example', why: 'It poses as another service.' } as const
const itemExample = { kind: 'service', value: serviceExample.id } as const
const ofCollection = { what: 'collection', example: APPROVED }
const common = { tag: 'operating' } as const

export const COLLECTION_OPERATIONS = {
  hiddenList: {
    ...common,
    id: 'listHidden',
    summary: 'List what is hidden',
    description: 'By service, wallet and host. As `items` it can be sent to another directory.',
    answer: 'What is hidden, and why',
    result: z.array(collectedSchema),
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
  },
  show: {
    ...common,
    id: 'show',
    summary: 'Show services, wallets or hosts again',
    description: 'What is hidden for another reason too stays hidden.',
    body: { schema: namedSchema, example: { items: [{ kind: 'host', value: 'impostor.example' }] } },
    answer: 'How many services this showed',
    result: hidingResultSchema,
  },
  collections: {
    ...common,
    id: 'listCollections',
    summary: 'List the collections',
    description:
      'Named lists of services, wallets and hosts. Those that are followed have their address as name.',
    answer: 'The collections, by name',
    result: z.array(collectionSizeSchema),
  },
  collect: {
    ...common,
    id: 'collect',
    summary: 'Add to a collection',
    description:
      'Policies allow or deny what it names, as collection: and its name. It begins with its first item. A collection that was read can be sent as it is.',
    of: ofCollection,
    body: { schema: collectSchema, example: { items: [itemExample] } },
    answer: 'The collection',
    result: collectionSizeSchema,
  },
  uncollect: {
    ...common,
    id: 'uncollect',
    summary: 'Remove from a collection',
    description: 'It ends with its last item.',
    of: ofCollection,
    body: { schema: namedSchema, example: { items: [itemExample] } },
    answer: 'The collection',
    result: collectionSizeSchema,
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
  },
} satisfies Readonly<Record<keyof Collections, Operation>>

/** For operations and commands. */
export const createActLog =
  ({ store, clock, newId }: Pick<OperationDeps, 'store' | 'clock' | 'newId'>): OperationDeps['note'] =>
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

export function createHiding({
  store,
  clock,
  note,
}: Pick<OperationDeps, 'store' | 'clock' | 'note'>): Hiding {
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

export function createCollections({
  store,
  clock,
  note,
  waitUntilVisible,
}: OperationDeps): Work<Collections> {
  const hiding = createHiding({ store, clock, note })

  async function finish({ seq, ...result }: Changed): Promise<HidingResult> {
    await waitUntilVisible(seq)
    return result
  }

  async function changeCollection(
    act: 'collected' | 'dropped',
    name: string,
    who: string,
    change: () => Promise<readonly Named[]>,
  ): Promise<CollectionSize> {
    checkCollectionName(name)
    const items = await change()
    await note(who, act, `${name}: ${tell(items)}`)
    return { name, items: (await store.collections.list(name)).length }
  }

  return {
    hiddenList: () => store.collections.list(HIDDEN),

    hide: async (body, { id: who }) => finish(await hiding.hide(readBody(hideSchema, body).items, who)),

    show: async (body, { id: who }) => finish(await hiding.show(readBody(namedSchema, body).items, who)),

    collections: () => store.collections.names(),

    async collection(name) {
      const items = await store.collections.list(checkCollectionName(name))
      if (items.length === 0) throw new DirectoryError('not_found', say('id_unknown', { what: 'collection' }))
      return Encoded.of(toCollection(name, items))
    },

    collect: (name, body, { id: who }) =>
      changeCollection('collected', name, who, async () => {
        const at = clock.now().toISOString()
        const items = clean(readBody(collectSchema, body).items).map(item => ({
          ...item,
          why: item.why ?? '',
          who,
          at,
        }))
        await store.collections.put(name, items)
        return items
      }),

    uncollect: (name, body, { id: who }) =>
      changeCollection('dropped', name, who, async () => {
        const items = clean(readBody(namedSchema, body).items)
        await store.collections.remove(name, items)
        return items
      }),
  }
}
