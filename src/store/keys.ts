// API keys, and the messages that wallets sign to get one; part of the Store interface. Both engines use the same columns.
import { isAhead, MAX_AHEAD_MS } from '../domain/ahead.ts'
import type { Scope } from '../domain/scopes.ts'

export type KeyRecord = {
  readonly id: string
  readonly name: string
  /** SHA-256 of the key, lower-case hex; the key itself is never stored. */
  readonly hash: string
  readonly scopes: readonly Scope[]
  /** The account that signed in to get it, like `eip155:0xab…`; null if the operator created it. */
  readonly wallet: string | null
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
}

/** Limit on the valid keys of one wallet. */
export type KeyBound = {
  readonly most: number
  /** Revokes all other keys of the wallet first. */
  readonly revokesOthers: boolean
}

export interface KeyTable {
  insert(record: KeyRecord): Promise<void>
  /**
   * Adds a key of a wallet, in one transaction with counting. Resolves to false and writes nothing if the wallet already has the
   * maximum of valid keys. Of the invalid ones it retains the newest, at most as many as there may be valid ones.
   */
  insertOwn(record: KeyRecord & { readonly wallet: string }, bound: KeyBound): Promise<boolean>
  find(hash: string): Promise<KeyRecord | undefined>
  list(): Promise<KeyRecord[]>
  /** The key with this id and every key of the wallet, oldest first. */
  own(id: string, wallet: string | null): Promise<KeyRecord[]>
  /** Resolves to false if there is no such key or it is already revoked. */
  revoke(id: string, at: Date): Promise<boolean>
  /** Makes the key expire now. Resolves to false if it is already invalid. */
  expire(id: string, at: Date): Promise<boolean>
  touch(id: string, at: Date): Promise<void>
}

/** A sign-in message for a wallet. */
export type Challenge = {
  readonly nonce: string
  readonly message: string
  readonly address: string
  /** The account that must sign it. */
  readonly wallet: string
  readonly expiresAt: string
}

export interface ChallengeTable {
  /** Also deletes a few expired ones, so that the table stays small. */
  put(challenge: Challenge, now: Date): Promise<void>
  /** undefined if it is unknown, already taken or expired. */
  find(nonce: string, now: Date): Promise<Challenge | undefined>
  /** Returns it once over all processes; undefined if it is unknown, already taken or expired. */
  take(nonce: string, now: Date): Promise<Challenge | undefined>
}

export const CHALLENGE_COLUMNS = 'nonce, message, address, wallet, expires_at'

/** @param row the columns of CHALLENGE_COLUMNS */
export function toChallenge(row: readonly unknown[] | undefined, now: Date): Challenge | undefined {
  if (!row) return undefined
  const [nonce, message, address, wallet, expiresAt] = row as [string, string, string, string, string]
  return isAhead(Date.parse(expiresAt), now.getTime(), MAX_AHEAD_MS.challenge)
    ? { nonce, message, address, wallet, expiresAt }
    : undefined
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

/** @param readJson parses a JSON column as the engine returns it */
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
