// API keys for whoever proves to hold a wallet: no operator has to know them.

import { checkPreconditions, type Preconditions } from '../domain/entity-tag.ts'
import { DirectoryError } from '../domain/errors.ts'
import {
  type CreatedKey,
  MAX_KEY_HOURS,
  MAX_KEYS,
  nonceOf,
  type OwnKey,
  readChallengeRequest,
  readSignedChallenge,
  type SignInChallenge,
  toSignInMessage,
} from '../domain/sign-in.ts'
import { type Message, say } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Challenge, KeyRecord } from '../store/keys.ts'
import type { Store } from '../store/store.ts'
import { BASE62, type Keyring, randomText } from './keys.ts'
import { isSignedByEvm, isSignedBySolana, loadEvm } from './wallet-signature.ts'

export interface SignIn {
  /** A message for the wallet to sign. @throws DirectoryError `invalid_request`, `forbidden` */
  challenge(body: unknown): Promise<SignInChallenge>
  /**
   * An API key for the wallet that signed. `from` is where the request comes from, where the interface knows.
   * @throws DirectoryError `invalid_request`, `unauthorized`, `forbidden`, `rate_limited`
   */
  signIn(body: unknown, by?: { readonly from?: string }): Promise<CreatedKey>
  /** The keys of whoever holds this one. @throws DirectoryError `unauthorized` */
  listKeys(by: { readonly key: string }): Promise<OwnKey[]>
  /** Ends the key of a wallet; what the wallet began with it goes on. @throws DirectoryError `unauthorized`, `forbidden` */
  signOut(by: { readonly key: string }): Promise<void>
  /** @throws DirectoryError `unauthorized`, `not_found`, `precondition_failed` */
  revokeKey(id: string, by: { readonly key: string } & Preconditions): Promise<void>
}

const CHALLENGE_MS = 5 * 60_000
const HOUR_MS = 60 * 60_000
const NONCE_LENGTH = 24
/** A wallet costs nothing, and its keys are kept: so many are made for one address a day. */
const MAX_KEYS_FROM = 10_000
const DAY_MS = 24 * HOUR_MS

export function createSignIn({
  store,
  keys,
  clock,
  publicUrl,
  maxKeysFrom = MAX_KEYS_FROM,
}: {
  readonly store: Pick<Store, 'challenges' | 'budgets'>
  readonly keys: Keyring
  readonly clock: Clock
  /** undefined: nobody can sign in, because a message that names no address could have been made for another directory. */
  readonly publicUrl: string | undefined
  readonly maxKeysFrom?: number
}): SignIn {
  function ownAddress(): string {
    if (publicUrl !== undefined) return publicUrl
    throw new DirectoryError('forbidden', say('sign_in_off'))
  }

  async function spend(from: string, now: Date): Promise<void> {
    const budget = { name: `keys from ${from}`, most: maxKeysFrom }
    if (await store.budgets.take([budget], now, DAY_MS))
      throw new DirectoryError('rate_limited', say('keys_spent', { most: maxKeysFrom }))
  }

  async function owned(key: string): Promise<KeyRecord[]> {
    return keys.listOf(await keys.authorize(key, 'register'))
  }

  return {
    async challenge(body) {
      const uri = ownAddress()
      const wallet = readChallengeRequest(body)
      const now = clock.now()
      const expiresAt = new Date(now.getTime() + CHALLENGE_MS).toISOString()
      const nonce = randomText(NONCE_LENGTH, BASE62)
      const address = wallet.family === 'evm' ? await toChecksummed(wallet.address) : wallet.address
      const message = toSignInMessage(
        { ...wallet, address },
        { uri, nonce, issuedAt: now.toISOString(), expiresAt },
      )
      await store.challenges.keep({ nonce, message, address, wallet: wallet.account, expiresAt }, now)
      return { message, nonce, expiresAt }
    },

    async signIn(body, { from } = {}) {
      ownAddress()
      const { message, signature, revokeOthers, hours } = readSignedChallenge(body)
      const nonce = nonceOf(message)
      const now = clock.now()
      // Taken before the signature is looked at: a nonce is good for one attempt.
      const challenge = nonce === undefined ? undefined : await store.challenges.take(nonce, now)
      if (!challenge || challenge.message !== message) throw refused(say('challenge_unknown'))
      if (!(await isSigned(challenge, signature)))
        throw refused(say('signature_of_others', { address: challenge.address }))
      if (from !== undefined) await spend(from, now)
      const made = await keys.createOwn(
        {
          name: `Wallet ${challenge.address}`.slice(0, 100),
          scopes: ['register'],
          expiresAt: new Date(now.getTime() + (hours ?? MAX_KEY_HOURS) * HOUR_MS),
          wallet: challenge.wallet,
        },
        { most: MAX_KEYS, revokesOthers: revokeOthers === true },
      )
      if (!made) throw tooManyKeys()
      return { key: made.key, ...toOwnKey(made.record) }
    },

    listKeys: async ({ key }) => (await owned(key)).map(toOwnKey),

    async signOut({ key }) {
      const { id, wallet } = await keys.authorize(key, 'register')
      if (wallet === null) throw new DirectoryError('forbidden', say('key_of_operator'))
      await keys.expire(id)
    },

    async revokeKey(id, by) {
      const isOwn = (await owned(by.key)).some(record => record.id === id)
      if (isOwn) checkPreconditions(by)
      if (!isOwn || !(await keys.revoke(id))) throw new DirectoryError('not_found', say('own_key_unknown'))
    },
  }
}

/** Whoever has lost them all has no key to revoke one with, but still the wallet. */
const tooManyKeys = () => new DirectoryError('forbidden', say('wallet_keys_reached', { most: MAX_KEYS }))

const refused = (said: Message) => new DirectoryError('unauthorized', said)

const toOwnKey = ({ hash: _, scopes, ...record }: KeyRecord): OwnKey => ({ ...record, scopes: [...scopes] })

const isSigned = ({ wallet, address, message }: Challenge, signature: string): Promise<boolean> =>
  wallet.startsWith('solana:')
    ? isSignedBySolana(address, message, signature)
    : isSignedByEvm(address as `0x${string}`, message, signature)

async function toChecksummed(address: string): Promise<string> {
  return (await loadEvm()).getAddress(address)
}
