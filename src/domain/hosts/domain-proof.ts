// Domain proofs: what counts as one, how often it is checked, and when it is lost. Pure.

import { type Message, say } from '../../messages/message.ts'
import { sameAddress } from '../chains/addresses.ts'
import { chainKey } from '../chains/chains.ts'
import type { ServiceEvent } from '../feed.ts'
import { isServiceId } from '../ids.ts'
import type { DomainProof, Entry } from '../listing/service.ts'
import { DAY_MS } from '../time.ts'

/** What was read from a domain about the services on it. */
export type ProofReading =
  /** How it names the entry. */
  (
    | { readonly found: DomainProof['names'] }
    /** elsewhere: it names other entries, and not this one; nowhere: it names none, or does not answer. */
    | { readonly missing: 'elsewhere' | 'nowhere' }
  ) & {
    /** The file at the origin asks not to be probed. */
    readonly declinesProbes?: true
  }

/** The path of the file at the origin of an endpoint. */
export const PROOF_FILE = '/.well-known/shirube.json'

/** Bound on the wallets, and on the services, that are read of a document. */
const MAX_NAMES = 1_000
/** A host can be unreachable for a day or two without having been sold. */
const MISSES_TO_LOSE = 3

type Named = Pick<Entry, 'id' | 'x402Config'>

/** How the names refer to the entry: by its payee wallet, which proves more, or by its id. */
export function nameAmong(names: readonly string[], { id, x402Config }: Named): 'wallet' | 'id' | undefined {
  if (names.some(name => isPayee(name, x402Config))) return 'wallet'
  return names.includes(id) ? 'id' : undefined
}

/** An address by itself, or with its chain as in CAIP-10. */
function isPayee(name: string, { paymentAddress, network }: Entry['x402Config']): boolean {
  if (isServiceId(name)) return false
  const [, chain, address] = /^([-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}):(.+)$/.exec(name) ?? []
  if (chain === undefined || address === undefined) return sameAddress(name, paymentAddress, network)
  return chainKey(chain) === chainKey(network) && sameAddress(address, paymentAddress, network)
}

/** The names in `/.well-known/shirube.json`; undefined if it is not such a document. */
export function namesOfDocument(document: unknown): string[] | undefined {
  if (typeof document !== 'object' || document === null) return undefined
  const { wallets, services } = document as { wallets?: unknown; services?: unknown }
  const lists = [wallets, services].filter(Array.isArray)
  return lists.length === 0
    ? undefined
    : lists.flatMap(list => list.slice(0, MAX_NAMES)).filter(name => typeof name === 'string')
}

/** Whether `/.well-known/shirube.json` asks not to probe its origin. */
export const declinesProbes = (document: unknown): boolean =>
  typeof document === 'object' && document !== null && 'probe' in document && document.probe === false

export const declinedReason = ({ endpoint }: Pick<Entry, 'endpoint'>): Message =>
  say('probing_declined', { host: URL.parse(endpoint)?.host ?? '' })

/** Due with the first probe at its present endpoint, and then with the first of each day; the days of entries start at different times. */
export function isProofDue({ id, standing, createdAt, movedAt }: Entry, now: Date): boolean {
  const { lastChecked } = standing
  if (lastChecked === (movedAt ?? createdAt)) return true
  const phase = Bun.hash.xxHash32(id) % DAY_MS
  const dayOf = (ms: number) => Math.floor((ms + phase) / DAY_MS)
  return dayOf(Date.parse(lastChecked)) !== dayOf(now.getTime())
}

/**
 * Returns the entry with the new state of its proof, and the events.
 * @param isPayable whether the endpoint itself requests payment to the entry's address. An id does not tell who is paid, so the owner
 * of an entry could otherwise change its payee and retain the proof; a wallet is public, so a stranger could otherwise list it at any
 * path of the domain
 */
export function judgeProof(
  entry: Entry,
  seen: ProofReading | undefined,
  { at, isPayable }: { readonly at: string; readonly isPayable: boolean },
): { readonly entry: Entry; readonly events: readonly ServiceEvent[] } {
  const { proof } = entry
  const host = URL.parse(entry.endpoint)?.host ?? ''
  if (!seen) return { entry, events: [] }
  if ('found' in seen) {
    const names = seen.found
    if (!isPayable) return { entry, events: [] }
    const gained = { at: proof?.at ?? at, names }
    const events = proof ? [] : [toEvent(say('proof_gained', { host, names }), at, null, gained)]
    return { entry: { ...entry, proof: gained }, events }
  }
  if (!proof) return { entry, events: [] }
  const misses = (proof.misses ?? 0) + 1
  if (seen.missing === 'nowhere' && misses < MISSES_TO_LOSE)
    return { entry: { ...entry, proof: { ...proof, misses } }, events: [] }
  const reason =
    seen.missing === 'nowhere'
      ? say('proof_missing', { host, count: misses })
      : say('proof_of_others', { host })
  const { misses: _, ...before } = proof
  return { entry: withoutProof(entry), events: [toEvent(reason, at, before, null)] }
}

export function withoutProof({ proof: _, ...entry }: Entry): Entry {
  return entry
}

const toEvent = (
  reason: Message,
  at: string,
  before: DomainProof | null,
  after: DomainProof | null,
): ServiceEvent => ({ type: 'updated', at, reason, before: { proof: before }, after: { proof: after } })
