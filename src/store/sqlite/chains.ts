// How far each chain has been read, and for whom.
import type { ChainCursor, Checkpoint, Payee } from '../payments.ts'
import { rowsOf, type SqliteSession } from './session.ts'

/** Its functions run inside the transaction, or the read, of whoever calls them. */
export function createChainTables(session: SqliteSession) {
  const cursor = session.prepare('SELECT block, hash, earlier FROM chain_cursors WHERE chain = ?')
  const saveCursor = session.prepare(
    'INSERT OR REPLACE INTO chain_cursors (chain, block, hash, earlier) VALUES (?, ?, ?, ?)',
  )
  const dropCursor = session.prepare('DELETE FROM chain_cursors WHERE chain = ?')
  const payees = session.prepare(
    'SELECT address, read_from, goal FROM chain_payees WHERE chain = ? ORDER BY address',
  )
  const savePayee = session.prepare(
    'INSERT OR REPLACE INTO chain_payees (chain, address, read_from, goal) VALUES (?, ?, ?, ?)',
  )
  const dropPayee = session.prepare('DELETE FROM chain_payees WHERE chain = ? AND address = ?')
  const dropPayees = session.prepare('DELETE FROM chain_payees WHERE chain = ?')
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
        const [address, readFrom, goal] = row as [string, number, number]
        return { address, readFrom, goal }
      }),
    savePayee: (chain: string, { address, readFrom, goal }: Payee) =>
      void savePayee.run(chain, address, readFrom, goal),
    dropPayee: (chain: string, address: string) => void dropPayee.run(chain, address),
    /** What lies after the cursor is still to be read, for everybody. */
    goBack(chain: string, to: ChainCursor): void {
      save(chain, to)
      goBack.run(to.block + 1, chain)
    },
    forget(chain: string): void {
      dropCursor.run(chain)
      dropPayees.run(chain)
    },
  }
}
