// Assembly of probing, shared by the server and the operator.

import { isSignedByPayee } from '../../directory/sign-in.ts'
import type { Checker } from '../../domain/check.ts'
import { NO_RATES, type Rates } from '../../domain/money/rates.ts'
import { VERSION } from '../../package/version.ts'
import { createChecker } from '../../probe/checker.ts'
import { createProofReader } from '../../probe/documents/proof-reader.ts'
import { createProbe } from '../../probe/probe.ts'
import { createHostGate } from '../../probe/requests/host-gate.ts'
import { createSafeFetch } from '../../probe/requests/safe-fetch.ts'
import { createServiceProber, type ServiceProber } from '../../probe/service-prober.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Store } from '../../store/store.ts'
import type { Config } from '../config.ts'

export const toUserAgent = (part: string, publicUrl: string | undefined): string =>
  `Shirube-${part}/${VERSION}${publicUrl ? ` (+${publicUrl})` : ''}`

export interface Probing {
  readonly prober: ServiceProber
  readonly check: Checker
}

/** All probes go through one host gate. */
export function createProbing(
  {
    allowPrivateEndpoints,
    exempt,
    publicUrl,
  }: Pick<Config, 'allowPrivateEndpoints' | 'publicUrl'> & { readonly exempt?: readonly string[] },
  store: Pick<Store, 'probes' | 'terms'>,
  clock: Clock,
  rates: () => Rates = () => NO_RATES,
): Probing {
  const userAgent = toUserAgent('Prober', publicUrl)
  const gate = createHostGate(clock)
  const fetch = createSafeFetch({ allowPrivate: allowPrivateEndpoints, ...(exempt && { exempt }) })
  const probe = createProbe({ fetch, userAgent, gate, clock, rates })
  const readProof = createProofReader({ fetch, isSigned: isSignedByPayee, userAgent, gate, clock })
  return {
    prober: createServiceProber({ store, probe, readProof, clock }),
    // The requests refuse what is private and not exempt.
    check: createChecker({ probe, readProof, clock, allowPrivate: allowPrivateEndpoints || !!exempt }),
  }
}
