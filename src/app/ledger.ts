// The user's ledger: the table of purchases in a separate file, which any number of processes can use at once.
import { recentPurchases } from '../buyer/find-cap.ts'
import { DirectoryError } from '../domain/errors.ts'
import type { Purchase } from '../domain/purchases/purchases.ts'
import { verbatim } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import { openStore } from '../store/open.ts'
import type { PurchaseTable } from '../store/purchases.ts'

export interface Ledger extends AsyncDisposable {
  readonly path: string
  readonly purchases: PurchaseTable
  /** Purchases that count against the caps now, newest first. */
  recent(): Promise<Purchase[]>
}

/** Creates a missing file, readable only by its owner. @throws DirectoryError `store_unavailable` */
export async function openLedger(path: string, clock: Clock): Promise<Ledger> {
  await using parts = new AsyncDisposableStack()
  const store = parts.use(await openStore(`sqlite:${path}`, { clock }))
  // A directory publishes its purchases and judges services by them; those of a user are private.
  if ((await store.byId('', 1)).length > 0)
    throw new DirectoryError(
      'store_unavailable',
      verbatim(`${path} is the database of a directory, not a ledger; name another file in LEDGER_FILE.`),
    )
  const { purchases } = store
  const owned = parts.move()
  return {
    path,
    purchases,
    recent: () => recentPurchases(purchases, clock),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
