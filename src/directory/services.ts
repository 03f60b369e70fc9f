// Reading, registering and checking a service.
import { z } from 'zod'
import { type CheckReport, checkReportSchema, checkRequestSchema } from '../domain/check.ts'
import { DirectoryError } from '../domain/errors.ts'
import { checkIdempotencyKey } from '../domain/ids.ts'
import { Encoded } from '../domain/json.ts'
import type { Category } from '../domain/listing/categories.ts'
import {
  categorySchema,
  createEntry,
  draftSchema,
  readDraft,
  type Service,
  type ServiceDraft,
  serviceSchema,
  toService,
} from '../domain/listing/service.ts'
import { readKnownFields } from '../domain/problems.ts'
import { say } from '../messages/message.ts'
import type { IdempotentRequest } from '../store/store.ts'
import type { ByFrom, OperationDeps, WithIgnored, Work } from './deps.ts'
import { categoriesExample, draftExample, serviceExample } from './examples.ts'
import { rateLimitKeys } from './keys.ts'
import { type Operation, requestHeader } from './operation.ts'
import type { WriteResult } from './owners.ts'
import { bytesOf } from './writes.ts'

export type RegistrationResult = WriteResult & { readonly id: string }

export interface Services {
  /** @throws DirectoryError `not_found`, `hidden` */
  get(id: string): Promise<Encoded<Service>>
  /**
   * Registers a service. When it resolves, the entry is durable and, unless the catalog is over two seconds behind, included in every
   * read of this process.
   * @throws DirectoryError `unauthorized`, `forbidden`, `invalid_request`, `idempotency_conflict`, `rate_limited`
   */
  register(body: unknown, by: ByFrom & { readonly idempotencyKey?: string }): Promise<RegistrationResult>
  /**
   * Sends the requests of a probe to any URL, and lists nothing.
   * @throws DirectoryError `unauthorized`, `forbidden`, `invalid_request`, `rate_limited`
   */
  check(body: unknown, by: ByFrom): Promise<WithIgnored<{ readonly report: CheckReport }>>
  categories(): Promise<Category[]>
}

/** A check waits for a stranger's server, which may be slow. */
const CHECK_TIMEOUT_SECONDS = 240

export const SERVICE_OPERATIONS = {
  register: {
    id: 'registerService',
    tag: 'services',
    summary: 'Register a service',
    description:
      'When 201 is answered the service is on disk, and found by every read of that process unless it is over two seconds behind. Unknown fields are ignored and named in X-Ignored-Fields. The body is JSON of at most 64 KiB.',
    headers: [
      requestHeader(
        'Idempotency-Key',
        'Makes a retry safe for 24 hours: same body, same answer; another body is 409',
        { type: 'string', minLength: 1, maxLength: 255 },
      ),
    ],
    body: { schema: draftSchema, example: draftExample },
    answer: 'The stored service',
    result: serviceSchema,
    example: { ...serviceExample, trustScore: 0, status: 'unverified' },
    errors: ['idempotency_conflict', 'not_ready'],
  },
  get: {
    id: 'getService',
    tag: 'services',
    summary: 'Get one service',
    description:
      'The service as listed. Its measurements, its backing and how to call it are resources of their own, below this one.',
    answer: 'The service',
    result: serviceSchema,
    example: serviceExample,
    errors: ['hidden'],
  },
  // Creates nothing, and is not cacheable, because the next result may differ.
  check: {
    id: 'checkEndpoint',
    tag: 'payment',
    summary: 'Check an endpoint without listing it',
    description:
      'Probes the URL once, without paying, and reports each check as passed, failed or skipped. 10 a minute per owner, over all keys. Also 403 if the directory does not probe.',
    body: {
      schema: checkRequestSchema,
      example: { endpoint: draftExample.endpoint, x402Config: draftExample.x402Config },
    },
    answer: 'What was found',
    result: checkReportSchema,
    errors: ['not_ready'],
    timeoutSeconds: CHECK_TIMEOUT_SECONDS,
  },
  categories: {
    id: 'listCategories',
    tag: 'services',
    summary: 'List categories',
    description: 'With their labels in every language and the number of services in each.',
    answer: 'All categories',
    result: z.array(categorySchema),
    example: categoriesExample,
  },
} satisfies Readonly<Record<keyof Services, Operation>>

export function createServices({
  store,
  clock,
  draftPolicy,
  newId,
  requireCatalog,
  finder,
  check,
  waitUntilVisible,
  noticesOn,
  chargeWrite,
}: OperationDeps): Work<Omit<Services, 'categories'>> {
  return {
    get: async id => requireCatalog().service(id) ?? Encoded.of(toService(await finder.findRecent(id))),

    async register(body, { idempotencyKey, from, ...caller }) {
      if (idempotencyKey !== undefined) checkIdempotencyKey(idempotencyKey)
      const { draft, ignored, notices } = readDraft(body, draftPolicy)
      const now = clock.now()
      const entry = createEntry(draft, { id: newId(now), now, owner: caller.owner })
      const request: IdempotentRequest | undefined =
        idempotencyKey === undefined
          ? undefined
          : { caller: caller.id, key: idempotencyKey, fingerprint: fingerprint(draft), at: now }
      const { seq, stored } = await chargeWrite(caller, from, async () => {
        const { seq, entries, repeated } = await store.insert([entry], request)
        // The entry is kept a second time for a repeated request, which gets it and writes nothing.
        return { seq, stored: entries[0]!, written: repeated ? 0 : bytesOf(entry) * (request ? 2 : 1) }
      })
      await waitUntilVisible(seq)
      const service = Encoded.of(toService(stored))
      return { id: stored.id, service, ignored, notices: [...notices, ...noticesOn(stored)] }
    },

    async check(body, { from, ...caller }) {
      const { value: request, ignored } = readKnownFields(checkRequestSchema, body)
      if (!check) throw new DirectoryError('forbidden', say('checks_off'))
      return { report: await check(request, ...rateLimitKeys(caller, from)), ignored }
    },
  }
}

/** What a retry must repeat: the fields that count, in any order and with any white space. */
const fingerprint = (draft: ServiceDraft): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(draft)).digest('hex')
