// Sign-in with a wallet: a challenge to sign, a key for the signature, and the keys of the wallet.

import { draftExample } from '../../directory/examples/service.ts'
import { challengeExample, createdKeyExample } from '../../directory/examples/sign-in.ts'
import { Encoded } from '../../domain/json/encoded.ts'
import {
  API_KEY,
  arrayOf,
  BODY_FAILURES,
  failures,
  idParameter,
  json,
  jsonBody,
  noContent,
  ok,
  READ_FAILURES,
  WRITE_FAILURES,
} from '../openapi/describe.ts'
import { COMMON_HEADERS } from '../openapi/headers.ts'
import { schemaRef } from '../openapi/json-schema.ts'
import { JSON_TYPE } from '../pipeline/answer.ts'
import { authorizeToChange, authorizeToRegister } from '../pipeline/auth.ts'
import { readJsonObject } from '../pipeline/body.ts'
import { queryOf, refuseParameters } from '../pipeline/query-string.ts'
import type { Answer } from '../pipeline/route.ts'
import { type ApiRoute, type Endpoint, idOf } from './api-route.ts'

const KEYS = '/api/auth/keys'

const challenge: Endpoint = {
  operation: () => ({
    operationId: 'createChallenge',
    tags: ['owners'],
    summary: 'Get a message for a wallet to sign',
    description:
      'The message follows CAIP-122, for EVM wallets EIP-4361. It names this directory and is valid for one sign-in within 5 minutes; a wrong signature does not use it up. 403 if the directory does not know its public URL.',
    requestBody: jsonBody(schemaRef('ChallengeRequest'), {
      address: draftExample.x402Config.paymentAddress,
      network: 'base',
    }),
    responses: {
      200: ok('The message', COMMON_HEADERS, json(schemaRef('Challenge'), challengeExample)),
      ...failures(...BODY_FAILURES, 'forbidden', ...READ_FAILURES),
    },
  }),
  create:
    ({ directory }) =>
    async ({ request }) => {
      const body = await readJsonObject(request)
      refuseParameters(queryOf(request.url))
      return answerSecret(200, await directory.challenge(body))
    },
}

const signIn: Endpoint = {
  operation: () => ({
    operationId: 'signIn',
    tags: ['owners'],
    summary: 'Get an API key for a wallet',
    description:
      'For the signature of the message: EIP-191 (personal_sign) of the address itself, or ed25519 on Solana. The key may register services, and change and claim every service that is paid to the wallet. It expires after 90 days, or after the given hours.',
    requestBody: jsonBody(schemaRef('SignedChallenge'), {
      message: challengeExample.message,
      signature: `0x${'5b'.repeat(65)}`,
    }),
    responses: {
      201: ok(
        'The key, shown only once',
        [...COMMON_HEADERS, 'Location'],
        json(schemaRef('CreatedApiKey'), createdKeyExample),
      ),
      ...failures(...BODY_FAILURES, 'unauthorized', 'forbidden', ...READ_FAILURES),
    },
  }),
  create:
    ({ directory, publicUrl, readOrigin }) =>
    async exchange => {
      const { request } = exchange
      const body = await readJsonObject(request)
      refuseParameters(queryOf(request.url))
      const created = await directory.signIn(body, { from: readOrigin(exchange) })
      return answerSecret(201, created, { Location: `${publicUrl}${KEYS}/${created.id}` })
    },
}

const { key: _, ...keyExample } = createdKeyExample

const listKeys: Endpoint = {
  operation: () => ({
    operationId: 'listOwnKeys',
    tags: ['owners'],
    summary: 'List your own keys',
    description: 'All keys of the same wallet; for a key made by an operator, only that key.',
    security: API_KEY,
    responses: {
      200: ok(
        'The keys, oldest first',
        [...COMMON_HEADERS, 'Link', 'X-Total-Count'],
        json(arrayOf('ApiKey'), [keyExample]),
      ),
      ...failures(...WRITE_FAILURES),
    },
  }),
  create({ directory, keys, publicUrl }) {
    const address = `${publicUrl}${KEYS}`
    const Link = `<${address}>; rel="first", <${address}>; rel="last"`
    return async ({ request }) => {
      const own = await directory.listKeys({ key: await authorizeToRegister(request, keys) })
      return answerSecret(200, own, { Link, 'X-Total-Count': String(own.length) })
    }
  },
}

const revokeKey: Endpoint = {
  operation: () => ({
    operationId: 'revokeOwnKey',
    tags: ['owners'],
    summary: 'Revoke one of your own keys',
    description: 'Only keys of wallets; keys created by an operator are revoked by the operator.',
    security: API_KEY,
    parameters: [idParameter('Id of the key', createdKeyExample.id)],
    responses: {
      ...noContent('Revoked; it stops working within a second'),
      ...failures('invalid_request', 'not_found', 'precondition_failed', ...WRITE_FAILURES),
    },
  }),
  create:
    ({ directory, keys }) =>
    async ({ request }) => {
      const by = await authorizeToChange(request, keys)
      refuseParameters(queryOf(request.url))
      await directory.revokeKey(idOf(request), by)
      return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }
    },
}

const signOut: Endpoint = {
  operation: () => ({
    operationId: 'signOut',
    tags: ['owners'],
    summary: 'Revoke the key that is sent',
    description: 'The key stops working. What was created with it, such as webhooks, stays.',
    security: API_KEY,
    responses: {
      ...noContent('Revoked; it stops working within a second'),
      ...failures('invalid_request', 'forbidden', ...WRITE_FAILURES),
    },
  }),
  create:
    ({ directory, keys }) =>
    async ({ request }) => {
      const key = await authorizeToRegister(request, keys)
      refuseParameters(queryOf(request.url))
      await directory.signOut({ key })
      return { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }
    },
}

const answerSecret = (status: number, value: unknown, extra: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', ...extra },
  body: Encoded.of(value).bytes as Uint8Array<ArrayBuffer>,
})

export const SIGN_IN_ROUTES: readonly ApiRoute[] = [
  { path: '/api/auth/challenge', methods: { POST: challenge } },
  { path: KEYS, methods: { GET: listKeys, POST: signIn } },
  { path: `${KEYS}/self`, methods: { DELETE: signOut } },
  { path: `${KEYS}/:id`, methods: { DELETE: revokeKey } },
]
