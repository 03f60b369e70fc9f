// API keys for wallets, by signature: no operator has to create them.

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { accountOf, decodeBase58, isUnownedAccount } from '../domain/chains/addresses.ts'
import { DirectoryError } from '../domain/errors.ts'
import { blockOf } from '../domain/hosts/endpoint.ts'
import { readBody } from '../domain/problems.ts'
import {
  type CreatedKey,
  challengeRequestSchema,
  challengeSchema,
  createdKeySchema,
  MAX_KEY_HOURS,
  MAX_KEYS,
  nonceOf,
  type OwnKey,
  ownKeySchema,
  readChallengeRequest,
  type SignInChallenge,
  signedChallengeSchema,
  toSignInMessage,
} from '../domain/sign-in.ts'
import { DAY_MS, HOUR_MS } from '../domain/time.ts'
import { type Message, say } from '../messages/message.ts'
import type { Challenge } from '../store/keys.ts'
import type { By, OperationDeps, Work } from './deps.ts'
import { challengeExample, draftExample, IDS } from './examples.ts'
import { BASE62, hashKey, randomText, toOwnKey } from './keys.ts'
import type { Operation } from './operation.ts'

export interface SignIn {
  /** A message for the wallet to sign. @throws DirectoryError `invalid_request`, `forbidden` */
  challenge(body: unknown, by?: { readonly browser?: string | undefined }): Promise<SignInChallenge>
  /**
   * Creates an API key for the wallet that signed. `from` is the network of the caller, if the interface knows it. A message for a
   * browser is accepted from that browser only: `browser` is a secret that it keeps.
   * @throws DirectoryError `invalid_request`, `unauthorized`, `forbidden`, `rate_limited`
   */
  signIn(
    body: unknown,
    by?: { readonly from?: string; readonly browser?: string | undefined },
  ): Promise<CreatedKey>
  /** The keys of the owner of this one. @throws DirectoryError `unauthorized` */
  listKeys(by: By): Promise<OwnKey[]>
  /** Makes the key of a wallet expire; its webhooks stay active. @throws DirectoryError `unauthorized`, `forbidden` */
  signOut(by: By): Promise<void>
  /** @throws DirectoryError `unauthorized`, `not_found` */
  revokeKey(id: string, by: By): Promise<void>
}

export const SIGN_IN_OPERATIONS = {
  challenge: {
    id: 'createChallenge',
    tag: 'owners',
    summary: 'Get a message for a wallet to sign',
    description:
      'The message follows CAIP-122, for EVM wallets EIP-4361. It names this directory and is valid for one sign-in within 5 minutes; a wrong signature does not use it up. 403 if the directory does not know its public URL.',
    body: {
      schema: challengeRequestSchema,
      example: { address: draftExample.x402Config.paymentAddress, network: 'base' },
    },
    answer: 'The message',
    result: challengeSchema,
    example: challengeExample,
    cost: 10,
    errors: ['forbidden'],
  },
  signIn: {
    id: 'signIn',
    tag: 'owners',
    summary: 'Get an API key for a wallet',
    description:
      'For the signature of the message: EIP-191 (personal_sign) of the address itself, or ed25519 on Solana. The key may register services, and change and claim every service that is paid to the wallet. It expires after 90 days, or after the given hours.',
    body: {
      schema: signedChallengeSchema,
      example: { message: challengeExample.message, signature: `0x${'5b'.repeat(65)}` },
    },
    answer: 'The key, shown only once',
    result: createdKeySchema,
    cost: 15,
    errors: ['unauthorized', 'forbidden'],
  },
  listKeys: {
    id: 'listOwnKeys',
    tag: 'owners',
    summary: 'List your own keys',
    description: 'All keys of the same wallet; for a key made by an operator, only that key.',
    answer: 'The keys, oldest first',
    result: z.array(ownKeySchema),
  },
  signOut: {
    id: 'signOut',
    tag: 'owners',
    summary: 'Revoke the key that is sent',
    description: 'The key stops working. What was created with it, such as webhooks, stays.',
    answer: 'Revoked; it stops working within a second',
  },
  revokeKey: {
    id: 'revokeOwnKey',
    tag: 'owners',
    summary: 'Revoke one of your own keys',
    description: 'Only keys of wallets; keys created by an operator are revoked by the operator.',
    of: { what: 'key', example: IDS.key },
    answer: 'Revoked; it stops working within a second',
  },
} satisfies Readonly<Record<keyof SignIn, Operation>>

