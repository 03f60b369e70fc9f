// Spending caps: per call, and per service, per seller and in total within any 24 hours. Pure; the stores sum up what was spent.
import { type Message, say } from '../../messages/message.ts'
import { fromMicroDollars } from '../money/micro-dollars.ts'

/** In micro-dollars (millionths of a dollar). */
export type Caps = {
  readonly perCall: number
  readonly perService: number
  /** For one registrable domain, and for one payee: a seller may have many ports, names and listings. */
  readonly perHost: number
  readonly perDay: number
}

/** Spent or reserved within the window, in micro-dollars. */
export type Spent = {
  readonly service: number
  readonly host: number
  readonly payee: number
  readonly day: number
}

export type ExceededCap = {
  readonly cap: 'call' | 'service' | 'host' | 'payee' | 'day'
  readonly spent: number
  readonly max: number
}

/** A sliding window and not a calendar day: around midnight twice the cap could be spent within minutes. */
export const CAP_WINDOW_MS = 24 * 3_600_000

/** @returns the first cap that would be exceeded */
export function findExceededCap(amount: number, spent: Spent, caps: Caps): ExceededCap | undefined {
  const all: readonly ExceededCap[] = [
    { cap: 'call', spent: 0, max: caps.perCall },
    { cap: 'service', spent: spent.service, max: caps.perService },
    { cap: 'host', spent: spent.host, max: caps.perHost },
    { cap: 'payee', spent: spent.payee, max: caps.perHost },
    { cap: 'day', spent: spent.day, max: caps.perDay },
  ]
  return all.find(({ spent, max }) => !(spent + amount <= max))
}

/** @param usd the requested amount */
export const toCapMessage = ({ cap, spent, max }: ExceededCap, usd: string): Message =>
  say('cap_passed', { cap, asked: usd, spent: fromMicroDollars(spent), most: fromMicroDollars(max) })
