// Operations of an owner on an entry: edit, remove, retire, restore, claim.
import { paysTo } from '../domain/chains/addresses.ts'
import { createAllowance, DirectoryError } from '../domain/errors.ts'
import { isNeverProbed } from '../domain/hosts/endpoint.ts'
import { Encoded } from '../domain/json.ts'
import { isByAnybody, isByStranger, toBackingFacts } from '../domain/listing/backing.ts'
import {
  claimEntry,
  type EditContext,
  type EditResult,
  editEntry,
  hiddenError,
  readEdit,
  restoreEntry,
  retireEntry,
  retirementSchema,
} from '../domain/listing/edit.ts'
import {
  type OwnService,
  type OwnServices,
  type OwnServicesQuery,
  ownServicesQuerySchema,
  ownServicesSchema,
  toOwnService,
} from '../domain/listing/seller.ts'
import { type Entry, type Service, serviceSchema, toService } from '../domain/listing/service.ts'
import { readBody } from '../domain/problems.ts'
import { isListedByStranger } from '../domain/resolve/resolve.ts'
import { type Message, say } from '../messages/message.ts'
import type { By, ByFrom, OperationDeps, WithIgnored, Work } from './deps.ts'
import { serviceExample } from './examples.ts'
import { type Caller, rateLimitKeys } from './keys.ts'
import type { Operation } from './operation.ts'
import { bytesOf } from './writes.ts'

export type WriteResult = WithIgnored<{
  readonly service: Encoded<Service>
  /** Sentences about values that were accepted but look wrong. */
  readonly notices: readonly string[]
  /** When the probe that follows begins, if it has to wait for its turn; absent: within seconds, or none follows. */
  readonly probedFrom?: string
}>

/**
 * An entry may be changed by the key or wallet that owns it, by its payee wallet, and by an operator. When a call resolves, the change
 * is durable and, unless the catalog is over two seconds behind, included in every read of this process. An entry that an operator hid can only be removed.
 * Each @throws DirectoryError `unauthorized`, `forbidden`, `not_found`, `hidden`, `rate_limited`
 */
export interface Owners {
  /** Applies a merge patch (RFC 7396) to the registration. @throws DirectoryError `invalid_request` */
  edit(id: string, patch: unknown, by: ByFrom): Promise<WriteResult>
  /** Leaves a tombstone; the history is retained. */
  remove(id: string, by: ByFrom): Promise<void>
  /** Retires it with a message: inactive until it is restored. @throws DirectoryError `invalid_request` */
  retire(id: string, body: unknown, by: ByFrom): Promise<WriteResult>
  restore(id: string, by: ByFrom): Promise<WriteResult>
  /** Makes its payee wallet its only owner. */
  claim(id: string, by: ByFrom): Promise<WriteResult>
  /**
   * Schedules a probe within seconds. A retired entry is not probed, nor one on a reserved host; a notice says so. Wallets cost
   * nothing, so their keys are also limited by the network of the caller.
   */
  probe(id: string, by: ByFrom): Promise<WriteResult>
  /** The services of the caller. @throws DirectoryError `unauthorized`, `forbidden` */
  ownServices(query: OwnServicesQuery, by: By): Promise<Encoded<OwnServices>>
}

const WRITTEN = {
  answer: 'The service as it is now, with its new ETag',
  result: serviceSchema,
  example: serviceExample,
}

