// All that a paid call meets, for real: a chain, a facilitator, sellers, a directory that has verified them, a user with a key and a
// ledger of their own.
import { chmodSync } from 'node:fs'
import { readPaid } from '../buyer/ground.ts'
import { openEvmChain } from '../chain/evm-chain.ts'
import { openFolder } from '../cli/shirube.ts'
import { openTestServer, registerVerified } from '../http/directory-server.ts'
import { createHurriedClock } from '../hurried-clock.ts'
import { accountOf, openFacilitator } from '../paid/facilitator.ts'
import { openSeller, type SellerOptions } from './sellers.ts'

export type World = Awaited<ReturnType<typeof openWorld>>

/** @param account of the chain, whose key the user has */
export async function openWorld(
  account: number,
  offered: readonly SellerOptions[],
  settings: Record<string, string> = {},
) {
  const parts = new AsyncDisposableStack()
  const chain = parts.use(await openEvmChain())
  const facilitator = parts.use(openFacilitator(chain))
  const payer = accountOf(account)
  const clock = createHurriedClock()
  const directory = parts.use(
    await openTestServer(
      { PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on', RATE_LIMIT: '0', ...settings },
      { clock },
    ),
  )
  const sellers = offered.map(options => parts.use(openSeller(facilitator, options)))
  const ids: string[] = []
  for (const { options, url, payTo } of sellers) {
    const { name, description = 'Weather of any city.', amount = '2000' } = options
    const id = await registerVerified(directory, {
      name,
      description,
      endpoint: url,
      category: 'weather',
      pricing: { currency: 'USDC', pricePerRequest: String(Number(amount) / 1e6) },
      x402Config: { paymentAddress: payTo, network: 'base' },
    })
    ids.push(id)
  }
  // What a seller asks for in a test is for the buyer: on a slow machine the directory would come by and list it.
  clock.calm()
  for (const seller of sellers) seller.asked.length = 0
  const folder = parts.use(await openFolder())
  const keyFile = await folder.file('user.key', payer.key)
  chmodSync(keyFile, 0o600)
  return {
    chain,
    facilitator,
    payer,
    directory,
    sellers,
    ids,
    folder,
    keyFile,
    /** Of a user's process, with a ledger by this name. */
    env: (ledger: string, settings: Record<string, string> = {}): Record<string, string> => ({
      SHIRUBE_URL: directory.url,
      ALLOW_PRIVATE_ENDPOINTS: 'on',
      BUYER_KEY_FILE: keyFile,
      BUDGET_PER_DAY: '1',
      RPC_URL_BASE: chain.url,
      LEDGER_FILE: `${folder.path}/${ledger}.db`,
      ...settings,
    }),
    /** What left the user's wallet, in atomic units. */
    paidOnChain: () => readPaid(chain.client, payer.address),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  }
}
