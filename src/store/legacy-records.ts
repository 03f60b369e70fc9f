// Upgrades records of older backups. Their payments included every transfer, so all are dropped and the chains are read again; their
// purchases had no places, and a host with its port; their samples had an invented standing.

import type { Entry } from '../domain/listing/service.ts'
import type { Purchase } from '../domain/purchases/purchases.ts'
import { initialStanding } from '../domain/standing/standing.ts'
import type { BackupRecord } from './backup.ts'
import { toUpgradedPlaces } from './purchases.ts'

export class LegacyRecords {
  readonly #cursors = new Map<string, number>()
  readonly #paid = new Set<string>()

  /** Services whose standing contains sums of transfers. */
  get paid(): readonly string[] {
    return [...this.#paid]
  }

  /** The record in the current format; undefined if it is dropped. A cursor comes before its payees. */
  upgrade(record: BackupRecord): BackupRecord | undefined {
    const { kind, chain, address, goal } = record
    if (kind === 'chain') this.#cursors.set(chain as string, record.block as number)
    if (kind === 'payment') return undefined
    if (kind === 'service') return withoutInvention(record)
    if (kind === 'purchase' && record.payee === undefined) return withPlaces(record)
    if (kind === 'paymentTotal') {
      this.#paid.add(record.serviceId as string)
      return undefined
    }
    if (kind !== 'payee') return record
    const readFrom = (this.#cursors.get(chain as string) ?? -1) + 1
    return { kind: 'wallet', chain, address, side: 'received', readFrom, goal, plan: '' }
  }
}

function withoutInvention(record: BackupRecord): BackupRecord {
  const entry = record.entry as Entry | null
  if (!entry?.sample) return record
  const { x402Config, createdAt } = entry
  return {
    ...record,
    entry: { ...entry, supportedChains: [x402Config.network], standing: initialStanding(createdAt) },
  }
}

function withPlaces(record: BackupRecord): BackupRecord {
  const [host, payee, place, listedPlace] = toUpgradedPlaces(record as unknown as Purchase)
  return { ...record, host, payee, place, listedPlace }
}
