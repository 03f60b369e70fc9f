// A wallet that signs in, and its key.
import { type CreatedKey, type SignInChallenge, toSignInMessage } from '../../domain/sign-in.ts'
import { draftExample } from './service.ts'

const { paymentAddress } = draftExample.x402Config
const signInTimes = { issuedAt: '2026-02-01T12:00:00.000Z', expiresAt: '2026-02-01T12:05:00.000Z' }

const nonce = 'k3Jd0sPq8ZtVb2Lx7WmRy5Nc'

export const challengeExample: SignInChallenge = {
  message: toSignInMessage(
    { family: 'evm', address: paymentAddress, chain: '8453' },
    { uri: 'https://directory.example', nonce, ...signInTimes },
  ),
  nonce,
  expiresAt: signInTimes.expiresAt,
}

export const createdKeyExample: CreatedKey = {
  key: 'shb_0123456789ABCDEFGHIJKLMNOPQRSTUVabcdef',
  id: 'key_5m2k9x0c1v',
  name: `Wallet ${paymentAddress}`,
  scopes: ['register'],
  wallet: `eip155:${paymentAddress.toLowerCase()}`,
  createdAt: signInTimes.issuedAt,
  expiresAt: '2026-05-02T12:00:00.000Z',
  revokedAt: null,
  lastUsedAt: null,
}
