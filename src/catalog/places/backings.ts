// Who backs each entry (claim, domain proof, status), and which entries share an endpoint. About 60 bytes per entry.

import { endpointKey } from '../../domain/hosts/endpoint.ts'
import { type BackingFacts, isBacked, toBackingFacts } from '../../domain/listing/backing.ts'
import type { DomainProof, Entry } from '../../domain/listing/service.ts'
import { grown } from '../../memory/growing.ts'
import { HashedTexts } from '../../memory/hashed-texts.ts'

const CLAIMED = 1
const VERIFIED = 2
const PROVED = 4
const BY_DNS = 8
const NAMES_ID = 16
const BY_ANYBODY = 32
const NAMED = 64

export class Backings {
  readonly #endpoints = new HashedTexts()
  /** Backed entries alone. One endpoint has few of them, however many third parties list it. */
  readonly #backed = new HashedTexts()
  #flags = new Uint8Array(0)
  #since = new Float64Array(0)
  /** Milliseconds since 1970; set only for proved entries. */
  #provedAt = new Float64Array(0)

  get bytes(): number {
    const arrays = [this.#flags, this.#since, this.#provedAt]
    return arrays.reduce(
      (sum, { byteLength }) => sum + byteLength,
      this.#endpoints.bytes + this.#backed.bytes,
    )
  }

  write(slot: number, entry: Entry): void {
    this.#flags = grown(this.#flags, slot + 1)
    this.#since = grown(this.#since, slot + 1)
    this.#provedAt = grown(this.#provedAt, slot + 1)
    const facts = toBackingFacts(entry)
    const { isClaimed, isVerified, isByAnybody, isNamedByDomain, sinceMs } = facts
    this.#flags[slot] =
      (isClaimed ? CLAIMED : 0) |
      (isVerified ? VERIFIED : 0) |
      (isByAnybody ? BY_ANYBODY : 0) |
      (isNamedByDomain ? NAMED : 0) |
      toFlags(entry.proof)
    if (entry.proof) this.#provedAt[slot] = Date.parse(entry.proof.at)
    this.#since[slot] = sinceMs
    const endpoint = endpointKey(entry.endpoint)
    this.#endpoints.write(slot, endpoint)
    if (isBacked(facts)) this.#backed.write(slot, endpoint)
    else this.#backed.release(slot)
  }

  release(slot: number): void {
    this.#endpoints.release(slot)
    this.#backed.release(slot)
  }

  facts(slot: number): Omit<BackingFacts, 'id'> {
    const flags = this.#flags[slot]!
    return {
      isClaimed: (flags & CLAIMED) !== 0,
      hasDomainProof: (flags & PROVED) !== 0,
      isNamedByDomain: (flags & NAMED) !== 0,
      isVerified: (flags & VERIFIED) !== 0,
      isByAnybody: (flags & BY_ANYBODY) !== 0,
      sinceMs: this.#since[slot]!,
    }
  }

  isClaimed(slot: number): boolean {
    return (this.#flags[slot]! & CLAIMED) !== 0
  }

  isByStranger(slot: number): boolean {
    return (this.#flags[slot]! & (BY_ANYBODY | CLAIMED | NAMED)) === BY_ANYBODY
  }

  isSameEndpoint(a: number, b: number): boolean {
    return this.#endpoints.has(a, this.#endpoints.wordsOf(b))
  }

  /** Since when it has its current endpoint, in milliseconds since 1970. */
  sinceMs(slot: number): number {
    return this.#since[slot]!
  }

  proof(slot: number): DomainProof | undefined {
    const flags = this.#flags[slot]!
    if ((flags & PROVED) === 0) return undefined
    return {
      at: new Date(this.#provedAt[slot]!).toISOString(),
      by: (flags & BY_DNS) === 0 ? 'well_known' : 'dns',
      names: (flags & NAMES_ID) === 0 ? 'wallet' : 'id',
    }
  }

  /** Slots with the same endpoint as this one, itself included, unordered. */
  atEndpointOf(slot: number, limit: number): number[] {
    return this.#endpoints.findSome(this.#endpoints.wordsOf(slot), limit)
  }

  /** Slots at an endpoint, unordered. */
  at(endpoint: string): readonly number[] {
    return this.#endpoints.of(endpointKey(endpoint), Number.POSITIVE_INFINITY)
  }

  /** Backed slots at an endpoint, unordered. */
  backedAt(endpoint: string, limit: number): readonly number[] {
    return this.#backed.of(endpointKey(endpoint), limit)
  }
}

const toFlags = (proof: DomainProof | undefined): number =>
  proof ? PROVED | (proof.by === 'dns' ? BY_DNS : 0) | (proof.names === 'id' ? NAMES_ID : 0) : 0
