// Converts an imported item to a registration body.

import { findAsset } from '../domain/chains/assets.ts'
import { invalid, toProblem } from '../domain/errors.ts'
import { isRecord } from '../domain/json.ts'
import { categoryFromLabel, isCategoryId, KNOWN_CATEGORIES } from '../domain/listing/categories.ts'
import { type Message, say, unique } from '../messages/message.ts'
import { readAtomicAmount } from './atomic-amount.ts'

type Fields = Readonly<Record<string, unknown>>

/** @throws DirectoryError `invalid_request` if an item of a Bazaar list contains no usable payment requirements. */
export function toBody(value: unknown, list: string): unknown {
  const fields = asFields(value)
  if (fields === undefined) return value
  if (Array.isArray(fields.accepts)) return fromBazaar(fields, fields.accepts)
  return list === 'endpoints' ? fromExport(fields) : fields
}

/** An export has no description, so the name is used where none was added; its category label is mapped back to an id. */
const fromExport = ({ name, description = name, endpoint, category, pricing, x402Config }: Fields) => ({
  name,
  description,
  endpoint,
  category: typeof category === 'string' ? categoryFromLabel(category) : category,
  pricing,
  x402Config,
})

function fromBazaar(item: Fields, accepts: readonly unknown[]) {
  const resource = asFields(item.resource) ?? {}
  const metadata = asFields(item.metadata) ?? {}
  const endpoint = firstText(item.resource, item.url, resource.url)
  const offer = chooseOffer(accepts)
  const name = firstText(item.serviceName, resource.serviceName, metadata.name, item.name) ?? nameOf(endpoint)
  return {
    name,
    description:
      firstText(item.description, resource.description, metadata.description, offer.description) ?? name,
    endpoint,
    category: chooseCategory(metadata.category ?? item.category, item.tags ?? resource.tags),
    pricing: { currency: offer.currency, pricePerRequest: offer.price },
    x402Config: { paymentAddress: offer.payTo, network: offer.network },
  }
}

/** The first payment requirements in an asset with known decimals: without them the price is unknown. */
function chooseOffer(accepts: readonly unknown[]) {
  const reasons: Message[] = []
  for (const accept of accepts.map(asFields)) {
    const { network, asset: address, payTo, amount, maxAmountRequired, description } = accept ?? {}
    if (typeof network !== 'string' || typeof address !== 'string') {
      reasons.push(say('way_without_asset'))
      continue
    }
    const asset = findAsset(network, address)
    const price = asset && readAtomicAmount(amount ?? maxAmountRequired, asset.decimals)
    if (asset && price !== undefined) return { currency: asset.symbol, price, payTo, network, description }
    reasons.push(
      asset
        ? say('way_without_amount')
        : say('way_in_unknown_asset', { asset: address.slice(0, 80), network: network.slice(0, 64) }),
    )
  }
  throw invalid([toProblem('accepts', say('no_price_told', { reasons: unique(reasons) }))])
}

/** A known category takes precedence over any other tag. */
function chooseCategory(category: unknown, tags: unknown): string {
  const words = [category, ...(Array.isArray(tags) ? tags : [])]
    .filter((word): word is string => typeof word === 'string')
    .map(categoryFromLabel)
    .filter(isCategoryId)
  return words.find(id => Object.hasOwn(KNOWN_CATEGORIES, id)) ?? words[0] ?? 'other'
}

/** Host and path, as the name of a service without one. */
function nameOf(endpoint: string | undefined): string | undefined {
  const url = endpoint === undefined ? null : URL.parse(endpoint)
  return url ? (url.host + url.pathname).replace(/\/$/, '').slice(0, 255) : undefined
}

const asFields = (value: unknown): Fields | undefined => (isRecord(value) ? value : undefined)

const firstText = (...candidates: readonly unknown[]): string | undefined =>
  candidates.find(
    (candidate): candidate is string => typeof candidate === 'string' && candidate.trim() !== '',
  )
