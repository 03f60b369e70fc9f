// How much may be spent: per call, and per service, per seller and in all within any 24 hours. Pure; the stores count.
import { type Message, say } from '../messages/message.ts'
import { fromMicroDollars } from './micro-dollars.ts'

/** In millionths of a dollar. */
export type Caps = {
  readonly perCall: number
  readonly perService: number
  /** For one registrable domain, and for one payee: one seller may have many ports, names and listings. */
  readonly perHost: number
  readonly perDay: number
}

/** What is spent or reserved within the window, in millionths of a dollar. */
export type Spent = {
  readonly service: number
  readonly host: number
  readonly payee: number
  readonly day: number
}

export type CapPassed = {
  readonly cap: 'call' | 'service' | 'host' | 'payee' | 'day'
  readonly spent: number
  readonly most: number
}

/** Not a day of the calendar: at its end twice as much could be spent within minutes. */
export const CAP_WINDOW_MS = 24 * 3_600_000

/** @returns the first cap that would be passed */
export function findPassed(asked: number, spent: Spent, caps: Caps): CapPassed | undefined {
  const all: readonly CapPassed[] = [
    { cap: 'call', spent: 0, most: caps.perCall },
    { cap: 'service', spent: spent.service, most: caps.perService },
    { cap: 'host', spent: spent.host, most: caps.perHost },
    { cap: 'payee', spent: spent.payee, most: caps.perHost },
    { cap: 'day', spent: spent.day, most: caps.perDay },
  ]
  return all.find(({ spent, most }) => !(spent + asked <= most))
}

/** @param usd what is asked for */
export const toCapPassed = ({ cap, spent, most }: CapPassed, usd: string): Message =>
  say('cap_passed', { cap, asked: usd, spent: fromMicroDollars(spent), most: fromMicroDollars(most) })
