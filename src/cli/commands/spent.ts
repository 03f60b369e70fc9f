// The user's own ledger, as text.
import { loadConfig } from '../../app/config.ts'
import { readSpending } from '../../app/spending.ts'
import { toReceipt } from '../../domain/purchases/paid-calls.ts'
import type { Purchase } from '../../domain/purchases/purchases.ts'
import type { SpentOn } from '../../domain/purchases/spending.ts'
import { toOneLine } from '../../domain/text/unseen.ts'
import { systemClock } from '../../runtime/clock.ts'
import { EXIT, type Line, UsageError } from '../syntax/command.ts'
import { table } from '../text/table.ts'
import { outputWidth, print, printJson } from '../text/terminal.ts'

const MAX_LISTED = 1_000

export async function runSpent({ flags, switches }: Line): Promise<number> {
  const limit = /^\d{1,4}$/.test(flags.limit ?? '20') ? Number(flags.limit ?? '20') : 0
  if (limit < 1 || limit > MAX_LISTED)
    throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LISTED}.`)
  const found = await readSpending(loadConfig(flags), systemClock, limit)
  if (switches.has('json')) {
    const { uncertain, newest, ...rest } = found
    await printJson({ ...rest, uncertain: uncertain.map(toReceipt), newest: newest.map(toReceipt) })
  } else await print(spentText(found))
  return EXIT.fine
}

function spentText({ day, caps, services, hosts, payees, uncertain, newest, file }: Found): string {
  return [
    toOneLine(`Ledger       ${file}`),
    `In 24 hours  $${day.usd} for ${day.purchases} ${day.purchases === 1 ? 'purchase' : 'purchases'}; ${isSet(caps.perDay) ? `$${day.left} of $${caps.perDay} are left` : 'no cap is set here (--per-day, BUDGET_PER_DAY)'}`,
    `Per call     $${caps.perCall}`,
    ...section('Service', services, caps.perService),
    ...section('Host', hosts, caps.perHost),
    ...section('Payee', payees, caps.perHost),
    ...(uncertain.length > 0
      ? [
          '',
          `Not known to be settled: ${uncertain.length}. They count until it is known that nothing was taken.`,
        ]
      : []),
    ...(newest.length > 0 ? ['', table(newest, COLUMNS, outputWidth())] : []),
  ].join('\n')
}
type Found = Awaited<ReturnType<typeof readSpending>>

/** A ledger is shared by processes with caps of their own, so that none may be set here. */
const isSet = (cap: string): boolean => cap !== '0'

const section = (title: string, spent: readonly SpentOn[], cap: string): string[] =>
  spent.length === 0
    ? []
    : [
        '',
        table(
          spent,
          [
            { title, cell: ({ of }) => of || '(not listed)' },
            { title: 'Purchases', cell: ({ purchases }) => String(purchases), align: 'right' },
            { title: 'Spent', cell: ({ usd }) => `$${usd}`, align: 'right' },
            ...(isSet(cap)
              ? [
                  {
                    title: `Left of $${cap}`,
                    cell: ({ left }: SpentOn) => `$${left}`,
                    align: 'right' as const,
                  },
                ]
              : []),
          ],
          outputWidth(),
        ),
      ]

const COLUMNS: Parameters<typeof table<Purchase>>[1] = [
  { title: 'Time', cell: ({ at }) => at },
  { title: 'Purchase', cell: ({ id }) => id },
  { title: 'State', cell: ({ state }) => state },
  { title: 'Outcome', cell: ({ outcome }) => outcome ?? '-' },
  { title: 'Amount', cell: ({ detail }) => `${detail.price} ${detail.currency}`, align: 'right' },
  { title: 'Host', cell: ({ host }) => host, atLeast: 12 },
  { title: 'Payee', cell: ({ payTo }) => payTo, dispensable: 2 },
  { title: 'Transaction', cell: ({ transaction }) => transaction ?? '-', dispensable: 1 },
]
