// A promoted standby may lack the last commits of the old primary, which a node may have read already. Then the seqs jump, so that
// none is used for two writes, and each node retracts what it read beyond the fork.
import type { Entry } from '../domain/listing/service.ts'
import { JUMP } from './group-commit.ts'
import { findEach, fromJson, type Query } from './session.ts'
import type { Change, Seq } from './store.ts'

/** Changes remembered for retraction: a second or two of writes that the primary had not yet replicated. */
const MAX_REMEMBERED = 20_000

type Delivered = { readonly seq: Seq; readonly objectSeq: Seq }

/** Retractions after a fork. Each id gets one seq out of the gap, the same for every reader and every read. */
type Retraction = {
  readonly seqs: Map<string, Seq>
  /** Ids whose public object changed in a lost write. */
  readonly objects: Set<string>
  last: Seq
}

export class ForkGuard {
  readonly #delivered = new Map<string, Delivered>()
  /** By the last seq before the lost commits. */
  readonly #retractions = new Map<Seq, Retraction>()

  /** A page of the feed, preceded by pending retractions. */
  async heal(query: Query, since: Seq, limit: number, page: Change[]): Promise<Change[]> {
    const first = page[0]
    const hasJumped = first !== undefined && since > 0 && first.seq - since > JUMP / 2
    const lost = hasJumped ? await this.#readRetractions(query, since, limit) : []
    const rest = lost.length === 0 ? page : page.slice(0, limit - lost.length)
    this.#remember(rest)
    return lost.length === 0 ? rest : [...lost, ...rest]
  }

  #remember(page: readonly Change[]): void {
    for (const { id, seq, objectSeq } of page.slice(-MAX_REMEMBERED)) {
      this.#delivered.delete(id)
      this.#delivered.set(id, { seq, objectSeq })
    }
    for (const id of this.#delivered.keys()) {
      if (this.#delivered.size <= MAX_REMEMBERED) break
      this.#delivered.delete(id)
    }
  }

  async #readRetractions(query: Query, since: Seq, limit: number): Promise<Change[]> {
    const [fork] = await query<[Seq, Seq]>(
      'SELECT base_seq, next_seq FROM forks WHERE base_seq < $1 AND next_seq > $1',
      [since],
    )
    if (!fork) return []
    const [base, next] = fork
    const { seqs, objects } = this.#retract(base, next, since)
    const pending = [...seqs].filter(([, seq]) => seq > since).slice(0, limit)
    const rows = await findEach<[string, Seq, string | null]>(
      query,
      'SELECT id, object_seq, entry FROM services WHERE id = $1',
      pending.map(([id]) => id),
    )
    const current = new Map(
      rows.map(([id, objectSeq, entry]) => [id, { objectSeq, entry: fromJson<Entry>(entry) }]),
    )
    return pending.map(([id, seq]) => {
      const { objectSeq, entry } = current.get(id) ?? { objectSeq: seq, entry: null }
      // Followers of the public object have the lost version, so the surviving one counts as a change.
      const isChanged = objects.has(id) && objectSeq <= base
      return { seq, objectSeq: isChanged ? seq : objectSeq, id, entry }
    })
  }

  /** Assigns seqs out of the gap, after all that was read: a cursor advances past them and never meets them again. */
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
