// How far each chain has been read, and for whom.
import type { ChainCursor, Checkpoint, Payee } from '../payments.ts'
import type { Query } from './link.ts'

export async function findCursor(query: Query, chain: string): Promise<ChainCursor | undefined> {
  const [row] = await query('SELECT block, hash, earlier FROM chain_cursors WHERE chain = $1', [chain])
  if (!row) return undefined
  const [block, hash, earlier] = row as [number, string, Checkpoint[]]
  return { block, hash, earlier }
}

export async function saveCursor(query: Query, chain: string, cursor: ChainCursor): Promise<void> {
  const { block, hash, earlier } = cursor
  await query(
    `INSERT INTO chain_cursors (chain, block, hash, earlier) VALUES ($1, $2, $3, $4::text::json)
     ON CONFLICT (chain) DO UPDATE SET block = excluded.block, hash = excluded.hash, earlier = excluded.earlier`,
    [chain, block, hash, JSON.stringify(earlier)],
  )
}

export async function listPayees(query: Query, chain: string): Promise<Payee[]> {
  const text = 'SELECT address, read_from, goal FROM chain_payees WHERE chain = $1 ORDER BY address'
  return (await query(text, [chain])).map(row => {
    const [address, readFrom, goal] = row as [string, number, number]
    return { address, readFrom, goal }
  })
}

export async function savePayees(query: Query, chain: string, payees: readonly Payee[]): Promise<void> {
  if (payees.length === 0) return
  // One statement cannot write a row twice: of the same address the last word counts.
  const rows = [...new Map(payees.map(payee => [payee.address, payee])).values()]
  await query(
    `INSERT INTO chain_payees (chain, address, read_from, goal)
       SELECT $1, address, "readFrom", goal FROM json_to_recordset($2::text::json)
         AS row (address text, "readFrom" bigint, goal bigint)
     ON CONFLICT (chain, address) DO UPDATE SET read_from = excluded.read_from, goal = excluded.goal`,
    [chain, JSON.stringify(rows)],
  )
}

export async function dropPayees(query: Query, chain: string, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return
  await query(
    `DELETE FROM chain_payees WHERE chain = $1 AND address IN
       (SELECT * FROM json_array_elements_text($2::text::json))`,
    [chain, JSON.stringify(addresses)],
  )
}

/** What lies after the cursor is still to be read, for everybody. */
export async function goBack(query: Query, chain: string, to: ChainCursor): Promise<void> {
  await Promise.all([
    saveCursor(query, chain, to),
    query('UPDATE chain_payees SET read_from = least(read_from, $1::bigint) WHERE chain = $2', [
      to.block + 1,
      chain,
    ]),
  ])
}

export async function forgetChain(query: Query, chain: string): Promise<void> {
  await Promise.all([
    query('DELETE FROM chain_cursors WHERE chain = $1', [chain]),
    query('DELETE FROM chain_payees WHERE chain = $1', [chain]),
  ])
}
