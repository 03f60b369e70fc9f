// A standby that becomes the primary may lack the last commits of the old one, which a node may have read already. Then
// the numbers jump, so that none is ever used for two writes, and each node takes back what it read beyond the fork.
import type { Entry } from '../../domain/service.ts'
import type { Change, Seq } from '../store.ts'
import type { Query } from './link.ts'

/** More than can be under way at once. */
export const JUMP = 1_000_000

/** What a node may have read that its primary had not yet handed to a standby: a second or two of writes. */
const REMEMBERED = 20_000

type Delivered = { readonly seq: Seq; readonly objectSeq: Seq }

/** What is taken back after a fork: each id once, under a number of its own out of the gap, whoever asks and however often. */
type Retraction = {
  readonly seqs: Map<string, Seq>
  /** Those whose public object was among what was lost. */
  readonly objects: Set<string>
  last: Seq
}

export class ForkGuard {
  readonly #delivered = new Map<string, Delivered>()
  /** By the seq after which commits were lost. */
  readonly #retractions = new Map<Seq, Retraction>()

  /** A page of the feed, after what has to be taken back first. */
  async heal(query: Query, since: Seq, limit: number, page: Change[]): Promise<Change[]> {
    const first = page[0]
    const hasJumped = first !== undefined && since > 0 && first.seq - since > JUMP / 2
    const lost = hasJumped ? await this.#takeBack(query, since, limit) : []
    const rest = lost.length === 0 ? page : page.slice(0, limit - lost.length)
    this.#remember(rest)
    return lost.length === 0 ? rest : [...lost, ...rest]
  }

  #remember(page: readonly Change[]): void {
    for (const { id, seq, objectSeq } of page.slice(-REMEMBERED)) {
      this.#delivered.delete(id)
      this.#delivered.set(id, { seq, objectSeq })
    }
    for (const id of this.#delivered.keys()) {
      if (this.#delivered.size <= REMEMBERED) break
      this.#delivered.delete(id)
    }
  }

  async #takeBack(query: Query, since: Seq, limit: number): Promise<Change[]> {
    const [fork] = await query('SELECT base_seq, next_seq FROM forks WHERE base_seq < $1 AND next_seq > $1', [
      since,
    ])
    if (!fork) return []
    const [base, next] = fork as [Seq, Seq]
    const { seqs, objects } = this.#retract(base, next, since)
    const due = [...seqs].filter(([, seq]) => seq > since).slice(0, limit)
    const rows = await query(
      `SELECT id, object_seq, entry FROM services
       WHERE id IN (SELECT * FROM json_array_elements_text($1::text::json))`,
      [JSON.stringify(due.map(([id]) => id))],
    )
    const present = new Map(
      rows.map(([id, objectSeq, entry]) => [
        id as string,
        { objectSeq: objectSeq as Seq, entry: entry as Entry | null },
      ]),
    )
    return due.map(([id, seq]) => {
      const { objectSeq, entry } = present.get(id) ?? { objectSeq: seq, entry: null }
      // Who follows the public object has the lost one, and is told of the one that stands.
      const isNews = objects.has(id) && objectSeq <= base
      return { seq, objectSeq: isNews ? seq : objectSeq, id, entry }
    })
  }

  /** Numbers out of the gap, behind all that was read: a cursor moves on with them and never meets them again. */
  #retract(base: Seq, next: Seq, since: Seq): Retraction {
    const retraction = this.#retractions.get(base) ?? { seqs: new Map(), objects: new Set(), last: base }
    this.#retractions.set(base, retraction)
    const lost = [...this.#delivered].filter(([, { seq }]) => seq > base && seq < next)
    for (const [, { seq }] of lost) retraction.last = Math.max(retraction.last, seq)
    if (lost.length > 0) retraction.last = Math.max(retraction.last, since)
    for (const [id, { objectSeq }] of lost) {
      this.#delivered.delete(id)
      if (retraction.seqs.has(id)) continue
      retraction.seqs.set(id, ++retraction.last)
      if (objectSeq > base) retraction.objects.add(id)
    }
    return retraction
  }
}