export const OWNER_OPERATIONS = {
  edit: {
    id: 'editService',
    tag: 'owners',
    summary: 'Change a service',
    description:
      'A merge patch (RFC 7396) of what was registered, judged like a registration. For the key or wallet that it belongs to, the wallet that it pays, and operators. Another endpoint, address or network makes it unverified, and it is probed at once.',
    body: {
      schema: {
        type: 'object',
        description: 'A part of a registration body; what is left out stays, null removes',
      },
      example: { pricing: { pricePerRequest: '0.002' } },
      types: ['application/merge-patch+json'],
    },
    ...WRITTEN,
    errors: ['hidden'],
  },
  remove: {
    id: 'removeService',
    tag: 'owners',
    summary: 'Remove a service',
    description: 'Removes it from every read; the feed reports a delete, and its history stays.',
    answer: 'It is removed',
    errors: ['hidden'],
  },
  retire: {
    id: 'retireService',
    tag: 'owners',
    summary: 'Retire a service',
    description:
      'It stays listed as inactive, with the message as the reason, and is not probed until it is restored.',
    body: {
      schema: retirementSchema,
      example: { message: 'Closed on 1 March; use https://weather.example.com/v2.' },
    },
    ...WRITTEN,
    errors: ['hidden'],
  },
  restore: {
    id: 'restoreService',
    tag: 'owners',
    summary: 'Restore a retired service',
    description:
      'It is unverified again and probed at once, a minute after its last probe at the soonest; a reserved host, such as example.com, is never probed, and X-Notice says so. One that is not retired is unchanged.',
    ...WRITTEN,
    errors: ['hidden'],
  },
  claim: {
    id: 'claimService',
    tag: 'owners',
    summary: 'Claim a service for the wallet that it is paid to',
    description:
      'Needs a key of that wallet, which becomes the only owner: the account that registered the service can no longer change it.',
    ...WRITTEN,
    errors: ['hidden'],
  },
  probe: {
    id: 'probeService',
    tag: 'owners',
    summary: 'Probe a service now',
    description:
      'Probed in the next round, within seconds; the result appears in its history. While there is no domain proof, it is looked for too. Five probes of a service run at once, then one a minute: X-Notice says when it has to wait. A retired service is not probed, nor is a reserved host, such as example.com: X-Notice says so. 10 a minute per owner, over all keys.',
    ...WRITTEN,
    errors: ['hidden'],
  },
  ownServices: {
    id: 'listOwnServices',
    tag: 'owners',
    summary: 'List your own services',
    description:
      'Services of the key or its wallet, and services listed by others that pay the wallet; including retired and hidden ones.',
    query: { schema: ownServicesQuerySchema },
    answer: 'A page of them',
    result: ownServicesSchema,
  },
} satisfies Readonly<Record<keyof Owners, Operation>>

const PROBES_A_MINUTE = 10

/** Why no probe follows. */
const UNPROBED = {
  retired: 'It is not probed while it is retired.',
  reserved: 'It is not probed: its host is reserved for examples and tests, and such hosts never are.',
}

