// A process of a user that is killed before or after one step of a purchase: by itself, so that it dies at the very step.

import { createBuyer } from '../../packages/buyer/src/buyer.ts'
import { createServiceCaller } from '../../packages/buyer/src/call-service.ts'
import { openLedger } from '../../packages/buyer/src/ledger.ts'
import { openWallet } from '../../packages/buyer/src/wallet.ts'
import { parseIntentQuery } from '../../src/domain/queries/queries.ts'
import { createClient } from '../../src/http/client/client.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { Secret } from '../../src/runtime/secret.ts'
import { type Dying, endFetch, endTable } from '../buyer/ends.ts'
import { toBuyerParts } from '../buyer/order.ts'

export type Death = {
  readonly end: Dying['end']
  readonly url: string
  readonly ledger: string
  readonly key: string
  readonly id: string
  readonly purpose: string
}

const { end, url, ledger, key, id, purpose } = JSON.parse(process.argv[2]!) as Death
const dying: Dying = { end, die: () => process.kill(process.pid, 'SIGKILL') }
const directory = createClient({ url })
await using opened = await openLedger(ledger, systemClock)
const wallet = await openWallet(new Secret(key))
const most = 1_000_000
const caps = { perCall: most, perService: most, perHost: most, perDay: most }
const caller = createServiceCaller({
  directory: {
    get: directory.get,
    terms: directory.terms,
    resolve: directory.resolve,
    find: q => directory.searchByIntent(parseIntentQuery({ q })),
  },
  purchases: opened.purchases,
  recent: opened.recent,
  createBuyer: within => {
    const parts = toBuyerParts(opened, { wallets: [wallet], caps: within, clock: systemClock })
    const purchases = endTable(parts.purchases, dying)
    return createBuyer({ ...parts, purchases, fetch: endFetch(parts.fetch, dying) })
  },
  caps,
  askAbove: most,
})
await caller.call({
  target: { kind: 'id', id },
  input: { city: 'Kyoto' },
  purpose,
  dryRun: false,
  approve: async () => 'yes',
})
