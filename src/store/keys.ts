// API keys, and the messages that wallets sign to get one; part of the Store interface. Both engines keep a key in the same columns.
import type { Scope } from '../domain/scopes.ts'

export type KeyRecord = {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key, lower-case hex; the key itself is never kept. */
  readonly hash: string
  readonly scopes: readonly Scope[]
  /** The account that signed in to get it, like `eip155:0xab…`; null where the operator made it. */
  readonly wallet: string | null
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
}

/** How many keys of one wallet open the door at a time. */
export type KeyBound = {
  readonly most: number
  /** Ends all others first. */
  readonly revokesOthers: boolean
}

export interface KeyTable {
  insert(record: KeyRecord): Promise<void>
  /**
   * Adds a key of a wallet, in one step with counting. Resolves to false, and writes nothing, where the wallet has as many already
   * that open the door at the time it is made. Of those that open nothing any more it keeps the youngest, no more than there may be good ones.
   */
  insertOwn(record: KeyRecord & { readonly wallet: string }, bound: KeyBound): Promise<boolean>
  find(hash: string): Promise<KeyRecord | undefined>
  list(): Promise<KeyRecord[]>
  /** The key of the id and every key of the wallet, by age. */
  own(id: string, wallet: string | null): Promise<KeyRecord[]>
  /** Resolves to false where there is no such key or it was revoked before. */
  revoke(id: string, at: Date): Promise<boolean>
  /** Lets it expire now. Resolves to false where it opens nothing any more. */
  expire(id: string, at: Date): Promise<boolean>
  touch(id: string, at: Date): Promise<void>
}

/** A message that a wallet was asked to sign. */
export type Challenge = {
  readonly nonce: string
  readonly message: string
  readonly address: string
  /** The account that shall sign it. */
  readonly wallet: string
  readonly expiresAt: string
}

export interface ChallengeTable {
  /** Takes out a few that have expired, so that the table follows its use. */
  keep(challenge: Challenge, now: Date): Promise<void>
  /** Hands it out once, over all processes; undefined where it is unknown, was taken before or has expired. */
  take(nonce: string, now: Date): Promise<Challenge | undefined>
}

export const KEY_COLUMNS = 'id, name, hash, scopes, wallet, created_at, expires_at, revoked_at, last_used_at'

export const toKeyValues = (record: KeyRecord) => [
  record.id,
  record.name,
  record.hash,
  JSON.stringify(record.scopes),
  record.wallet,
  record.createdAt,
  record.expiresAt,
  record.revokedAt,
  record.lastUsedAt,
]

/** @param readJson makes of a JSON column what it holds */
export const toKeyRecord = (
  [id, name, hash, scopes, wallet, createdAt, expiresAt, revokedAt, lastUsedAt]: readonly unknown[],
  readJson: (value: unknown) => unknown,
): KeyRecord => ({
  id: id as string,
  name: name as string,
  hash: hash as string,
  scopes: readJson(scopes) as Scope[],
  wallet: wallet as string | null,
  createdAt: createdAt as string,
  expiresAt: expiresAt as string | null,
  revokedAt: revokedAt as string | null,
  lastUsedAt: lastUsedAt as string | null,
})
