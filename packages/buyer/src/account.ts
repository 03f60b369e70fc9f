// The account of the user's API key at its directory: each payment is reserved there before it is signed, and reported after it.
import type { Directory } from 'shirube/directory/directory.ts'
import { DirectoryError } from 'shirube/domain/errors.ts'
import type { Purchase } from 'shirube/domain/purchases/purchases.ts'
import { type Message, say } from 'shirube/messages/message.ts'
import type { Conclusion } from 'shirube/store/purchases.ts'

export interface Account {
  /** @returns why it must not be paid: the policy, the budget, or a directory that does not respond */
  reserve(purchase: Purchase, validForSeconds: number | null): Promise<Message | undefined>
  /** Resolves to false if the directory does not know it yet, and must be told again. */
  report(purchase: Purchase): Promise<boolean>
}

/** Refusals of a report that another attempt would not change. */
const FINAL: readonly string[] = ['not_found', 'forbidden', 'idempotency_conflict', 'invalid_request']

/** undefined without a key. A key without a policy has no budget, and its payments are not reserved. */
export function toAccount(
  directory: Pick<Directory, 'reserve' | 'reportPayment'>,
  key: string | undefined,
): Account | undefined {
  if (key === undefined) return undefined
  return {
    async reserve({ id, chain, asset, payTo, amount, detail: { url, method } }, validForSeconds) {
      const body = { id, url, method, network: chain, asset, payTo, amount, validSeconds: validForSeconds }
      try {
        const { state } = await directory.reserve(body, { key })
        return state === 'reserved' ? undefined : say('spending_concluded', { state })
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error
        return error.said.code === 'spending_not_kept' ? undefined : error.said
      }
    },
    async report({ id, state, transaction }) {
      if (state !== 'settled' && state !== 'released' && state !== 'unknown') return true
      // What may have been taken counts.
      const body = state === 'released' ? { state } : { state: 'settled', transaction }
      try {
        await directory.reportPayment(id, body, { key })
        return true
      } catch (error) {
        if (!(error instanceof DirectoryError)) throw error
        return FINAL.includes(error.code)
      }
    },
  }
}

/** Reported first: a conclusion that the directory could not be told stays open here, and is told again. */
export async function reportTo(
  account: Account | undefined,
  purchase: Purchase,
  conclusion: Conclusion,
): Promise<Conclusion> {
  const isReported = !account || (await account.report({ ...purchase, ...conclusion }))
  return isReported ? conclusion : { ...conclusion, state: 'signed' }
}
