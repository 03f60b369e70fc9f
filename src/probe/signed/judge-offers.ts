// Judges the signed offers of a 402: whether they match its payment requirements, and on whose behalf they are signed.
import { chainKey } from '../../domain/chains/chains.ts'
import { sameAddress } from '../../domain/chains/same-address.ts'
import { toMessageRecord } from '../../domain/message-view.ts'
import type { SignedOffer, SignerRole } from '../../domain/terms/terms.ts'
import { type Message, say } from '../../messages/message.ts'
import { shown } from '../untrusted/untrusted-text.ts'
import { type KeySource, memoizeKeySource } from './key-source.ts'
import { isSamePlace } from './place.ts'
import { type OfferPayload, readOffer, readSigned } from './signed-object.ts'
import { findSigner, roleOf } from './signer.ts'

type OfferedRequirements = {
  readonly scheme: string
  readonly chain: string
  readonly asset: string
  readonly payTo: string
  readonly amount: bigint
}

/** Each costs a millisecond or two; a signing server sends one per entry of `accepts`. */
const MAX_OFFERS = 8
/** Allows for differing clocks. */
const SLACK_SECONDS = 60

type OfferContext = {
  /** Set for a tool of an MCP server. */
  readonly tool?: string | undefined
  readonly accepts: readonly OfferedRequirements[]
  readonly now: Date | undefined
}

type Judged =
  | { readonly role: SignerRole; readonly signer: string }
  | { readonly problem: Message; readonly signer?: string }

/** Groups equal results, without the parts that change between responses. @param url of the 402 */
export async function judgeOffers(
  offers: readonly unknown[],
  { url, ...context }: OfferContext & { readonly url: string },
  source: KeySource,
): Promise<SignedOffer[]> {
  const place = new URL(url)
  const keys = memoizeKeySource(source)
  const byContent = new Map<string, SignedOffer>()
  for (const offer of offers.slice(0, MAX_OFFERS)) {
    const judged = toSignedOffer(await judge(offer, { place, ...context }, keys))
    const key = JSON.stringify(judged)
    const { count = 0 } = byContent.get(key) ?? {}
    byContent.set(key, { ...judged, count: count + 1 })
  }
  return [...byContent.values()]
}

async function judge(
  sent: unknown,
  { place, tool, accepts, now }: OfferContext & { readonly place: URL },
  source: KeySource,
): Promise<Judged> {
  const object = readSigned(sent)
  if ('code' in object) return { problem: object }
  const offer = readOffer(object)
  if ('code' in offer) return { problem: offer }
  if (!isSamePlace(offer.resourceUrl, place, tool))
    return { problem: say('signed_other_resource', { url: shown(offer.resourceUrl) }) }
  if (!accepts.some(requirements => isOf(offer, requirements))) return { problem: say('signed_other_terms') }
  const signer = await findSigner(object, toTypedData(offer), place, source)
  if ('code' in signer) return { problem: signer }
  const payee = { payTo: offer.payTo, chain: chainKey(offer.network) }
  const role = await roleOf(signer, payee, place, source)
  if (!role) return { problem: say('signed_by_others', { signer: signer.name }), signer: signer.name }
  const { validUntil = 0 } = offer
  if (now && validUntil > 0 && validUntil + SLACK_SECONDS < now.getTime() / 1_000)
    return { problem: say('signed_expired'), signer: signer.name }
  return { role, signer: signer.name }
}

const isOf = (offer: OfferPayload, requirements: OfferedRequirements): boolean =>
  offer.scheme === requirements.scheme &&
  chainKey(offer.network) === requirements.chain &&
  sameAddress(offer.asset, requirements.asset, requirements.chain) &&
  sameAddress(offer.payTo, requirements.payTo, requirements.chain) &&
  BigInt(offer.amount) === requirements.amount

/** The domain has chain 1 on every network: it identifies a format, not a transaction. */
const toTypedData = ({ version, validUntil = 0, ...offer }: OfferPayload) => ({
  domain: { name: 'x402 offer', version: '1', chainId: 1 } as const,
  primaryType: 'Offer',
  types: {
    Offer: [
      { name: 'version', type: 'uint256' },
      ...['resourceUrl', 'scheme', 'network', 'asset', 'payTo', 'amount'].map(name => ({
        name,
        type: 'string',
      })),
      { name: 'validUntil', type: 'uint256' },
    ],
  },
  message: { ...offer, version: BigInt(version), validUntil: BigInt(validUntil) },
})

function toSignedOffer(judged: Judged): Omit<SignedOffer, 'count'> {
  const signer = judged.signer ?? null
  if ('problem' in judged)
    return { valid: false, speaksFor: null, signer, ...toMessageRecord(judged.problem) }
  const { role } = judged
  return {
    valid: true,
    speaksFor: role,
    signer,
    ...toMessageRecord(say('signed_by', { by: role, signer: signer! })),
  }
}
