// Finds who signed, and on whose behalf: a signature alone proves only that someone has a key.
import { sameAddress } from '../../domain/chains/same-address.ts'
import type { SignerRole } from '../../domain/terms/terms.ts'
import { type Message, say } from '../../messages/message.ts'
import { shown } from '../untrusted/untrusted-text.ts'
import { isOver, type KeySource, readControllers, readDidDocument } from './key-source.ts'
import { isSignedBy, keyFromJwk, keyFromMultibase, type PublicKey, walletOf } from './public-key.ts'
import type { SignedObject } from './signed-object.ts'

export type Signer = {
  /** An address, or a DID, shortened if long. */
  readonly name: string
  readonly did: string | undefined
  /** The wallet of the same key, if it has one. */
  readonly wallet: string | undefined
  readonly key: PublicKey | undefined
  /** The host or a parent domain publishes the key. */
  readonly isPublished: boolean
}

type TypedData = {
  readonly domain: { readonly name: string; readonly version: '1'; readonly chainId: 1 }
  readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
  readonly primaryType: string
  readonly message: Readonly<Record<string, unknown>>
}

/** @param typed the data of an EIP-712 signature @param place the URL of the resource as requested */
export async function findSigner(
  object: SignedObject,
  typed: TypedData,
  place: URL,
  source: KeySource,
): Promise<Signer | Message> {
  if (object.format === 'eip712') return recover(object.signature, typed)
  const { kid, jwk, alg, signed, signature } = object
  const [did = ''] = kid.split('#')
  const carried = jwk && (await keyFromJwk(jwk))
  if (jwk && !carried) return say('signed_unreadable', { field: 'jwk' })
  const found = await keysOf(did, kid, place, source)
  if ('code' in found) return found
  const { keys, isPublished } = found
  // A key included in the header must be the one that its DID resolves to.
  const candidates = carried && keys ? keys.filter(key => key?.hex === carried.hex) : (keys ?? [carried])
  for (const key of candidates) {
    if (!key || !(await isSignedBy(key, alg, signed, signature))) continue
    const wallet = await walletOf(key)
    const account = /^did:pkh:[^:]+:[^:]+:(\S+)$/.exec(did)?.[1]
    if (account !== undefined && account.toLowerCase() !== wallet?.toLowerCase()) continue
    return { name: shown(did), did, wallet, key, isPublished }
  }
  return candidates.some(key => key)
    ? say('signed_bad_signature')
    : say('signed_key_missing', { key: shown(did) })
}

/** @returns `keys` undefined if the DID contains none, so that only a key from the header can be tried */
async function keysOf(
  did: string,
  kid: string,
  place: URL,
  source: KeySource,
): Promise<
  { readonly keys: readonly (PublicKey | undefined)[] | undefined; readonly isPublished: boolean } | Message
> {
  const [, method, id = ''] = /^did:([a-z0-9]+):(.+)$/.exec(did) ?? []
  if (method === 'key') return { keys: [await keyFromMultibase(id)], isPublished: false }
  if (method === 'jwk') return { keys: [await keyFromJwk(parseJwk(id))], isPublished: false }
  if (method === 'pkh') return { keys: undefined, isPublished: false }
  if (method !== 'web') return say('signed_key_missing', { key: shown(did) })
  const host = id.replace(/%3A/i, ':').toLowerCase()
  // did:web of another host, or of a path that any user of the host may control.
  if (!isOver(host, place)) return say('signed_by_others', { signer: shown(did) })
  const published = await readDidDocument(host, place, source)
  if (!published) return say('signed_key_missing', { key: shown(did) })
  const own = kid === did ? published : published.filter(each => each.id === kid)
  return { keys: own.flatMap(({ key }) => key ?? []), isPublished: true }
}

function parseJwk(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

async function recover(signature: `0x${string}`, typed: TypedData): Promise<Signer | Message> {
  const { recoverTypedDataAddress } = await import('viem/utils')
  try {
    const address = await recoverTypedDataAddress({ ...typed, signature } as never)
    return { name: address, did: undefined, wallet: address, key: undefined, isPublished: false }
  } catch {
    return say('signed_bad_signature')
  }
}

/** @param payee the payee's address and chain */
export async function roleOf(
  { wallet, key, did, isPublished }: Signer,
  payee: { readonly payTo: string; readonly chain: string },
  place: URL,
  source: KeySource,
): Promise<SignerRole | undefined> {
  if (wallet !== undefined && sameAddress(wallet, payee.payTo, payee.chain)) return 'payee'
  if (isPublished) return 'origin'
  const account = wallet?.toLowerCase()
  const isOwn = (each: { readonly key: PublicKey | undefined; readonly account: string | undefined }) =>
    (key !== undefined && each.key?.curve === key.curve && each.key.hex === key.hex) ||
    (account !== undefined && each.account === account)
  const published = (await readDidDocument(place.host, place, source)) ?? []
  for (const each of published)
    if (isOwn(each) || (each.key && account && (await walletOf(each.key))?.toLowerCase() === account))
      return 'origin'
  const isNamed = (named: string) =>
    named === did ||
    (account !== undefined && /^did:pkh:eip155:\d+:(\S+)$/.exec(named)?.[1]?.toLowerCase() === account)
  return (await readControllers(place, source)).some(isNamed) ? 'origin' : undefined
}
