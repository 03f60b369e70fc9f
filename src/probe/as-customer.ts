/**
 * Compares what a customer is answered with what we are answered under our name. Both are asked in turn until they agree or the requests
 * are spent: terms that are new since a minute, or that are different each time, differ from themselves too and are no cloak.
 */

import { addressKey } from '../domain/same-address.ts'
import type { Asked } from './asked.ts'
import { hasTerms, isFinal } from './asked.ts'
import type { Asking, Identity } from './asking.ts'
import { askTools } from './mcp-terms.ts'

export type Comparison = {
  /** `differs`: it was not asked often enough to tell a cloak from a change. */
  readonly result: 'same' | 'cloaked' | 'unsteady' | 'differs'
  /** Nothing but the payee is another one in each answer. */
  readonly hasDynamicPayee: boolean
  /** What was answered under our name. */
  readonly named: Asked
}

/** Twice each: a single difference may be a change that came between. */
const MIN_ANSWERS = 4

/**
 * @param first what a customer was answered
 * @param before what was answered under our name since then, and whether an earlier probe saw a difference too
 * @returns undefined where it could not be asked
 */
export async function compareAsCustomer(
  asking: Asking,
  first: Asked,
  before: { readonly named?: Asked | undefined; readonly differed: boolean },
): Promise<Comparison | undefined> {
  const customer = [first]
  const named: Asked[] = before.named ? [before.named] : []
  const cost = costOf(first)
  while (asking.left >= cost) {
    const as: Identity = named.length < customer.length ? 'directory' : 'customer'
    const asked = await askAgain(asking, first, as)
    if (!asked || isFinal(asked)) return undefined
    const answers = as === 'directory' ? named : customer
    answers.push(asked)
    if (named.length === 1 && fingerprint(first) === fingerprint(named[0]!))
      return { result: 'same', hasDynamicPayee: false, named: named[0]! }
    if (!areAll(customer.map(fingerprint)) || !areAll(named.map(fingerprint)))
      return {
        result: 'unsteady',
        hasDynamicPayee: hasDynamicPayee([...customer, ...named]),
        named: named[0]!,
      }
  }
  if (!named[0]) return undefined
  const isEnough = before.differed || customer.length + named.length >= MIN_ANSWERS
  return { result: isEnough ? 'cloaked' : 'differs', hasDynamicPayee: false, named: named[0] }
}

/** Asked the same once and twice more, does it name another payee each time? A single difference may be a change. */
export async function findDynamicPayee(asking: Asking, first: Asked): Promise<boolean> {
  const answers = [first]
  while (answers.length < 3) {
    const next = asking.left < costOf(first) ? undefined : await askAgain(asking, first, asking.identity)
    if (!next) return false
    answers.push(next)
    if (!hasDynamicPayee(answers)) return false
  }
  return true
}

const askAgain = (asking: Asking, { ask }: Asked, as: Identity): Promise<Asked | undefined> =>
  ask.tool === undefined ? asking.ask(ask, as) : askTools(asking, ask.url, ask, as)

/** A tool takes a session of its own. */
const costOf = ({ ask }: Asked): number => (ask.tool === undefined ? 1 : 3)

const areAll = (fingerprints: readonly string[]): boolean => new Set(fingerprints).size === 1

/** What a payer would do by it; without terms the status. */
function fingerprint(asked: Asked): string {
  const { reading, status } = asked
  if (!reading?.readable || !hasTerms(asked)) return String(status)
  return JSON.stringify([
    reading.version,
    reading.payments
      .map(({ scheme, chain, payTo, asset, amount, moneyKey }) =>
        [scheme, chain, addressKey(payTo, chain), addressKey(asset, chain), amount, moneyKey].join(' '),
      )
      .sort(),
    reading.unread,
  ])
}

/** All ask the same of everybody, but for the payee, which is another one in each. */
function hasDynamicPayee(answers: readonly Asked[]): boolean {
  const readings = answers.flatMap(({ reading }) => (reading?.readable ? [reading] : []))
  if (readings.length < answers.length || readings.length < 2) return false
  const rest = readings.map(({ payments }) =>
    payments.map(({ scheme, chain, asset, amount }) => [scheme, chain, asset, amount].join(' ')).join('\n'),
  )
  const payees = readings.map(({ payments }) =>
    payments.map(({ payTo, chain }) => addressKey(payTo, chain)).join('\n'),
  )
  return areAll(rest) && new Set(payees).size === payees.length
}
