// A directory that lists one seller and has probed it, its operator's buyer, and the settings of a user who calls it.
import type { PurchasesAnswer } from '../../src/domain/purchases/purchases-view.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { openFolder } from '../cli/shirube.ts'
import { draft, entry } from '../entries.ts'
import { connectOverStdio } from '../mcp/connect.ts'
import { probeNow } from '../probe-now.ts'

type Settings = Readonly<Record<string, string>>

export type ListedSeller = Awaited<ReturnType<typeof listSeller>>

export async function listSeller(
  seller: { readonly endpoint: string; readonly paymentAddress: string; readonly network: string },
  /** The node of the chain, and what the operator and the user pay with. */
  {
    chain,
    operator,
    user,
  }: { readonly chain: Settings; readonly operator: Settings; readonly user: Settings },
) {
  const parts = new AsyncDisposableStack()
  const folder = parts.use(
    await openFolder({ ALLOW_PRIVATE_ENDPOINTS: 'on', DATABASE_URL: 'sqlite:shirube.db' }),
  )
  const { endpoint, ...x402Config } = seller
  const listing = entry(
    draft({
      name: 'City Weather',
      description: 'Weather of any city.',
      endpoint,
      category: 'weather',
      pricing: { currency: 'USDC', pricePerRequest: '0.002', freeQuota: 0 },
      x402Config,
    }),
  )
  {
    await using store = await openStore(`sqlite:${folder.path}/shirube.db`, { clock: systemClock })
    await store.insert([listing])
  }
  await probeNow(`sqlite:${folder.path}/shirube.db`, listing.id)
  const settings: Record<string, string> = { ...chain, BUDGET_PER_DAY: '0.1' }
  const serving = parts.use(await folder.serve([], settings))
  const { cmd, ...options } = folder.command(['buy'], { ...settings, ...operator })
  const buying = Bun.spawn(cmd, { ...options, stdout: 'ignore', stderr: 'ignore' })
  parts.defer(async () => {
    buying.kill('SIGTERM')
    await buying.exited
  })
  /** Of a user's process, with a ledger by this name. */
  const userEnv = (ledger: string): Record<string, string> => ({
    ...settings,
    ...user,
    SHIRUBE_URL: serving.url,
    ALLOW_PRIVATE_ENDPOINTS: 'on',
    LEDGER_FILE: `${folder.path}/${ledger}.db`,
  })
  return {
    folder,
    serving,
    id: listing.id,
    settings,
    userEnv,
    /** What is published of its purchases, once the operator's buyer has made one that counts. */
    async bought(): Promise<PurchasesAnswer> {
      for (;;) {
        const response = await fetch(`${serving.url}/api/services/${listing.id}/purchases`)
        const answer = (await response.json()) as PurchasesAnswer
        if (answer.delivery.purchases > 0) return answer
        await Bun.sleep(20)
      }
    },
    /** An agent of the user, which asks before it pays more than a cent. */
    async connectAgent() {
      const client = await connectOverStdio(['--url', serving.url, '--pay', '--ask-above', '0.01'], {
        env: userEnv('agent'),
        cwd: folder.path,
      })
      await client.listTools()
      return client
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
