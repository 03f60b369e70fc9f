// The commands: an operator's purchases and budget, the user's spending, and reports of payers.
import { type Config, loadConfig } from 'shirube/app/config.ts'
import { openDirectory } from 'shirube/cli/commands/ask.ts'
import { listenForEnd } from 'shirube/cli/end-signals.ts'
import { CommandFailed, EXIT, type Line, UsageError } from 'shirube/cli/syntax/command.ts'
import { outputWidth, print, printJson, printMessage, table } from 'shirube/cli/text/terminal.ts'
import { familyOf, sameAddress } from 'shirube/domain/chains/addresses.ts'
import { chainKey } from 'shirube/domain/chains/chains.ts'
import type { Purchase } from 'shirube/domain/purchases/purchases.ts'
import { REPORTED_OUTCOMES, type ReportedOutcome } from 'shirube/domain/purchases/purchases-view.ts'
import { toOneLine } from 'shirube/domain/text/invisible.ts'
import { tellInEnglish } from 'shirube/messages/message.ts'
import { systemClock } from 'shirube/runtime/clock.ts'
import { openStore } from 'shirube/store/open.ts'
import type { Store } from 'shirube/store/store.ts'
import { offerText, receiptText } from './call-command.ts'
import { readSpending, type SpentOn, type Summary, summarise } from './ledger.ts'
import { openBuyerWallets, openBuying, openPaidVerification } from './operator.ts'
import { isClaim, toReceipt } from './paid-calls.ts'
import { type Wallet, WalletError } from './wallet.ts'

export async function runBuy({ operands, flags, switches }: Line): Promise<number> {
  const config = loadConfig()
  await using store = await openStore(config.databaseUrl, { clock: systemClock })
  const [id] = operands
  if (id === undefined) return await buyInTurn(config, store)
  using buying = await openBuying(config, store, systemClock)
  const result = await buying.buy(id, {
    purpose: flags.purpose === undefined ? `buy ${crypto.randomUUID()}` : `buy ${flags.purpose}`,
    dryRun: switches.has('dry-run'),
    caution: switches.has('caution'),
  })
  if (result.kind === 'refused') throw new CommandFailed(tellInEnglish(result.reason))
  if (result.kind === 'unpaid')
    throw new CommandFailed(`It answers ${result.answer.status} without asking for a payment.`)
  const isJson = switches.has('json')
  if (result.kind === 'would_pay') {
    const { offer } = result
    await (isJson ? printJson(offer) : print(offerText(offer)))
    return offer.exceededCap === null && offer.verdict !== 'stop' ? EXIT.fine : EXIT.failed
  }
  const receipt = toReceipt(result.purchase)
  await (isJson ? printJson(receipt) : print(receiptText(receipt)))
  return receipt.outcome === 'delivered' ? EXIT.fine : EXIT.failed
}

async function buyInTurn(config: Config, store: Store): Promise<number> {
  using signals = listenForEnd()
  const onTrouble = (message: string, error: unknown) =>
    printMessage(toOneLine(`${message}: ${error instanceof Error ? error.message : error}`))
  await using buying = await openPaidVerification(config, store, systemClock, {
    onTrouble,
    onRefused: (id, reason) => printMessage(toOneLine(`Not bought: ${id} (${reason})`)),
  })
  printMessage(`Buying from verified services with ${buying.addresses.join(' and ')}, until it is stopped.`)
  await signals.first
  return EXIT.fine
}

// What was spent, as text.

const MAX_LISTED = 1_000

export async function runSpent(line: Line): Promise<number> {
  const { flags, switches } = line
  const limit = /^\d{1,4}$/.test(flags.limit ?? '20') ? Number(flags.limit ?? '20') : 0
  if (limit < 1 || limit > MAX_LISTED)
    throw new UsageError(`--limit must be a whole number from 1 to ${MAX_LISTED}.`)
  const config = loadConfig(flags)
  const found = switches.has('operator')
    ? await readBudget(config, limit)
    : await readSpending(config, openDirectory(line), systemClock, limit)
  if (switches.has('json')) {
    const { uncertain, newest, ...rest } = found
    await printJson({ ...rest, uncertain: uncertain.map(toReceipt), newest: newest.map(toReceipt) })
  } else await print(spentText(found))
  return EXIT.fine
}

