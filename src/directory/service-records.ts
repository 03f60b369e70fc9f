// What is known about one service besides itself: status, history, trust, terms, provenance, backing, and how to call it.
import { type CallQuery, callQuerySchema, toCall } from '../domain/call/call.ts'
import { DirectoryError } from '../domain/errors.ts'
import { isNeverProbed } from '../domain/hosts/endpoint.ts'
import { isServiceId } from '../domain/ids.ts'
import { Encoded } from '../domain/json.ts'
import {
  type Backing,
  backingSchema,
  type Marks,
  type ProvenanceRecord,
  provenanceSchema,
  toBacking,
  toMarks,
  toProvenance,
} from '../domain/listing/backing.ts'
import {
  type Entry,
  type StatusRecord,
  statusRecordSchema,
  toStatusRecord,
} from '../domain/listing/service.ts'
import { type HistoryQuery, historyQuerySchema } from '../domain/queries/queries.ts'
import {
  type History,
  historySchema,
  readCursor,
  toCursorText,
  toDay,
  toEventItem,
  toProbeItem,
} from '../domain/standing/history.ts'
import { type Trust, toTrust, trustSchema } from '../domain/standing/trust.ts'
import { type StoredTerms, type TermsAnswer, termsSchema } from '../domain/terms/terms.ts'
import { toTermsAnswer } from '../domain/terms/terms-view.ts'
import { type Message, say } from '../messages/message.ts'
import { mapBounded } from '../runtime/scheduling.ts'
import type { HistoryItem, HistoryPosition } from '../store/store.ts'
import type { OperationDeps } from './deps.ts'
import { callExample, statusExample, termsExample } from './examples.ts'
import type { Operation } from './operation.ts'

/** Each @throws DirectoryError `not_found`, `hidden` */
export interface ServiceRecords {
  status(id: string): Promise<Encoded<StatusRecord>>
  /** Probes and changes with their reasons, newest first. */
  history(id: string, query: HistoryQuery): Promise<Encoded<History>>
  /** Components of the trust score. */
  trust(id: string): Promise<Encoded<Trust>>
  /** As last seen. @throws DirectoryError `no_terms` */
  terms(id: string): Promise<Encoded<TermsAnswer>>
  /** A snippet that calls the service and pays, made from its terms. @throws DirectoryError `no_terms` */
  call(id: string, query: CallQuery): Promise<string>
  /** Where the entry came from. */
  provenance(id: string): Promise<Encoded<ProvenanceRecord>>
  /** Who backs it, and for which entries of other owners it can be mistaken. */
  backing(id: string): Promise<Encoded<Backing>>
}

export const RECORD_OPERATIONS = {
  status: {
    id: 'getServiceStatus',
    tag: 'proof',
    summary: 'Get the status of a service',
    description:
      'Status, trust, uptime and payments as of the last probe; before the first one, as of the registration.',
    answer: 'The status record',
    result: statusRecordSchema,
    example: statusExample,
    errors: ['hidden'],
  },
  history: {
    id: 'getServiceHistory',
    tag: 'proof',
    summary: 'Get the history of a service',
    description:
      'Every probe and every change with its reasons, newest first, and daily totals. Probes are stored for 30 days, totals for a year.',
    query: { schema: historyQuerySchema },
    answer: 'A page of the history',
    result: historySchema,
    cost: 2,
  },
  trust: {
    id: 'getServiceTrust',
    tag: 'proof',
    summary: 'Get the breakdown of the trust score',
    description: 'The points of each component with its reason; together they are the trust score.',
    answer: 'The breakdown',
    result: trustSchema,
    cost: 2,
    errors: ['hidden'],
  },
  terms: {
    id: 'getServiceTerms',
    tag: 'payment',
    summary: 'Get the terms last observed at the endpoint of a service',
    description:
      'The payment options, input and output of each resource, and how they compare with the listing, as last seen; 404 with the code no_terms before its first readable response.',
    answer: 'Its terms',
    result: termsSchema,
    example: termsExample,
    errors: ['no_terms', 'hidden'],
  },
  call: {
    id: 'getServiceCall',
    tag: 'payment',
    summary: 'Get code that calls a service and pays for it',
    description:
      'To be pasted and run: the right method, a body or query that fits the schema, the payment client of the language, and a cap at the price that was seen. curl shows the unpaid request and what comes back; 404 with the code no_terms before its first readable answer.',
    query: { schema: callQuerySchema },
    answer: 'The code',
    example: callExample,
    errors: ['no_terms', 'hidden'],
  },
  provenance: {
    id: 'getServiceProvenance',
    tag: 'proof',
    summary: 'Get the source of a listing (provenance)',
    description:
      'Registered here, imported, or read from another directory, a list or an origin; and whether changes there still arrive here.',
    answer: 'Its provenance',
    result: provenanceSchema,
    errors: ['hidden'],
  },
  backing: {
    id: 'getServiceBacking',
    tag: 'proof',
    summary: 'Get who has confirmed a listing (backing)',
    description:
      'Whether the wallet that it pays has signed for it, whether the domain of its endpoint has proved it, and which entries of other owners have its endpoint, its payee or a name like its own.',
    answer: 'The backing',
    result: backingSchema,
    errors: ['hidden'],
  },
} satisfies Readonly<Record<keyof ServiceRecords, Operation>>

