// A registration: key, draft, store, catalog.

import { checkIdempotencyKey } from '../domain/idempotency-key.ts'
import { Encoded } from '../domain/json/encoded.ts'
import { type DraftPolicy, readDraft } from '../domain/listing/draft.ts'
import { createEntry, type Entry, type ServiceDraft } from '../domain/listing/service.ts'
import { toService } from '../domain/listing/views.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Seq, Store } from '../store/store.ts'
import type { Directory } from './directory.ts'
import type { Keyring } from './keys.ts'
import type { SpendWrite } from './write-budget.ts'

type Parts = {
  readonly store: Pick<Store, 'insert'>
  readonly keys: Keyring
  readonly clock: Clock
  readonly policy: DraftPolicy
  readonly newId: (now: Date) => string
  readonly waitUntilVisible: (seq: Seq) => Promise<void>
  readonly noticesOn: (entry: Entry) => string[]
  readonly spendWrite: SpendWrite
}

export const createRegistration = ({
  store,
  keys,
  clock,
  policy,
  newId,
  waitUntilVisible,
  noticesOn,
  spendWrite,
}: Parts): Pick<Directory, 'register'> => ({
  async register(body, { key, once: idempotencyKey, from }) {
    const caller = await keys.authorize(key, 'register')
    if (idempotencyKey !== undefined) checkIdempotencyKey(idempotencyKey)
    const { draft, ignored, notices } = readDraft(body, policy)
    await spendWrite(caller, from)
    const now = clock.now()
    const entry = createEntry(draft, { id: newId(now), now, owner: caller.owner })
    const { seq, entries } = await store.insert(
      [entry],
      idempotencyKey === undefined
        ? undefined
        : { caller: caller.id, key: idempotencyKey, fingerprint: fingerprint(draft), at: now },
    )
    await waitUntilVisible(seq)
    const first = entries[0]!
    const service = Encoded.of(toService(first))
    return { id: first.id, service, ignored, notices: [...notices, ...noticesOn(first)] }
  },
})

/** What a retry must repeat: the fields that count, in any order and with any white space. */
const fingerprint = (draft: ServiceDraft): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(draft)).digest('hex')