export type Session = {
  readonly key: string
  /**
   * wallet: the key was created for this session and ends with it; key: an API key of the owner; operator: a key with the scope
   * `admin`; link: none yet, the id is the token of a link that opens a session of an operator once.
   */
  readonly kind: 'wallet' | 'key' | 'operator' | 'link'
}

/** Sessions of browsers, in all processes on the store. A browser gets an id; the key is never sent to it. */
export interface Sessions {
  /** Returns the id. @throws DirectoryError `rate_limited` */
  openSession(session: Session, from: string): Promise<string>
  /** undefined if it is unknown or has ended. */
  findSession(id: string): Promise<Session | undefined>
  /** Resolves to false if it is unknown. */
  closeSession(id: string): Promise<boolean>
}

const SESSION_ID_LENGTH = 43
const CHALLENGE_MS = 5 * 60_000
export const SESSION_HOURS = 12
const NONCE_LENGTH = 24
/** Keys created per day for one network address: wallets cost nothing, and their keys are stored. */
const MAX_KEYS_FROM = 10_000

export function createSignIn({
  store,
  keys,
  clock,
  publicUrl,
  maxKeysFrom = MAX_KEYS_FROM,
}: Pick<OperationDeps, 'store' | 'keys' | 'clock' | 'publicUrl'> & {
  readonly maxKeysFrom?: number
}): Work<SignIn> & Sessions {
  function ownAddress(): string {
    if (publicUrl !== undefined) return publicUrl
    throw new DirectoryError('forbidden', say('sign_in_off'))
  }

  async function spend(from: string, now: Date): Promise<void> {
    const budget = { name: `keys from ${blockOf(from)}`, most: maxKeysFrom }
    if (await store.budgets.take([budget], now, DAY_MS))
      throw new DirectoryError('rate_limited', say('keys_spent', { most: maxKeysFrom }))
  }

  return {
    async challenge(body, { browser } = {}) {
      const uri = ownAddress()
      const wallet = readChallengeRequest(body)
      const now = clock.now()
      const expiresAt = new Date(now.getTime() + CHALLENGE_MS).toISOString()
      const nonce = toNonce(randomText(NONCE_LENGTH, BASE62), browser)
      const address = wallet.family === 'evm' ? (await loadEvm()).getAddress(wallet.address) : wallet.address
      const message = toSignInMessage(
        { ...wallet, address },
        { uri, nonce, issuedAt: now.toISOString(), expiresAt },
      )
      await store.challenges.put({ nonce, message, address, wallet: wallet.account, expiresAt }, now)
      return { message, nonce, expiresAt }
    },

    async signIn(body, { from, browser } = {}) {
      ownAddress()
      const { message, signature, revokeOthers, hours } = readBody(signedChallengeSchema, body)
      const nonce = nonceOf(message)
      const now = clock.now()
      const challenge = nonce === undefined ? undefined : await store.challenges.find(nonce, now)
      if (challenge?.message !== message || !isFor(browser, challenge.nonce))
        throw unauthorized(say('challenge_unknown'))
      if (!(await isSigned(challenge, signature)))
        throw unauthorized(say('signature_of_others', { address: challenge.address }))
      // Taken only by a valid signature, which nobody can guess: whoever signed with the wrong wallet can sign the same message again.
      if (!(await store.challenges.take(challenge.nonce, now))) throw unauthorized(say('challenge_unknown'))
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

    async openSession({ kind, key }, from) {
      const now = clock.now()
      await spend(from, now)
      const id = randomText(SESSION_ID_LENGTH, BASE62)
      const expiresAt = new Date(now.getTime() + SESSION_HOURS * HOUR_MS).toISOString()
      await store.sessions.put({ hash: hashKey(id), sealed: seal(id, `${kind} ${key}`), expiresAt }, now)
      return id
    },

    async findSession(id) {
      const sealed = await store.sessions.find(hashKey(id), clock.now())
      const [, kind, key] =
        /^(wallet|key|operator|link) (.*)$/.exec(sealed === undefined ? '' : unseal(id, sealed)) ?? []
      return key === undefined ? undefined : { kind: kind as Session['kind'], key }
    },

    closeSession: id => store.sessions.remove(hashKey(id)),

    listKeys: async caller => (await keys.listOf(caller)).map(toOwnKey),

    async signOut({ id, wallet }) {
      if (wallet === null) throw new DirectoryError('forbidden', say('key_of_operator'))
      await keys.expire(id)
    },

    async revokeKey(id, caller) {
      const isOwn = (await keys.listOf(caller)).some(record => record.id === id)
      if (!isOwn || !(await keys.revoke(id)))
        throw new DirectoryError('not_found', say('id_unknown', { what: 'key' }))
    },
  }
}

/** For a browser it ends with a hash of its secret: whoever else sees the message and its signature cannot use them. */
const toNonce = (random: string, browser: string | undefined): string =>
  browser === undefined ? random : random + hashKey(`${random} ${browser}`).slice(0, NONCE_LENGTH)

const isFor = (browser: string | undefined, nonce: string): boolean =>
  nonce === toNonce(nonce.slice(0, NONCE_LENGTH), browser)

/** Sealed by the id, which only the browser has: the database alone does not reveal the key. */
function seal(id: string, text: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', sealingKey(id), iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

function unseal(id: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(id), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return decipher.update(bytes.subarray(28), undefined, 'utf8') + decipher.final('utf8')
}

/** Another hash of the id than the one that is stored. */
const sealingKey = (id: string): Buffer => Buffer.from(hashKey(`seal ${id}`), 'hex')

/** A wallet that has lost all its keys cannot revoke one with a key, but can sign in with `revokeOthers`. */
const tooManyKeys = () => new DirectoryError('forbidden', say('wallet_keys_reached', { most: MAX_KEYS }))

const unauthorized = (reason: Message) => new DirectoryError('unauthorized', reason)

const isSigned = ({ wallet, address, message }: Challenge, signature: string): Promise<boolean> =>
  wallet.startsWith('solana:')
    ? isSignedBySolana(address, message, signature)
    : isSignedByEvm(address as `0x${string}`, message, signature)

// Verifies wallet signatures. Each signature is accepted in one encoding only, and only where making it requires the key.

/** The Ethereum curve is a large library, so it is loaded with the first signature. */
const loadEvm = () => import('viem/utils')
const loadSolana = async () => (await import('@noble/curves/ed25519')).ed25519.Point

/** If s is valid, so is n - s; wallets return the lower one (EIP-2). */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** EIP-191, by the key of the address itself; a contract wallet could only be verified through its chain. */
export async function isSignedByEvm(
  address: `0x${string}`,
  message: string,
  signature: string,
): Promise<boolean> {
  const s = /^0x[0-9a-f]{64}([0-9a-f]{64})(00|01|1b|1c)$/i.exec(signature)?.[1]
  if (s === undefined || BigInt(`0x${s}`) > MAX_S) return false
  const { verifyMessage } = await loadEvm()
  return verifyMessage({ address, message, signature: signature as `0x${string}` }).catch(() => false)
}

/** As strict as Solana is with transactions, and only for keys that a wallet can have created. */
export async function isSignedBySolana(
  address: string,
  message: string,
  signature: string,
): Promise<boolean> {
  const publicKey = decodeBase58(address)
  const bytes = /^(0x)?[0-9a-f]{128}$/i.test(signature)
    ? Uint8Array.fromHex(signature.replace(/^0x/i, ''))
    : decodeBase58(signature)
  if (publicKey?.length !== 32 || bytes?.length !== 64) return false
  if (!(await arePoints(publicKey, bytes.subarray(0, 32)))) return false
  try {
    const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify'])
    return await crypto.subtle.verify('Ed25519', key, bytes, new TextEncoder().encode(message))
  } catch {
    return false
  }
}

/**
 * Anybody can sign for a key of small order: it has at most eight multiples, so one guess in eight is valid. The verification of the
 * platform does not check this.
 */
async function arePoints(publicKey: Uint8Array, commitment: Uint8Array): Promise<boolean> {
  const Point = await loadSolana()
  try {
    // Not the permissive decoding of ZIP 215: each point has one encoding.
    const [key, r] = [Point.fromBytes(publicKey, false), Point.fromBytes(commitment, false)]
    return !key.isSmallOrder() && key.isTorsionFree() && !r.isSmallOrder()
  } catch {
    return false
  }
}

/** Whether the wallet of a payment address signed; false if its signatures cannot be verified. */
export async function isSignedByPayee(
  address: string,
  network: string,
  message: string,
  signature: string,
): Promise<boolean> {
  const account = accountOf(address, network)
  if (account === undefined || isUnownedAccount(account)) return false
  return account.startsWith('solana:')
    ? isSignedBySolana(address.trim(), message, signature)
    : isSignedByEvm(address.trim() as `0x${string}`, message, signature)
}
