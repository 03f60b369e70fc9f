// What backups of older versions hold in another form. Of payments, where every transfer was kept, none counts, and their chains are
// read anew; purchases had no places, and the host with its port.
import type { Purchase } from '../domain/purchases.ts'
import type { BackupRecord } from './backup.ts'
import { toPresentPlaces } from './purchases.ts'

export class FormerRecords {
  readonly #cursors = new Map<string, number>()
  readonly #paid = new Set<string>()

  /** Services whose standing has sums of transfers. */
  get paid(): readonly string[] {
    return [...this.#paid]
  }

  /** The record as this version keeps it; undefined where it keeps nothing of it. A cursor comes before its payees. */
  toPresent(record: BackupRecord): BackupRecord | undefined {
    const { kind, chain, address, goal } = record
    if (kind === 'chain') this.#cursors.set(chain as string, record.block as number)
    if (kind === 'payment') return undefined
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

function withPlaces(record: BackupRecord): BackupRecord {
  const [host, payee, place, listedPlace] = toPresentPlaces(record as unknown as Purchase)
  return { ...record, host, payee, place, listedPlace }
}
