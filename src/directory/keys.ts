// API keys: created here, stored as a hash, verified for every write.

import { isUnownedAccount } from '../domain/chains/addresses.ts'
import { DirectoryError, invalid, toProblem } from '../domain/errors.ts'
import { blockOf } from '../domain/hosts/endpoint.ts'
import type { Policy } from '../domain/policy.ts'
import { MAX_KEY_HOURS, type OwnKey, SCOPES, type Scope } from '../domain/sign-in.ts'
import { HOUR_MS } from '../domain/time.ts'
import { type Message, say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { KeyBound, KeyRecord, KeyTable } from '../store/keys.ts'

export type Caller = {
  readonly id: string
  readonly scopes: readonly Scope[]
  /** The account that signed in for the key; null if the operator created it. */
  readonly wallet: string | null
  /** The owner of the entries that it registers: all keys of a wallet are one owner, any other key is its own owner. */
  readonly owner: string
  /** What it may use, with what collections name; null: everything. */
  readonly policy: Policy | null
}

/** The keys for rate limits: all keys of an owner together; wallets, which cost nothing, also by network. */
export const rateLimitKeys = ({ owner, wallet }: Caller, from: string | undefined): string[] =>
  wallet === null || from === undefined ? [owner] : [owner, blockOf(from)]

export type NewKey = {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** null: it does not expire. */
  readonly expiresAt: Date | null
  readonly wallet?: string
  /** A key with a policy needs no scope: it can be for reading alone. */
  readonly policy?: Policy | null | undefined
}

export type NewKeyResult = { readonly key: string; readonly record: KeyRecord }

export interface Keyring {
  /** @throws DirectoryError `unauthorized` (missing, unknown, revoked, expired), `forbidden` (the scope is missing) */
  authorize(token: string | undefined, scope?: Scope): Promise<Caller>
  /** The owner of the key, from memory alone: for counting requests, never for authorization. */
  peek(token: string): Caller | undefined
  /** The key itself is returned only this once. */
  create(key: NewKey): Promise<NewKeyResult>
  /** The same for a wallet; undefined if the wallet has too many keys. */
  createOwn(key: NewKey & { readonly wallet: string }, bound: KeyBound): Promise<NewKeyResult | undefined>
  list(): Promise<KeyRecord[]>
  /** The keys of one owner, by age. */
  listOf(caller: Caller): Promise<KeyRecord[]>
  /**
   * Returns whether the webhooks of the owner stay active: those of a single key while it is valid; those of a wallet for 90 days from
   * its last sign-in, also after a sign-out, unless the key was revoked.
   */
  isActive(owner: string): Promise<boolean>
  /** Resolves to undefined if there is no such key, or it is revoked or that of a wallet. */
  setPolicy(id: string, policy: Policy | null): Promise<KeyRecord | undefined>
  /** Resolves to false if there is no such key or it was already revoked. */
  revoke(id: string): Promise<boolean>
  /** Makes the key expire now. Resolves to false if it is no longer valid. */
  expire(id: string): Promise<boolean>
}

export const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz'
const KEY_FORM = /^[!-~]{8,128}$/

/** `shb_`, 32 random characters, and a checksum of 6 by which scanners for leaked secrets recognize a key. */
export function mintKey(): string {
  const secret = randomText(32, BASE62)
  let checksum = ''
  for (let rest = Bun.hash.crc32(secret), i = 0; i < 6; i++, rest = Math.floor(rest / 62)) {
    checksum = BASE62[rest % 62] + checksum
  }
  return `shb_${secret}${checksum}`
}

/** A key is long and random, or chosen by the operator: one round of SHA-256 is enough to protect it in a stolen file. */
export const hashKey = (key: string): string => Bun.CryptoHasher.hash('sha256', key, 'hex')

export function randomText(length: number, alphabet: string): string {
  // Bytes above the last whole multiple would make the first characters likelier: they are dropped.
  const fair = 256 - (256 % alphabet.length)
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length]
    }
  }
  return text
}

