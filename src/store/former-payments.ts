// Payments in backups of versions that kept every transfer: none of them counts, and their chains are read anew.
import type { BackupRecord } from './backup.ts'

export class FormerPayments {
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
    if (kind === 'paymentTotal') {
      this.#paid.add(record.serviceId as string)
      return undefined
    }
    if (kind !== 'payee') return record
    const readFrom = (this.#cursors.get(chain as string) ?? -1) + 1
    return { kind: 'wallet', chain, address, side: 'received', readFrom, goal, plan: '' }
  }
}
