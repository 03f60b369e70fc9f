// Signing in with a wallet: the request, the message to sign (CAIP-122, for EVM wallets EIP-4361), and the resulting key.
import { z } from 'zod'
import { say } from '../messages/message.ts'
import { accountOf, addressProblem, familyOf, isWalletFamily, type WalletFamily } from './chains/addresses.ts'
import { chainKey } from './chains/chains.ts'
import { invalid, type Problem, toProblem } from './errors.ts'
import { policySchema } from './policy.ts'
import { bodySchema, dateTime, expecting, readBody, wholeNumberBetween } from './problems.ts'
import { visible } from './text/text.ts'

// The scopes of an API key; `admin` includes all others.
export const SCOPES = ['register', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text)

/** Valid keys of one wallet at a time. */
export const MAX_KEYS = 20
/** Signing in again costs a wallet nothing; a lost key should not be valid forever. */
export const MAX_KEY_HOURS = 90 * 24

export const challengeRequestSchema = bodySchema({
  address: visible(128, 'wallet_address').describe('The wallet that will sign'),
  network: visible(64, 'network_name', { spaced: true }).describe('An EVM network, or Solana'),
}).meta({ id: 'ChallengeRequest', title: 'The wallet that wants to sign in' })

export const challengeSchema = z
  .object({
    message: z.string().describe('Sign it unchanged: personal_sign (EIP-191), or ed25519 on Solana'),
    nonce: z.string().describe('Valid for one sign-in'),
    expiresAt: dateTime.describe('When it can no longer be signed'),
  })
  .meta({ id: 'Challenge', title: 'A message for a wallet to sign' })
export type SignInChallenge = Readonly<z.output<typeof challengeSchema>>

export const signedChallengeSchema = bodySchema({
  message: z
    .string({ error: expecting('given_message_expected') })
    .max(4_000, expecting('given_message_expected'))
    .describe('The message, exactly as it was given'),
  signature: visible(1_000, 'signature').describe('Hexadecimal; on Solana also base58'),
  revokeOthers: z
    .boolean({ error: expecting('not_boolean') })
    .nullish()
    .describe(`Revokes every other key of the wallet, which may have ${MAX_KEYS} at a time`),
  hours: wholeNumberBetween(1, MAX_KEY_HOURS)
    .nullish()
    .describe('Hours until the key expires; default 90 days'),
}).meta({ id: 'SignedChallenge', title: 'A message that a wallet has signed' })

export const ownKeySchema = z
  .object({
    id: z.string().describe('Id of the key'),
    name: z.string().describe('Name of the key'),
    scopes: z.array(z.enum(SCOPES)).describe('What the key may be used for'),
    wallet: z.string().nullable().describe('The account that signed in for it, like eip155:0xab…'),
    createdAt: dateTime.describe('When it was created'),
    expiresAt: dateTime.nullable().describe('When it expires; null: never'),
    revokedAt: dateTime.nullable().describe('When it was revoked; null: it is valid'),
    lastUsedAt: dateTime.nullable().describe('When it was last used; null: never'),
    policy: policySchema.nullable().describe('What its holder finds and may pay; null: everything'),
  })
  .meta({ id: 'ApiKey', title: 'An API key, without the key itself' })
export type OwnKey = Readonly<z.output<typeof ownKeySchema>>

export const createdKeySchema = z
  .object({ key: z.string().describe('Returned only this once'), ...ownKeySchema.shape })
  .meta({ id: 'CreatedApiKey', title: 'A new API key' })
export type CreatedKey = Readonly<z.output<typeof createdKeySchema>>

type Wallet = {
  readonly family: WalletFamily
  readonly address: string
  /** The part of the CAIP-2 id after the colon. */
  readonly chain: string
  readonly account: string
}

/** @throws DirectoryError `invalid_request` with every problem */
export function readChallengeRequest(body: unknown): Wallet {
  const { address, network } = readBody(challengeRequestSchema, body)
  const family = familyOf(network)
  const problems: Problem[] = []
  if (!isWalletFamily(family)) problems.push(toProblem('network', say('signing_network_expected')))
  const problem = addressProblem(address, network)
  if (problem) problems.push(toProblem('address', problem))
  const account = accountOf(address, network)
  if (problems.length > 0 || account === undefined || !isWalletFamily(family)) throw invalid(problems)
  const [, chain = ''] = chainKey(network).split(':')
  return { family, address, chain, account }
}

const WALLETS = { evm: 'Ethereum', solana: 'Solana' } as const
const STATEMENT =
  'Sign in to manage the services that are paid to this wallet. This sends no transaction and costs nothing.'

export function toSignInMessage(
  { family, address, chain }: Pick<Wallet, 'family' | 'address' | 'chain'>,
  { uri, nonce, issuedAt, expiresAt }: { uri: string; nonce: string; issuedAt: string; expiresAt: string },
): string {
  return `${new URL(uri).host} wants you to sign in with your ${WALLETS[family]} account:
${address}

${STATEMENT}

URI: ${uri}
Version: 1
Chain ID: ${chain}
Nonce: ${nonce}
Issued At: ${issuedAt}
Expiration Time: ${expiresAt}`
}

export const nonceOf = (message: string): string | undefined =>
  /\nNonce: ([0-9A-Za-z]{8,64})\n/.exec(message)?.[1]