/** How long a revocation by another process may go unnoticed. */
export const TRUSTED_MS = 1_000
/** Verified keys in memory. Invented keys are never cached, so they cannot fill it. */
const MAX_CACHED = 10_000
const TOUCH_EVERY_MS = 60_000
/** Counting must not let invented keys load the store. */
const PEEK_LOOKUP_EVERY_MS = 10

type CachedKey = { readonly record: KeyRecord; readonly caller: Caller; readonly verifiedAtMs: number }

export function openKeyring({
  keys,
  clock,
  extraKeys,
}: {
  readonly keys: KeyTable
  readonly clock: Clock
  /** Accepted in addition to those in the table, with scope `register`. */
  readonly extraKeys: readonly string[]
}): Keyring {
  // Hashes need no comparison in constant time: what timing reveals about a hash does not help to find its key.
  const fixed = new Map(extraKeys.map(key => [hashKey(key), toFixedCaller(key)]))
  const cached = new Map<string, CachedKey>()
  const touchedAtMs = new Map<string, number>()
  let peekedAtMs = Number.NEGATIVE_INFINITY

  function make({ name, scopes, expiresAt, wallet, policy }: NewKey): NewKeyResult {
    if (!/^[^\p{C}]{1,100}$/u.test(name.trim()))
      throw invalid([toProblem('name', say('text_expected', { max: 100 }))])
    if (scopes.length === 0 && !policy)
      throw invalid([toProblem('scopes', say('one_value_expected', { values: SCOPES }))])
    const key = mintKey()
    const record: KeyRecord = {
      id: `key_${randomText(10, BASE32)}`,
      name: name.trim(),
      hash: hashKey(key),
      scopes: SCOPES.filter(scope => scopes.includes(scope)),
      wallet: wallet ?? null,
      createdAt: clock.now().toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
      revokedAt: null,
      lastUsedAt: null,
      policy: policy ?? null,
    }
    return { key, record }
  }

  function forget(matches: (record: KeyRecord) => boolean): void {
    for (const [hash, { record }] of cached) if (matches(record)) cached.delete(hash)
  }

  async function verify(hash: string): Promise<CachedKey> {
    const verifiedAtMs = clock.now().getTime()
    const record = await keys.find(hash)
    cached.delete(hash)
    if (!record) throw unauthorized(say('key_unknown'))
    if (record.revokedAt !== null) throw unauthorized(say('key_revoked'))
    const { id, scopes, wallet, policy } = record
    if (wallet !== null && isUnownedAccount(wallet)) throw unauthorized(say('key_of_nobody'))
    const verified = { record, caller: { id, scopes, wallet, owner: wallet ?? id, policy }, verifiedAtMs }
    forgetOldest(cached)
    cached.set(hash, verified)
    return verified
  }

  /** Losing the time of the last use is no reason to refuse or delay the request. */
  function noteUse({ id, lastUsedAt }: KeyRecord, now: Date): void {
    const last =
      touchedAtMs.get(id) ?? (lastUsedAt === null ? Number.NEGATIVE_INFINITY : Date.parse(lastUsedAt))
    if (now.getTime() - last < TOUCH_EVERY_MS) return
    touchedAtMs.delete(id)
    forgetOldest(touchedAtMs)
    touchedAtMs.set(id, now.getTime())
    keys.touch(id, now).catch(() => touchedAtMs.delete(id))
  }

  return {
    async authorize(token, scope) {
      if (!token) throw unauthorized(say('key_needed'))
      if (!KEY_FORM.test(token)) throw unauthorized(say('key_unknown'))
      const hash = hashKey(token)
      const fixedCaller = fixed.get(hash)
      if (fixedCaller) return admit(fixedCaller, scope)
      const now = clock.now()
      const known = cached.get(hash)
      const { record, caller } = known && isFresh(known, now) ? known : await verify(hash)
      if (isExpired(record, now)) throw unauthorized(say('key_revoked'))
      admit(caller, scope)
      noteUse(record, now)
      return caller
    },

    peek(token) {
      if (!KEY_FORM.test(token)) return undefined
      const hash = hashKey(token)
      const now = clock.now()
      const known = cached.get(hash)
      if (fixed.has(hash)) return fixed.get(hash)
      const isStale = !known || !isFresh(known, now)
      if (isStale && Math.abs(now.getTime() - peekedAtMs) >= PEEK_LOOKUP_EVERY_MS) {
        peekedAtMs = now.getTime()
        // The result counts from the next request on; after a failure the caller is counted by address.
        verify(hash).catch(() => {})
      }
      return known && !isExpired(known.record, now) ? known.caller : undefined
    },

    async create(newKey) {
      const made = make(newKey)
      await keys.insert(made.record)
      return made
    },

    async createOwn({ wallet, ...newKey }, bound) {
      const { key, record } = make(newKey)
      if (!(await keys.insertOwn({ ...record, wallet }, bound))) return undefined
      if (bound.revokesOthers) forget(record => record.wallet === wallet)
      return { key, record: { ...record, wallet } }
    },

    list: () => keys.list(),
    listOf: ({ id, wallet }) => keys.own(id, wallet),

    async isActive(owner) {
      if (isUnownedAccount(owner)) return false
      if ([...fixed.values()].some(caller => caller.owner === owner)) return true
      const now = clock.now()
      const own = await keys.own(owner, owner)
      return own.some(record => isValidKey(toLongest(record), now))
    },

    async setPolicy(id, policy) {
      const changed = await keys.setPolicy(id, policy)
      forget(record => record.id === id)
      return changed
    },

    async revoke(id) {
      const revoked = await keys.revoke(id, clock.now())
      forget(record => record.id === id)
      return revoked
    },

    async expire(id) {
      const expired = await keys.expire(id, clock.now())
      forget(record => record.id === id)
      return expired
    },
  }
}

