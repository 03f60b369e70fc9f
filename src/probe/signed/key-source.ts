// Reads published keys: the DID document of a host, and TXT records of its name. Only the host of the resource and its
// parent domains are requested, never a host of a stranger's choice.
import { isIP } from 'node:net'
import { keyFromJwk, keyFromMultibase, type PublicKey } from './public-key.ts'

export type KeySource = {
  /** @returns the JSON document; undefined if it cannot be read */
  document(url: string): Promise<unknown>
  txt(name: string): Promise<readonly string[]>
}

export type PublishedKey = {
  /** The full id in the document. */
  readonly id: string
  readonly key: PublicKey | undefined
  /** An EVM address, in lower case. */
  readonly account: string | undefined
}

const MAX_METHODS = 16
const MAX_NAME = 1_024

/** Caches every document and record for one check. */
export function memoizeKeySource(source: KeySource): KeySource {
  const documents = new Map<string, Promise<unknown>>()
  const records = new Map<string, Promise<readonly string[]>>()
  const once = <T>(cache: Map<string, Promise<T>>, name: string, read: (name: string) => Promise<T>) => {
    const value = cache.get(name) ?? read(name)
    cache.set(name, value)
    return value
  }
  return {
    document: url => once(documents, url, source.document),
    txt: name => once(records, name, source.txt),
  }
}

/** Whether the host is that of the resource or a parent domain, whose owner controls the name. */
export function isOver(host: string, place: URL): boolean {
  if (host === place.host) return true
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(host) && isIP(host) === 0 && place.hostname.endsWith(`.${host}`)
}

/** @param host of a did:web that controls the place @returns undefined if it publishes no document */
export async function readDidDocument(
  host: string,
  place: URL,
  source: KeySource,
): Promise<readonly PublishedKey[] | undefined> {
  const origin = host === place.host ? place.origin : `https://${host}`
  const document = (await source.document(`${origin}/.well-known/did.json`)) as
    | { readonly id?: unknown; readonly verificationMethod?: unknown }
    | null
    | undefined
  const did = toDidWeb(host)
  if (typeof document !== 'object' || document?.id !== did) return undefined
  const methods = Array.isArray(document.verificationMethod) ? document.verificationMethod : []
  return Promise.all(methods.slice(0, MAX_METHODS).map(method => toPublished(method, did)))
}

export const toDidWeb = (host: string): string => `did:web:${host.replace(':', '%3A')}`

async function toPublished(method: unknown, did: string): Promise<PublishedKey> {
  const { id, publicKeyJwk, publicKeyMultibase, blockchainAccountId } = (method ?? {}) as Readonly<
    Record<string, unknown>
  >
  const name = typeof id === 'string' && id.length <= MAX_NAME ? id : ''
  const account = typeof blockchainAccountId === 'string' ? blockchainAccountId : ''
  return {
    id: name.startsWith('#') ? `${did}${name}` : name,
    key: (await keyFromJwk(publicKeyJwk)) ?? (await keyFromMultibase(publicKeyMultibase)),
    account: /^eip155:\d+:(0x[0-9a-f]{40})$/i.exec(account)?.[1]?.toLowerCase(),
  }
}

/** The DIDs that may sign for the host, from its `_controllers` records. */
export async function readControllers(place: URL, source: KeySource): Promise<readonly string[]> {
  const host = place.hostname.replace(/\.$/, '')
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0 || !host.includes('.')) return []
  const records = await source.txt(`_controllers.${host}`)
  return records
    .filter(record => /^v=1(;|$)/.test(record))
    .flatMap(record => record.split(';'))
    .flatMap(part => /^\s*controller=(\S+)\s*$/.exec(part)?.[1] ?? [])
}
