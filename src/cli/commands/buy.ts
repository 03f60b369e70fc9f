// An operator's purchases from listed services, and the budget.
import type { BudgetState } from '../../app/buying.ts'
import { loadConfig } from '../../app/config.ts'
import { openOperator } from '../../app/operator.ts'
import type { Bought, Offer } from '../../buyer/buyer.ts'
import { toSigned } from '../../buyer/quote.ts'
import { fromMicroDollars } from '../../domain/money/micro-dollars.ts'
import type { Purchase } from '../../domain/purchases/purchases.ts'
import { toOneLine } from '../../domain/text/unseen.ts'
import { tellInEnglish } from '../../messages/tell-in-english.ts'
import { CommandFailed, EXIT, type Line } from '../syntax/command.ts'
import { print, printJson } from '../text/terminal.ts'

export async function runBuy({ operands, flags, switches }: Line): Promise<number> {
  await using operator = await openOperator(loadConfig())
  using buying = await operator.openBuying()
  const result = await buying.buy(operands[0]!, {
    purpose: flags.purpose === undefined ? `buy ${crypto.randomUUID()}` : `buy ${flags.purpose}`,
    dryRun: switches.has('dry-run'),
    caution: switches.has('caution'),
  })
  if (result.kind === 'refused') throw new CommandFailed(tellInEnglish(result.reason))
  if (result.kind === 'unpaid')
    throw new CommandFailed(`It answers ${result.answer.status} without asking for a payment.`)
  const isJson = switches.has('json')
  if (result.kind === 'quoted') {
    const { offer } = result
    const exceededCap = result.exceededCap ? tellInEnglish(result.exceededCap) : null
    await (isJson
      ? printJson({ ...toOfferRecord(offer), exceededCap })
      : print(offerText(offer, exceededCap)))
    return exceededCap === null && offer.resolution.verdict !== 'stop' ? EXIT.fine : EXIT.failed
  }
  await (isJson ? printJson(toPurchaseRecord(result.purchase)) : print(boughtText(result)))
  return result.purchase.outcome === 'delivered' ? EXIT.fine : EXIT.failed
}

export async function runBudget({ switches }: Line): Promise<number> {
  await using operator = await openOperator(loadConfig())
  using buying = await operator.openBuying()
  if (switches.has('settle')) await buying.reconcile()
  const state = await buying.budget()
  await (switches.has('json') ? printJson(toBudgetRecord(state)) : print(budgetText(state)))
  return EXIT.fine
}

function toOfferRecord(offer: Offer) {
  const { requirements, usd, x402Version, resolution, price, currency, request } = offer
  const { signs, validForSeconds } = toSigned(offer)
  return {
    method: request.method,
    url: request.url,
    tool: request.tool?.name ?? null,
    wouldSign: {
      kind: signs,
      chain: requirements.chain,
      token: requirements.asset,
      to: requirements.payTo,
      amount: requirements.amount,
      price: `${price} ${currency}`,
      validForSeconds,
      ...(offer.family === 'svm' && {
        feePayer: offer.feePayer,
        memo: offer.memo === undefined ? null : toOneLine(offer.memo),
      }),
    },
    usd,
    x402Version,
    verdict: resolution.verdict,
    reasons: resolution.reasons,
  }
}

function offerText(offer: Offer, exceededCap: string | null): string {
  const { requirements, usd, price, currency, resolution, request } = offer
  return [
    `Would sign  a transfer of ${price} ${currency} ($${usd}) to ${requirements.payTo} on ${requirements.network}`,
    `For         ${request.method} ${request.url}${request.tool ? `, the tool ${request.tool.name}` : ''}`,
    `Token       ${requirements.asset}`,
    `Good for    ${toSigned(offer).validForSeconds} seconds`,
    ...(offer.family === 'svm' ? [`Fee paid by ${offer.feePayer}`] : []),
    ...(exceededCap === null ? [] : [`Cap         ${exceededCap}`]),
    `Guard       ${resolution.verdict}`,
    ...resolution.reasons.map(({ text }) => `            ${text}`),
  ]
    .map(toOneLine)
    .join('\n')
}

const toPurchaseRecord = ({ detail, ...purchase }: Purchase) => ({
  ...purchase,
  url: detail.url,
  tool: detail.tool ?? null,
  price: `${detail.price} ${detail.currency}`,
  answer: detail.answer && { ...detail.answer, reasons: undefined },
  reasons: detail.reasons.map(tellInEnglish),
  reasonCodes: detail.reasons,
})

function boughtText({ purchase }: Bought): string {
  const { outcome, state, transaction, detail } = purchase
  const { answer } = detail
  return [
    `${outcome ?? 'outcome not known'} (${state}), ${detail.price} ${detail.currency}${transaction ? `, ${transaction}` : ''}`,
    ...(answer
      ? [
          `Answer ${answer.status ?? 'none'}, ${answer.bytes} bytes, ${answer.contentType ?? 'no type'}, ${answer.conformance}`,
        ]
      : []),
    ...detail.reasons.map(reason => `  ${tellInEnglish(reason)}`),
  ]
    .map(toOneLine)
    .join('\n')
}

const toBudgetRecord = ({ addresses, caps, spent, open }: BudgetState) => ({
  addresses,
  caps: {
    perCall: fromMicroDollars(caps.perCall),
    perService: fromMicroDollars(caps.perService),
    perHost: fromMicroDollars(caps.perHost),
    perDay: fromMicroDollars(caps.perDay),
  },
  spent: { usd: fromMicroDollars(spent.microUsd), purchases: spent.count },
  open: open.map(toPurchaseRecord),
})

function budgetText(state: BudgetState): string {
  const { addresses, caps, spent, open } = toBudgetRecord(state)
  return [
    ...addresses.map(address => `Wallet       ${address}`),
    `Per call     $${caps.perCall}`,
    `Per service  $${caps.perService} in 24 hours`,
    `Per host     $${caps.perHost} in 24 hours, for one domain and for one payee`,
    `Per day      $${caps.perDay} in 24 hours${caps.perDay === '0' ? ': nothing is bought until BUDGET_PER_DAY is set' : ''}`,
    `Spent        $${spent.usd} for ${spent.purchases} ${spent.purchases === 1 ? 'purchase' : 'purchases'} in the last 24 hours`,
    `Not settled  ${open.length}`,
    ...open.map(({ id, state, price, host }) => `  ${id}  ${state}  ${price}  ${host}`),
  ]
    .map(toOneLine)
    .join('\n')
}