export function createServiceRecords({ store, requireCatalog, finder }: OperationDeps): ServiceRecords {
  async function readTerms(id: string): Promise<{ entry: Entry; terms: StoredTerms }> {
    const [stored, terms] = await Promise.all([store.find(id), store.terms.of(id)])
    const { entry } = finder.requireVisible(stored, id)
    if (!terms) throw new DirectoryError('no_terms', unseenReason(entry))
    return { entry, terms }
  }

  return {
    status: async id =>
      requireCatalog().status(id) ?? Encoded.of(toStatusRecord(await finder.findRecent(id))),

    async history(id, { limit, before, days }) {
      if (!isServiceId(id)) finder.requireFound(requireCatalog().status(id), id)
      const from = before === undefined ? undefined : readCursor(before)
      const [items, sums] = await Promise.all([
        store.probes.history(id, limit + 1, from),
        store.probes.days(id, days),
      ])
      // A removed service still has a history; an id that never existed has none.
      if (items.length === 0) finder.requireFound(requireCatalog().status(id), id)
      const page = items.slice(0, limit)
      const last = items.length > limit ? page.at(-1) : undefined
      return Encoded.of<History>({
        id,
        items: page.map(item => (item.kind === 'probe' ? toProbeItem(item.probe) : toEventItem(item.event))),
        next: last ? toCursorText(positionOf(last)) : null,
        days: sums.map(toDay),
      })
    },

    async trust(id) {
      requireCatalog()
      const [stored, payments] = await Promise.all([store.find(id), store.payments.totals(id)])
      const { entry, facts } = finder.requireVisible(stored, id)
      return Encoded.of(toTrust(entry, facts, payments))
    },

    async terms(id) {
      const { entry, terms } = await readTerms(id)
      return Encoded.of(toTermsAnswer(entry, terms, requireCatalog().rates))
    },

    async call(id, query) {
      const { entry, terms } = await readTerms(id)
      return toCall(entry, terms, query.for)
    },

    async provenance(id) {
      requireCatalog()
      return Encoded.of(toProvenance(finder.requireVisible(await store.find(id), id).entry))
    },

    backing: async id => Encoded.of(requireCatalog().backing(id) ?? toBacking(await finder.findRecent(id))),
  }
}

const positionOf = (item: HistoryItem): HistoryPosition =>
  item.kind === 'probe' ? { at: item.probe.at, number: 0 } : item.event

/** Waiting helps only where it is probed. */
const unseenReason = ({ sample, endpoint }: Entry): Message =>
  say(sample ? 'sample' : isNeverProbed(endpoint) ? 'host_reserved' : 'terms_never_seen')

/** Returns undefined if its terms were never seen. @throws DirectoryError `not_found`, `hidden` */
export async function findTerms(
  directory: Pick<ServiceRecords, 'terms'>,
  id: string,
): Promise<TermsAnswer | undefined> {
  try {
    return (await directory.terms(id)).decode()
  } catch (error) {
    if (error instanceof DirectoryError && error.code === 'no_terms') return undefined
    throw error
  }
}

// The backing of each service of a list, if the list itself does not have it.

/** In progress: over a directory's URL each is a request. */
const MAX_READS = 8

/** By id. A backing that could not be read is missing: it may hide a stranger, a namesake or a sample. */
export async function readMarks(
  directory: Pick<ServiceRecords, 'backing'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Marks>> {
  const entries = await mapBounded(ids, MAX_READS, async id => {
    try {
      return [[id, toMarks((await directory.backing(id)).decode())] as const]
    } catch {
      return []
    }
  })
  return new Map(entries.flat())
}
