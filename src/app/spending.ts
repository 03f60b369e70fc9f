// A summary of the user's ledger. Open purchases are first looked up on chain, if the user has a node.
import { createReconcile } from '../buyer/reconcile.ts'
import { openAuthorizationReader } from '../chain/authorizations.ts'
import type { Purchase } from '../domain/purchases/purchases.ts'
import { type Spending, toSpending } from '../domain/purchases/spending.ts'
import type { Clock } from '../runtime/clock.ts'
import { openUserLedger } from './calling.ts'
import type { Config } from './config.ts'

const MAX_OPEN = 1_000

export async function readSpending(
  config: Config,
  clock: Clock,
  limit: number,
): Promise<Spending & { readonly newest: readonly Purchase[]; readonly file: string }> {
  await using ledger = await openUserLedger(config, clock)
  using reader = openAuthorizationReader(config.rpcUrls, clock)
  const { purchases } = ledger
  await createReconcile({ purchases, reader, clock, onConcluded: undefined })()
  const [recent, open, newest] = await Promise.all([
    ledger.recent(),
    purchases.open(MAX_OPEN),
    purchases.list({ limit }),
  ])
  return { ...toSpending(recent, open, config.budget), newest, file: ledger.path }
}
