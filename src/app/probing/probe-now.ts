// One probe of a service on the operator's request.

import { DirectoryError } from '../../domain/errors.ts'
import { isNeverProbed } from '../../domain/hosts/endpoint.ts'
import type { ProbeRecord } from '../../domain/standing/probes.ts'
import { say } from '../../messages/message.ts'
import { HostBusy } from '../../probe/requests/host-gate.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { Store, StoredEntry } from '../../store/store.ts'
import type { Config } from '../config.ts'
import { openProbing } from './probing.ts'

/** How long the operator's command waits for a busy host. */
const HOST_PATIENCE_MS = 60_000

/** Probes it and records the result. @throws DirectoryError `invalid_request` if it is never probed, `rate_limited` */
export async function probeNow(
  config: Config,
  store: Store,
  clock: Clock,
  stored: StoredEntry,
): Promise<ProbeRecord> {
  if (stored.entry.sample || isNeverProbed(stored.entry.endpoint))
    throw new DirectoryError('invalid_request', say('never_probed'))
  await using probing = openProbing(config, store, clock)
  const { prober } = probing
  const measured = await prober
    .measure(stored, { patienceMs: HOST_PATIENCE_MS }, { all: true })
    .catch(error => {
      if (!(error instanceof HostBusy)) throw error
      throw new DirectoryError('rate_limited', say('host_busy', { host: error.place }))
    })
  await prober.record(measured)
  return measured.probe
}
