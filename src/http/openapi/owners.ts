// What owners do, and how wallets become owners, as OpenAPI tells it.
import type { ErrorCode } from '../../domain/errors.ts'
import { COMMON_HEADERS, headerRefs, type Json, schemaRef } from './components.ts'
import { arrayOf, failures, ID, json, ok, READ_FAILURES } from './describe.ts'
import { challengeExample, createdKeyExample, draftExample, serviceExample } from './examples.ts'

const security = [{ apiKey: [] }]
const WRITE_FAILURES: ErrorCode[] = [
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal',
  'store_unavailable',
]
const BODY_FAILURES: ErrorCode[] = ['invalid_request', 'body_too_large', 'unsupported_media_type']
const OWNER_FAILURES: ErrorCode[] = ['not_found', 'precondition_failed', ...WRITE_FAILURES]

const IF_MATCH: Json = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The ETag of the service as it was read; 412 where it has changed since',
  schema: { type: 'string' },
}
const IF_NONE_MATCH: Json = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'ETags that the service must not have, or *; 412 where it has one, and nothing is changed',
  schema: { type: 'string' },
}
const WRITTEN: Json = {
  200: ok(
    'The service as it is now, with its new ETag',
    [...COMMON_HEADERS, 'ETag', 'X-Ignored-Fields', 'X-Notice'],
    json(schemaRef('Service'), serviceExample),
  ),
}
const NO_CONTENT = (description: string): Json => ({
  204: { description, headers: headerRefs(...COMMON_HEADERS) },
})

const patchSchema: Json = {
  type: 'object',
  description: 'A part of a registration body; what is left out stays, null removes',
}
const patchExample = { pricing: { pricePerRequest: '0.002' } }

const edit: Json = {
  operationId: 'editService',
  tags: ['owners'],
  summary: 'Change a service',
  description:
    'A merge patch (RFC 7396) of what was registered, judged like a registration. For the key or wallet that it belongs to, the wallet that it pays, and operators. Another endpoint, address or network makes it unverified, and it is probed at once.',
  security,
  parameters: [ID, IF_MATCH, IF_NONE_MATCH],
  requestBody: {
    required: true,
    content: {
      ...json(patchSchema, patchExample),
      'application/merge-patch+json': { schema: patchSchema, example: patchExample },
    },
  },
  responses: { ...WRITTEN, ...failures(...BODY_FAILURES, ...OWNER_FAILURES) },
}

const remove: Json = {
  operationId: 'removeService',
  tags: ['owners'],
  summary: 'Remove a service',
  description: 'It is gone from every read; the feed tells a delete, and its history stays.',
  security,
  parameters: [ID, IF_MATCH, IF_NONE_MATCH],
  responses: { ...NO_CONTENT('It is removed'), ...failures('invalid_request', ...OWNER_FAILURES) },
}

const retire: Json = {
  operationId: 'retireService',
  tags: ['owners'],
  summary: 'Take a service out of service',
  description:
    'It stays listed as inactive, with the message as the reason, and is not probed until it is restored.',
  security,
  parameters: [ID, IF_MATCH, IF_NONE_MATCH],
  requestBody: {
    required: true,
    content: json(schemaRef('Retirement'), {
      message: 'Closed on 1 March; use https://weather.example.com/v2.',
    }),
  },
  responses: { ...WRITTEN, ...failures(...BODY_FAILURES, ...OWNER_FAILURES) },
}

const act = (operationId: string, summary: string, description: string): Json => ({
  operationId,
  tags: ['owners'],
  summary,
  description,
  security,
  parameters: [ID, IF_MATCH, IF_NONE_MATCH],
  responses: { ...WRITTEN, ...failures('invalid_request', ...OWNER_FAILURES) },
})

const challenge: Json = {
  operationId: 'createChallenge',
  tags: ['owners'],
  summary: 'Get a message for a wallet to sign',
  description:
    'The message follows CAIP-122, for EVM wallets EIP-4361. It names this directory and is good for one attempt within 5 minutes. 403 where the directory does not know its public address.',
  requestBody: {
    required: true,
    content: json(schemaRef('ChallengeRequest'), {
      address: draftExample.x402Config.paymentAddress,
      network: 'base',
    }),
  },
  responses: {
    200: ok('The message', COMMON_HEADERS, json(schemaRef('Challenge'), challengeExample)),
    ...failures(...BODY_FAILURES, 'forbidden', ...READ_FAILURES),
  },
}

const signIn: Json = {
  operationId: 'signIn',
  tags: ['owners'],
  summary: 'Get an API key for a wallet',
  description:
    'For the signature of the message: EIP-191 (personal_sign) of the address itself, or ed25519 on Solana. The key may register, and change and claim every service that pays the wallet; it ends after 90 days.',
  requestBody: {
    required: true,
    content: json(schemaRef('SignedChallenge'), {
      message: challengeExample.message,
      signature: `0x${'5b'.repeat(65)}`,
    }),
  },
  responses: {
    201: ok(
      'The key, told this once',
      [...COMMON_HEADERS, 'Location'],
      json(schemaRef('CreatedApiKey'), createdKeyExample),
    ),
    ...failures(...BODY_FAILURES, 'unauthorized', 'forbidden', ...READ_FAILURES),
  },
}

const { key: _, ...keyExample } = createdKeyExample

const listKeys: Json = {
  operationId: 'listOwnKeys',
  tags: ['owners'],
  summary: 'List your own keys',
  description: 'All keys of the same wallet; a key that an operator made stands alone.',
  security,
  responses: {
    200: ok(
      'The keys, oldest first',
      [...COMMON_HEADERS, 'Link', 'X-Total-Count'],
      json(arrayOf('ApiKey'), [keyExample]),
    ),
    ...failures(...WRITE_FAILURES),
  },
}

const revokeKey: Json = {
  operationId: 'revokeOwnKey',
  tags: ['owners'],
  summary: 'Revoke one of your own keys',
  security,
  parameters: [{ ...ID, description: 'Id of the key', example: createdKeyExample.id }],
  responses: {
    ...NO_CONTENT('It is revoked; it stops within a second'),
    ...failures('invalid_request', 'not_found', 'precondition_failed', ...WRITE_FAILURES),
  },
}

export const OWNER_OPERATIONS = { patch: edit, delete: remove }

export const OWNER_PATHS: Readonly<Record<string, Json>> = {
  '/api/services/{id}/retire': { post: retire },
  '/api/services/{id}/restore': {
    post: act(
      'restoreService',
      'Bring a retired service back',
      'It is unverified again and probed at once. One that is not retired stays as it is.',
    ),
  },
  '/api/services/{id}/claim': {
    post: act(
      'claimService',
      'Make the wallet that a service pays its only owner',
      'Takes a key of that wallet. Whoever registered it can no longer change it.',
    ),
  },
  '/api/auth/challenge': { post: challenge },
  '/api/auth/keys': { get: listKeys, post: signIn },
  '/api/auth/keys/{id}': { delete: revokeKey },
}
