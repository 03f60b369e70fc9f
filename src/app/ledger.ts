// The user's own ledger: the table of purchases in a file of its own, which any number of processes can use at once.
import { CAP_WINDOW_MS } from '../domain/caps.ts'
import { DirectoryError } from '../domain/errors.ts'
import type { Purchase } from '../domain/purchases.ts'
import { verbatim } from '../messages/message.ts'
import type { Clock } from '../runtime/clock.ts'
import { openStore } from '../store/open.ts'
import type { PurchaseTable } from '../store/purchases.ts'

export interface Ledger extends AsyncDisposable {
  readonly path: string
  readonly purchases: PurchaseTable
  /** What counts against the caps now, newest first. */
  recent(): Promise<Purchase[]>
}

const PAGE = 500

/** Makes the file where there is none, readable by its owner alone. @throws DirectoryError `store_unavailable` */
export async function openLedger(path: string, clock: Clock): Promise<Ledger> {
  await using parts = new AsyncDisposableStack()
  const store = parts.use(await openStore(`sqlite:${path}`, { clock }))
  // What a directory bought is published and judges services; what its user bought is nobody else's business.
  if ((await store.byId('', 1)).length > 0)
    throw new DirectoryError(
      'store_unavailable',
      verbatim(`${path} is the database of a directory, not a ledger; name another file in LEDGER_FILE.`),
    )
  const { purchases } = store
  const kept = parts.move()
  return {
    path,
    purchases,
    async recent() {
      const start = clock.now().getTime() - CAP_WINDOW_MS
      const found: Purchase[] = []
      for (let before: string | undefined; ; ) {
        const page = await purchases.list({ limit: PAGE, before })
        const within = page.filter(({ at }) => Date.parse(at) > start)
        found.push(...within.filter(({ state }) => state !== 'released'))
        if (page.length < PAGE || within.length < page.length) return found
        before = page.at(-1)!.id
      }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
