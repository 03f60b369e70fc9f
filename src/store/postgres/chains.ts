// The read position of each chain, and the payees that are read.
import type { ChainCursor, Checkpoint, Payee, Sent, Side } from '../payments.ts'
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
  const text =
    'SELECT address, side, read_from, goal, plan FROM chain_payees WHERE chain = $1 ORDER BY address, side'
  return (await query(text, [chain])).map(row => {
    const [address, side, readFrom, goal, plan] = row as [string, Side, number, number, string]
    return { address, side, readFrom, goal, plan }
  })
}

export async function savePayees(query: Query, chain: string, payees: readonly Payee[]): Promise<void> {
  if (payees.length === 0) return
  // One statement cannot write a row twice, so the last of several for one address wins.
  const rows = [...new Map(payees.map(payee => [`${payee.side} ${payee.address}`, payee])).values()]
  await query(
    `INSERT INTO chain_payees (chain, address, side, read_from, goal, plan)
       SELECT $1, address, side, "readFrom", goal, plan FROM json_to_recordset($2::text::json)
         AS row (address text, side text, "readFrom" bigint, goal bigint, plan text)
     ON CONFLICT (chain, address, side) DO UPDATE
       SET read_from = excluded.read_from, goal = excluded.goal, plan = excluded.plan`,
    [chain, JSON.stringify(rows)],
  )
}

export async function savePlan(query: Query, chain: string, payee: string, plan: string): Promise<void> {
  await query("UPDATE chain_payees SET plan = $3 WHERE chain = $1 AND address = $2 AND side = 'received'", [
    chain,
    payee,
    plan,
  ])
}

export async function dropPayees(
  query: Query,
  chain: string,
  payees: readonly Pick<Payee, 'address' | 'side'>[],
): Promise<void> {
  if (payees.length === 0) return
  await query(
    `DELETE FROM chain_payees WHERE chain = $1 AND (address, side) IN
       (SELECT address, side FROM json_to_recordset($2::text::json) AS row (address text, side text))`,
    [chain, JSON.stringify(payees)],
  )
  const senders = payees.filter(({ side }) => side === 'sent').map(({ address }) => address)
  if (senders.length === 0) return
  await query(
    `DELETE FROM payee_transfers WHERE chain = $1 AND payee IN
       (SELECT * FROM json_array_elements_text($2::text::json))`,
    [chain, JSON.stringify(senders)],
  )
}

/** Stores only the first transfer to a receiver: queries only test whether there was one. */
export async function saveSent(query: Query, chain: string, sent: readonly Sent[]): Promise<void> {
  if (sent.length === 0) return
  await query(
    `INSERT INTO payee_transfers (chain, payee, receiver, block)
       SELECT $1, payee, receiver, min(block) FROM json_to_recordset($2::text::json)
         AS row (payee text, receiver text, block bigint) GROUP BY payee, receiver
     ON CONFLICT (chain, payee, receiver) DO UPDATE SET block = least(payee_transfers.block, excluded.block)`,
    [chain, JSON.stringify(sent)],
  )
}

/** Blocks after the cursor have to be read again, for every payee. */
export async function goBack(query: Query, chain: string, to: ChainCursor): Promise<void> {
  await Promise.all([
    saveCursor(query, chain, to),
    query('UPDATE chain_payees SET read_from = least(read_from, $1::bigint) WHERE chain = $2', [
      to.block + 1,
      chain,
    ]),
    query('DELETE FROM payee_transfers WHERE chain = $1 AND block > $2', [chain, to.block]),
  ])
}

export async function forgetChain(query: Query, chain: string): Promise<void> {
  await Promise.all([
    query('DELETE FROM chain_cursors WHERE chain = $1', [chain]),
    query('DELETE FROM chain_payees WHERE chain = $1', [chain]),
    query('DELETE FROM payee_transfers WHERE chain = $1', [chain]),
  ])
}