const unauthorized = (reason: Message) => new DirectoryError('unauthorized', reason)

function toFixedCaller(key: string): Caller {
  if (!KEY_FORM.test(key))
    throw new Error('An API key from the settings must have 8 to 128 visible characters.')
  const id = `env_${hashKey(key).slice(0, 12)}`
  return { id, scopes: ['register'], wallet: null, owner: id, policy: null }
}

function admit(caller: Caller, scope: Scope | undefined): Caller {
  if (scope === undefined || caller.scopes.includes(scope) || caller.scopes.includes('admin')) return caller
  throw new DirectoryError('forbidden', say('scope_lacking', { scope }))
}

/** A clock that was set back does not make an entry fresh. */
function isFresh({ verifiedAtMs }: CachedKey, now: Date): boolean {
  const age = now.getTime() - verifiedAtMs
  return age >= 0 && age < TRUSTED_MS
}

/** A wallet that requests a shorter key, or signs out, does not intend to end its webhooks. */
const toLongest = (record: KeyRecord): KeyRecord => {
  if (record.wallet === null) return record
  const endMs = Date.parse(record.createdAt) + MAX_KEY_HOURS * HOUR_MS
  return { ...record, expiresAt: new Date(endMs).toISOString() }
}

export const toOwnKey = ({ hash: _, ...record }: KeyRecord): OwnKey => record

export const isValidKey = (key: OwnKey, now: Date): boolean => key.revokedAt === null && !isExpired(key, now)

const isExpired = ({ expiresAt, createdAt }: OwnKey, now: Date): boolean =>
  expiresAt !== null && (Date.parse(expiresAt) <= now.getTime() || expiresAt <= createdAt)

function forgetOldest(map: Map<string, unknown>): void {
  if (map.size >= MAX_CACHED) map.delete(map.keys().next().value!)
}
