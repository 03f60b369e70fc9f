// Resolves a host before the connection. The connection uses these addresses without another lookup: the address
// checked and counted is the address connected to.
import { isIP } from 'node:net'
import { type Message, say } from '../../messages/message.ts'
import { dnsFailure, type Failure, failure } from './remote-failure.ts'

export type ResolvedAddress = { readonly address: string; readonly family: 4 | 6 }
export type Lookup = (host: string) => Promise<readonly ResolvedAddress[]>

export type ResolveOptions = {
  /** @returns why a host or address must not be connected to */
  readonly judge: (host: string) => Message | undefined
  /** Defaults to the system's resolver. */
  readonly lookup?: Lookup | undefined
  /** Timeouts, with the failure of each. */
  readonly expiry: readonly { readonly signal: AbortSignal; readonly failure: Failure }[]
  /** The caller's; rejects with its reason. */
  readonly signal: AbortSignal | undefined
}

/**
 * Looks up each family separately: asked for both, a resolver may leave out the one that this machine cannot reach. Not by the C
 * library, which keeps a thread for each lookup: four names whose name server is silent would then hold up the lookups of all others.
 */
const systemLookup: Lookup = async host => {
  const found = await Promise.allSettled(
    ([4, 6] as const).map(async family =>
      (await Bun.dns.lookup(host, { family, backend: 'c-ares' })).map(({ address }) => ({ address, family })),
    ),
  )
  const addresses = found.flatMap(each => (each.status === 'fulfilled' ? each.value : []))
  // A name in the file of hosts may be listed twice.
  if (addresses.length > 0) return [...new Map(addresses.map(each => [each.address, each])).values()]
  throw found.find(each => each.status === 'rejected')?.reason
}

/** Rejects only for local reasons: the caller's signal, or no free sockets. */
export async function resolveHost(
  hostname: string,
  options: ResolveOptions,
): Promise<readonly ResolvedAddress[] | Failure> {
  const { judge, lookup = systemLookup } = options
  const problem = judge(hostname)
  if (problem) return failure('private_address', problem)
  const host = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  if (family) return [{ address: host, family: family === 6 ? 6 : 4 }]
  const found = await within(
    lookup(host).catch(error => dnsFailure(host, error)),
    options,
  )
  if ('reason' in found) return found
  if (found.length === 0) return dnsFailure(host, undefined)
  // One forbidden address among good ones rejects all: it shows that the owner of the name is attacking.
  const astray = found.map(({ address }) => judge(address)).find(problem => problem !== undefined)
  if (astray) return failure('private_address', say('name_leads_astray', { host, problem: astray }))
  return found
}

/** A lookup cannot be aborted, but the wait for it can. */
function within<T>(found: Promise<T>, { expiry, signal }: ResolveOptions): Promise<T | Failure> {
  const { promise, resolve, reject } = Promise.withResolvers<T | Failure>()
  const ended = new AbortController()
  const when = (by: AbortSignal, react: () => void) => {
    if (by.aborted) react()
    else by.addEventListener('abort', react, { once: true, signal: ended.signal })
  }
  found.then(resolve, reject)
  for (const { signal: by, failure } of expiry) when(by, () => resolve(failure))
  if (signal) when(signal, () => reject(signal.reason))
  return promise.finally(() => ended.abort())
}
