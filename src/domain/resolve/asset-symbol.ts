// A token that is named by its symbol. Any token can have any symbol, so what is compared with a known one is never clear.
import { type Message, say } from '../../messages/message.ts'
import { assetsOn, findAsset } from '../chains/assets.ts'
import { findChain } from '../chains/chains.ts'
import { sameAddress } from '../chains/same-address.ts'
import { currencyKey } from '../money/money.ts'
import type { SeenPlaces } from './judge-payment.ts'
import type { Listing } from './listing.ts'
import type { ResolveQuery } from './query.ts'

/** Like USDC, cUSD, USDT0 and USDC.e. */
const SYMBOL = /^[a-z]{2,10}\d?(?:\.e)?$/i

/** Returns the query with the address of the token, if its chain has one known token with the symbol. */
export function readAsset(
  query: ResolveQuery,
  { service, seen }: Pick<Listing, 'service' | 'seen'>,
): { readonly query: ResolveQuery; readonly note?: Message } {
  const { asset, network = service.x402Config.network } = query
  if (asset === undefined || !SYMBOL.test(asset) || isAddress(asset, network, seen)) return { query }
  const chain = findChain(network)
  const known = chain
    ? assetsOn(chain.id).filter(each => currencyKey(each.symbol) === currencyKey(asset))
    : []
  const [token] = known
  if (!chain || !token || known.length > 1)
    return { query, note: say('asset_without_address', { asked: asset }) }
  const { address } = token
  return {
    query: { ...query, asset: address },
    note: say('asset_by_symbol', { asked: asset, chain: chain.label, address }),
  }
}

/** Some chains have names for addresses. */
const isAddress = (asset: string, network: string, seen: SeenPlaces | undefined): boolean =>
  findAsset(network, asset) !== undefined ||
  (seen?.resources ?? []).some(({ accepts }) =>
    accepts.some(requirements => sameAddress(asset, requirements.asset, requirements.chain)),
  )