/** Of the directory, which buys with wallets of its own. */
async function readBudget(config: Config, limit: number): Promise<Found> {
  await using store = await openStore(config.databaseUrl, { clock: systemClock })
  using buying = await openBuying(config, store, systemClock)
  await buying.reconcile()
  const { addresses } = buying.buyer
  return { ...(await summarise(store.purchases, config.budget, systemClock, limit)), addresses }
}

type Found = Summary & { readonly file?: string; readonly addresses?: readonly string[] }

function spentText(found: Found): string {
  const { day, caps, services, hosts, payees, uncertain, newest, file, addresses = [] } = found
  const unset = file === undefined ? 'nothing is bought until BUDGET_PER_DAY is set' : NO_CAP
  return [
    ...(file === undefined ? [] : [toOneLine(`Ledger       ${file}`)]),
    ...addresses.map(address => `Wallet       ${address}`),
    `In 24 hours  $${day.usd} for ${day.purchases} ${day.purchases === 1 ? 'purchase' : 'purchases'}; ${isSet(caps.perDay) ? `$${day.left} of $${caps.perDay} are left` : unset}`,
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

/** A ledger is shared by processes with caps of their own, so that none may be set here. */
const NO_CAP = 'no cap is set here (--per-day, BUDGET_PER_DAY)'
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
  { title: 'State', cell: purchase => (isClaim(purchase) ? 'claimed' : purchase.state) },
  { title: 'Outcome', cell: ({ outcome }) => outcome ?? '-' },
  { title: 'Amount', cell: ({ detail }) => `${detail.price} ${detail.currency}`, align: 'right' },
  { title: 'Host', cell: ({ host }) => host, atLeast: 12 },
  { title: 'Payee', cell: ({ payTo }) => payTo, dispensable: 2 },
  { title: 'Transaction', cell: ({ transaction }) => transaction ?? '-', dispensable: 1 },
]

export async function runReportOutcome(line: Line): Promise<number> {
  const [id = ''] = line.operands
  const { report: outcome = '', transaction, directory: address } = line.flags
  if (line.switches.has('pay')) throw new UsageError('--report is for a payment that was made before.')
  if (!(REPORTED_OUTCOMES as readonly string[]).includes(outcome))
    throw new UsageError(`The outcome is one of ${REPORTED_OUTCOMES.join(', ')}.`)
  if (transaction === undefined) throw new UsageError('A payment is needed: pass --transaction.')
  const config = loadConfig(line.flags)
  const wallets = await openBuyerWallets(config).catch(error => {
    throw error instanceof WalletError ? new CommandFailed(error.message) : error
  })
  if (!wallets) throw new UsageError(KEY_NEEDED)
  const directory = openDirectory(line)
  const paidOn = (await directory.get(id)).decode().x402Config.network
  const wallet = walletOf(wallets, paidOn, line.flags.payer)
  const draft = {
    outcome: outcome as ReportedOutcome,
    network: paidOn,
    payer: wallet.address,
    at: systemClock.now().toISOString(),
    transaction,
  }
  const signedFor = (address ?? config.url).replace(/\/+$/, '')
  const signature = await wallet.signOutcome(signedFor, id, chainKey(paidOn), draft)
  const { purchase: stored } = await directory.reportOutcome(id, { ...draft, signature })
  await (line.switches.has('json') ? printJson(stored) : print(toOneLine(`Reported as ${stored.id}.`)))
  return EXIT.fine
}

const KEY_NEEDED = 'The key of the wallet that paid is needed: BUYER_KEY_FILE or --key-file.'

function walletOf(wallets: readonly Wallet[], network: string, payer: string | undefined): Wallet {
  const family = familyOf(network) === 'solana' ? 'svm' : 'evm'
  const able = wallets.filter(wallet => wallet.family === family)
  const addresses = able.map(({ address }) => address).join(', ')
  if (able.length === 0) throw new UsageError(KEY_NEEDED)
  if (payer === undefined) {
    if (able.length > 1)
      throw new UsageError(`There are several keys: name the wallet that paid with --payer: ${addresses}.`)
    return able[0]!
  }
  const wallet = able.find(({ address }) => sameAddress(address, payer, network))
  if (!wallet) throw new UsageError(`None of the keys is that of ${payer}; they are those of ${addresses}.`)
  return wallet
}
