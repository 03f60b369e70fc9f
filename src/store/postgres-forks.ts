// A standby that becomes the primary may lack the last commits of the old one, which a node may have read already. Then
// the numbers jump, so that none is ever used for two writes, and each node takes back what it read beyond the fork.
import type { Entry } from '../domain/service.ts'
import type { Query } from './postgres-link.ts'
import type { Change, Seq } from './store.ts'

/** More than can be under way at once. */
export const JUMP = 1_000_000

/** What a node may have read that its primary had not yet handed to a standby: a second or two of writes. */
const REMEMBERED = 20_000

export class ForkGuard {
  readonly #delivered = new Map<string, Seq>()

  /** A page of the feed, after what has to be taken back first. */
  async heal(query: Query, since: Seq, limit: number, page: Change[]): Promise<Change[]> {
    const first = page[0]
    const hasJumped = first !== undefined && since > 0 && first.seq - since > JUMP / 2
    const healed = hasJumped ? [...(await this.#takeBack(query, since)), ...page].slice(0, limit) : page
    this.#remember(healed)
    return healed
  }

  #remember(page: readonly Change[]): void {
    for (const { id, seq } of page.slice(-REMEMBERED)) {
      this.#delivered.delete(id)
      this.#delivered.set(id, seq)
    }
    for (const id of this.#delivered.keys()) {
      if (this.#delivered.size <= REMEMBERED) break
      this.#delivered.delete(id)
    }
  }

  async #takeBack(query: Query, since: Seq): Promise<Change[]> {
    const [fork] = await query('SELECT base_seq FROM forks WHERE base_seq < $1 AND next_seq > $1', [since])
    if (!fork) return []
    const [base] = fork as [Seq]
    const ids = [...this.#delivered].filter(([, seq]) => seq > base && seq <= since).map(([id]) => id)
    const rows = await query(
      `SELECT id, object_seq, entry FROM services
       WHERE id IN (SELECT * FROM json_array_elements_text($1::text::json))`,
      [JSON.stringify(ids)],
    )
    const present = new Map(rows.map(([id, objectSeq, entry]) => [id, { objectSeq, entry }]))
    // Numbers out of the gap: the cursor moves on with them and never meets them again.
    return ids.map((id, index) => {
      const row = present.get(id)
      const seq = since + 1 + index
      return {
        seq,
        objectSeq: (row?.objectSeq as Seq | undefined) ?? seq,
        id,
        entry: (row?.entry as Entry | null | undefined) ?? null,
      }
    })
  }
}
