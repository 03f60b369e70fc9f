// The read position of each chain, and the payees that are read.
import type { ChainCursor, Checkpoint, Payee, Sent, Side } from '../payments.ts'
import { rowsOf, type SqliteSession } from './session.ts'

/** Its functions run inside the caller's transaction or read. */
export function createChainTables(session: SqliteSession) {
  const cursor = session.prepare('SELECT block, hash, earlier FROM chain_cursors WHERE chain = ?')
  const saveCursor = session.prepare(
    'INSERT OR REPLACE INTO chain_cursors (chain, block, hash, earlier) VALUES (?, ?, ?, ?)',
  )
  const dropCursor = session.prepare('DELETE FROM chain_cursors WHERE chain = ?')
  const payees = session.prepare(
    'SELECT address, side, read_from, goal, plan FROM chain_payees WHERE chain = ? ORDER BY address, side',
  )
  const savePayee = session.prepare(
    'INSERT OR REPLACE INTO chain_payees (chain, address, side, read_from, goal, plan) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const savePlan = session.prepare(
    "UPDATE chain_payees SET plan = ? WHERE chain = ? AND address = ? AND side = 'received'",
  )
  const dropPayee = session.prepare('DELETE FROM chain_payees WHERE chain = ? AND address = ? AND side = ?')
  const dropPayees = session.prepare('DELETE FROM chain_payees WHERE chain = ?')
  const saveSent = session.prepare(
    `INSERT INTO payee_transfers (chain, payee, receiver, block) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET block = min(block, excluded.block)`,
  )
  const dropSent = session.prepare('DELETE FROM payee_transfers WHERE chain = ? AND payee = ?')
  const dropSentAfter = session.prepare('DELETE FROM payee_transfers WHERE chain = ? AND block > ?')
  const goBack = session.prepare('UPDATE chain_payees SET read_from = min(read_from, ?) WHERE chain = ?')

  const save = (chain: string, { block, hash, earlier }: ChainCursor) =>
    void saveCursor.run(chain, block, hash, JSON.stringify(earlier))

  return {
    cursor(chain: string): ChainCursor | undefined {
      const [row] = rowsOf(cursor, chain)
      if (!row) return undefined
      const [block, hash, earlier] = row as [number, string, string]
      return { block, hash, earlier: JSON.parse(earlier) as Checkpoint[] }
    },
    saveCursor: save,
    payees: (chain: string): Payee[] =>
      rowsOf(payees, chain).map(row => {
        const [address, side, readFrom, goal, plan] = row as [string, Side, number, number, string]
        return { address, side, readFrom, goal, plan }
      }),
    savePayee: (chain: string, { address, side, readFrom, goal, plan }: Payee) =>
      void savePayee.run(chain, address, side, readFrom, goal, plan),
    savePlan: (chain: string, payee: string, plan: string) => void savePlan.run(plan, chain, payee),
    /** Stores only the first transfer to a receiver: queries only test whether there was one. */
    saveSent: (chain: string, { payee, receiver, block }: Sent) =>
      void saveSent.run(chain, payee, receiver, block),
    dropPayee(chain: string, { address, side }: Pick<Payee, 'address' | 'side'>): void {
      dropPayee.run(chain, address, side)
      if (side === 'sent') dropSent.run(chain, address)
    },
    /** Blocks after the cursor have to be read again, for every payee. */
    goBack(chain: string, to: ChainCursor): void {
      save(chain, to)
      goBack.run(to.block + 1, chain)
      dropSentAfter.run(chain, to.block)
    },
    forget(chain: string): void {
      dropCursor.run(chain)
      dropPayees.run(chain)
      dropSentAfter.run(chain, -1)
    },
  }
}
