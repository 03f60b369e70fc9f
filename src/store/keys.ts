// API keys, the messages that wallets sign to get one, and the sessions of browsers; part of the Store interface.
import type { Policy } from '../domain/policy.ts'
import type { OwnKey } from '../domain/sign-in.ts'
import { readCollections } from './collections.ts'
import { didWrite, json, type Session, Table, type Value } from './session.ts'

/** `hash`: SHA-256 of the key, lower-case hex; the key itself is never stored. */
export type KeyRecord = OwnKey & { readonly hash: string }

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
  /** With what the collections of its policy name now. */
  find(hash: string): Promise<KeyRecord | undefined>
  list(): Promise<KeyRecord[]>
  /** The key with this id and every key of the wallet, oldest first. */
  own(id: string, wallet: string | null): Promise<KeyRecord[]>
  /** Resolves to undefined if there is no such key, or it is revoked or that of a wallet. */
  setPolicy(id: string, policy: Policy | null): Promise<KeyRecord | undefined>
  /** Resolves to false if there is no such key or it is already revoked. */
  revoke(id: string, at: Date): Promise<boolean>
  /** Ends the key, by letting it expire at its creation. Resolves to false if it is already invalid. */
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

const KEYS = new Table<KeyRecord>('api_keys', {
  id: true,
  name: true,
  hash: true,
  scopes: json(),
  wallet: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  lastUsedAt: true,
  policy: json(),
})

/** $2 is now. A key that ends at its creation was ended on request: however wrong a clock is, it is never valid again. */
const IS_VALID =
  'revoked_at IS NULL AND (expires_at IS NULL OR (expires_at > $2 AND expires_at > created_at))'

export function createKeyTable(session: Session): KeyTable {
  const find = (rest: string, ...values: Value[]): Promise<KeyRecord[]> =>
    session.read(query => KEYS.select(query, rest, ...values))
  return {
    async insert(record) {
      await session.run(query => KEYS.insert(query, record))
    },
    // Under the write lock: two concurrent calls must not both make the last key of the owner.
    insertOwn: (record, { most, revokesOthers }) =>
      session.write([`keys of ${record.wallet}`], async ({ query }) => {
        const own = [record.wallet, record.createdAt]
        if (revokesOthers)
          await query(`UPDATE api_keys SET revoked_at = $2 WHERE wallet = $1 AND ${IS_VALID}`, own)
        const [valid] = await query<[number]>(
          `SELECT count(*) FROM api_keys WHERE wallet = $1 AND ${IS_VALID}`,
          own,
        )
        if (valid![0] >= most) return false
        await query(
          `DELETE FROM api_keys WHERE wallet = $1 AND NOT (${IS_VALID}) AND id NOT IN
             (SELECT id FROM api_keys WHERE wallet = $1 AND NOT (${IS_VALID}) ORDER BY created_at DESC, id DESC LIMIT $3)`,
          [...own, most],
        )
        return KEYS.insert(query, record)
      }),
    find: hash =>
      session.read(async query => {
        const key = await KEYS.first(query, 'WHERE hash = $1', hash)
        return key?.policy ? { ...key, policy: await readCollections(query, key.policy) } : key
      }),
    setPolicy: (id, policy) =>
      session.run(async query => {
        const sql = `UPDATE api_keys SET policy = $2 WHERE id = $1 AND wallet IS NULL AND revoked_at IS NULL RETURNING ${KEYS.names}`
        return (await query(sql, [id, policy && JSON.stringify(policy)])).map(row => KEYS.read(row))[0]
      }),
    list: () => find('ORDER BY created_at, id'),
    own: (id, wallet) => find('WHERE id = $1 OR wallet = $2 ORDER BY created_at, id', id, wallet),
    revoke: (id, at) =>
      didWrite(
        session,
        'UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL',
        at.toISOString(),
        id,
      ),
    expire: (id, at) =>
      didWrite(
        session,
        `UPDATE api_keys SET expires_at = created_at WHERE id = $1 AND ${IS_VALID}`,
        id,
        at.toISOString(),
      ),
    // Processes report out of order: the latest time wins.
    async touch(id, at) {
      const isLater = 'last_used_at IS NULL OR last_used_at < $1'
      const sql = `UPDATE api_keys SET last_used_at = $1 WHERE id = $2 AND (${isLater})`
      await didWrite(session, sql, at.toISOString(), id)
    },
  }
}

const CHALLENGES = new Table<Challenge>('challenges', {
  nonce: true,
  message: true,
  address: true,
  wallet: true,
  expiresAt: true,
})

/** Deletes a few expired rows with every new one, so that the table stays small. $1 is now. */
const pruneExpired = (table: string, key: string) =>
  `DELETE FROM ${table} WHERE ${key} IN (SELECT ${key} FROM ${table} WHERE expires_at <= $1 ORDER BY expires_at LIMIT 20)`

/** What a browser was given an id for. Neither the id nor what it opens can be read from the row alone. */
export type StoredSession = { readonly hash: string; readonly sealed: string; readonly expiresAt: string }

export interface SessionTable {
  /** Also deletes a few expired ones. */
  put(session: StoredSession, now: Date): Promise<void>
  /** undefined if it is unknown or expired. */
  find(hash: string, now: Date): Promise<string | undefined>
  /** Resolves to false if there is none. */
  remove(hash: string): Promise<boolean>
}

const SESSIONS = new Table<StoredSession>('sessions', { hash: true, sealed: true, expiresAt: true })

export const createSessionTable = (session: Session): SessionTable => ({
  put: (stored, now) =>
    session.run(async query => {
      await query(pruneExpired('sessions', 'hash'), [now.toISOString()])
      await SESSIONS.insert(query, stored)
    }),
  find: (hash, now) =>
    session.read(async query => {
      const isValid = 'WHERE hash = $1 AND expires_at > $2'
      return (await SESSIONS.first(query, isValid, hash, now.toISOString()))?.sealed
    }),
  remove: hash => didWrite(session, 'DELETE FROM sessions WHERE hash = $1', hash),
})

export const createChallengeTable = (session: Session): ChallengeTable => ({
  put: (challenge, now) =>
    session.run(async query => {
      await query(pruneExpired('challenges', 'nonce'), [now.toISOString()])
      await CHALLENGES.insert(query, challenge)
    }),
  find: (nonce, now) =>
    session.read(query =>
      CHALLENGES.first(query, 'WHERE nonce = $1 AND expires_at > $2', nonce, now.toISOString()),
    ),
  take: (nonce, now) =>
    session.run(async query => {
      const sql = `DELETE FROM challenges WHERE nonce = $1 AND expires_at > $2 RETURNING ${CHALLENGES.names}`
      return (await query(sql, [nonce, now.toISOString()])).map(row => CHALLENGES.read(row))[0]
    }),
})