export function createOwners({
  store,
  clock,
  draftPolicy,
  waitUntilVisible,
  noticesOn,
  chargeWrite,
  requireCatalog,
}: OperationDeps): Work<Owners> {
  const takeProbe = createAllowance(PROBES_A_MINUTE, 'probe')

  /** @throws DirectoryError `forbidden` */
  function admit(entry: Entry, caller: Caller): EditContext {
    const isOwner = entry.owner === caller.owner || (caller.wallet !== null && paysTo(entry, caller.wallet))
    if (!isOwner && !caller.scopes.includes('admin'))
      throw new DirectoryError('forbidden', say('service_of_others'))
    return { by: isOwner ? 'owner' : 'operator', now: clock.now() }
  }

  /** Checked and changed in one transaction, so that the owner cannot change in between. */
  async function change(
    id: string,
    caller: Caller & ByFrom,
    work: (entry: Entry, act: EditContext, caller: Caller) => EditResult | undefined,
  ): Promise<Entry> {
    const { seq, present } = await chargeWrite(caller, caller.from, async () => {
      let present: Entry | undefined
      let written = 0
      const seq = await store.update([id], entry => {
        const act = admit(entry, caller)
        if (entry.hidden) throw hiddenError(entry.hidden)
        const change = work(entry, act, caller)
        const edited = change && retainChange(entry, change, caller, act)
        present = edited?.entry ?? entry
        // A change is stored twice: as the entry, and in its history.
        if (edited) written = bytesOf(edited.entry) + bytesOf(edited.events)
        return edited
      })
      if (!present) throw unknown(id)
      return { seq, present, written }
    })
    await waitUntilVisible(seq)
    return present
  }

  /** Only a few probes run at once on request, and the others one after the other. */
  async function withProbe(entry: Entry): Promise<WriteResult> {
    const service = toAnswer(entry)
    const unprobed =
      entry.retired !== null ? UNPROBED.retired : isNeverProbed(entry.endpoint) && UNPROBED.reserved
    if (unprobed) return { service, notices: [unprobed], ignored: [] }
    const at = await store.schedule.requestedAt(entry.id)
    if (!at || at <= clock.now()) return { service, notices: [], ignored: [] }
    const probedFrom = at.toISOString()
    return {
      service,
      notices: [`It is probed from ${probedFrom} on: a few requested probes run at once, then one a minute.`],
      ignored: [],
      probedFrom,
    }
  }

  return {
    async edit(id, patch, by) {
      let read: Pick<WriteResult, 'notices' | 'ignored'> = { notices: [], ignored: [] }
      const entry = await change(id, by, (entry, act) => {
        const { draft, notices, ignored } = readEdit(entry, patch, draftPolicy)
        read = { notices, ignored }
        return editEntry(entry, draft, act)
      })
      return {
        service: toAnswer(entry),
        ...read,
        notices: [...read.notices, ...noticesOn(entry)],
      }
    },

    async remove(id, caller) {
      const { seq } = await chargeWrite(caller, caller.from, async () => {
        let written = 0
        const seq = await store.remove(id, clock.now(), reasonOf(caller), entry => {
          admit(entry, caller)
          // Its owner could list it again as if nothing had happened.
          if (entry.hidden && !caller.scopes.includes('admin')) throw hiddenError(entry.hidden)
          written = bytesOf(entry)
          return mayRefuse(entry, caller) ? 'for_good' : 'for_now'
        })
        if (seq === undefined) throw unknown(id)
        return { seq, written }
      })
      await waitUntilVisible(seq)
    },

    async retire(id, body, by) {
      const entry = await change(id, by, (entry, act) =>
        retireEntry(entry, readBody(retirementSchema, body).message, act),
      )
      return { service: toAnswer(entry), notices: [], ignored: [] }
    },

    async restore(id, by) {
      return withProbe(await change(id, by, restoreEntry))
    },

    async claim(id, by) {
      const entry = await change(id, by, (entry, { now }, { wallet }) => {
        if (wallet === null || !paysTo(entry, wallet))
          throw new DirectoryError('forbidden', say('claim_by_others'))
        return claimEntry(entry, wallet, now)
      })
      return { service: toAnswer(entry), notices: [], ignored: [] }
    },

    async probe(id, by) {
      for (const name of rateLimitKeys(by, by.from)) takeProbe(name, clock.now())
      const entry = await change(id, by, (entry, { now }) =>
        entry.retired === null && !isNeverProbed(entry.endpoint)
          ? { entry, events: [], extraProbeAt: now }
          : undefined,
      )
      return withProbe(entry)
    },

    /** The catalog has the candidates, the store has their owners. */
    async ownServices({ limit, before }, caller) {
      const address = caller.wallet?.slice(caller.wallet.indexOf(':') + 1)
      let ids = requireCatalog().ofOwner(caller.owner, address)
      if (before !== undefined) ids = ids.filter(id => id < before)
      const own: OwnService[] = []
      while (ids.length > 0 && own.length <= limit) {
        const [batch, rest] = [ids.slice(0, limit + 1), ids.slice(limit + 1)]
        const stored = await store.lookUp(batch)
        for (const id of batch) {
          const entry = stored.get(id)?.entry
          const service = entry && toOwnService(entry, caller)
          if (service) own.push(service)
        }
        ids = rest
      }
      const services = own.slice(0, limit)
      const next = own.length > limit ? services.at(-1)!.service.id : null
      return Encoded.of<OwnServices>({ services, next })
    },
  }
}

const toAnswer = (entry: Entry): Encoded<Service> => Encoded.of(toService(entry))

/**
 * Protects a change from the source of the entry: with it, an entry without an owner comes to belong to the wallet that it pays, or to
 * the key of the operator.
 */
function retainChange(
  before: Entry,
  edited: EditResult,
  { wallet, owner }: Caller,
  { now }: EditContext,
): EditResult {
  const { entry } = edited
  if (entry.owner !== null) return edited
  if (wallet === null || !paysTo(before, wallet))
    // A requested probe changes nothing of it.
    return entry !== before && entry.provenance.origin ? { ...edited, entry: { ...entry, owner } } : edited
  const claimed = claimEntry(entry, wallet, now)
  return claimed ? { ...edited, entry: claimed.entry, events: [...edited.events, ...claimed.events] } : edited
}

/** Anybody can list a service of another provider and remove it again: only the payee or an operator can remove it permanently. */
const mayRefuse = (entry: Entry, { wallet, scopes }: Caller): boolean =>
  scopes.includes('admin') || (wallet !== null && paysTo(entry, wallet))

/**
 * A stranger who removes a listing says nothing about the service, however long it was verified. Neither does a payee about a URL that was
 * never seen asking to pay it: the host may have other sellers.
 */
const reasonOf =
  (caller: Caller) =>
  (entry: Entry): Message | null => {
    if (!isByAnybody(entry) || caller.scopes.includes('admin')) return null
    if (!mayRefuse(entry, caller))
      return isByStranger(toBackingFacts(entry)) ? say('removed_by_stranger') : null
    return isListedByStranger({ ...entry, owner: caller.wallet }) ? say('removed_unasked') : null
  }

const unknown = (id: string) =>
  new DirectoryError('not_found', say('service_unknown', { id: id.slice(0, 64) }))
