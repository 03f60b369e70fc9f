// Assembly of everything that asks strangers whether they can be paid: the server and the operator use the same.
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { VERSION } from './http/version.ts'
import { createChecker } from './probe/checker.ts'
import { createHostGate } from './probe/host-gate.ts'
import { createServiceProber } from './probe/probe-service.ts'
import { createProber } from './probe/prober.ts'
import { createSafeFetch } from './probe/safe-fetch.ts'
import type { Store } from './store/store.ts'

export const toUserAgent = (part: string, publicUrl: string | undefined): string =>
  `Shirube-${part}/${VERSION}${publicUrl ? ` (+${publicUrl})` : ''}`

/** What is made here goes through one gate. */
export function createProbing(
  { allowPrivateEndpoints, publicUrl }: Pick<Config, 'allowPrivateEndpoints' | 'publicUrl'>,
  store: Pick<Store, 'probes'>,
  clock: Clock,
) {
  const userAgent = toUserAgent('Prober', publicUrl)
  const probe = createProber({ fetch: createSafeFetch({ allowPrivate: allowPrivateEndpoints }), userAgent })
  const gate = createHostGate(clock)
  return {
    gate,
    prober: createServiceProber({ store, probe, gate, clock }),
    check: createChecker({ probe, gate, clock, allowPrivate: allowPrivateEndpoints }),
  }
}
