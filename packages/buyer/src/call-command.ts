// `call --pay`: shows the price, asks, pays with the user's own key, prints the response and the receipt.
import { loadConfig } from 'shirube/app/config.ts'
import { openDirectory } from 'shirube/cli/commands/ask.ts'
import { readInput } from 'shirube/cli/input-value.ts'
import { CommandFailed, EXIT, type Line, UsageError } from 'shirube/cli/syntax/command.ts'
import { confirm, print, printJson, printMessage, write } from 'shirube/cli/text/terminal.ts'
import { toOneLine, toVisibleJson } from 'shirube/domain/text/invisible.ts'
import { tellInEnglish } from 'shirube/messages/message.ts'
import { systemClock } from 'shirube/runtime/clock.ts'
import { openCalling } from './ledger.ts'
import {
  type Approval,
  type CallResult,
  decodeAnswer,
  type OfferView,
  type PaidBefore,
  type Receipt,
  readMaxAmount,
  reasonOf,
  toReceipt,
  wasPaidFor,
} from './paid-calls.ts'

const lines = (each: readonly string[]): string => each.map(toOneLine).join('\n')

export const offerText = (offer: OfferView, verb: 'Would sign' | 'Signs' = 'Would sign'): string =>
  lines([
    `${verb.padEnd(12)}a transfer of ${offer.amount} ${offer.currency} ($${offer.usd}) to ${offer.payTo} on ${offer.chain}`,
    `For         ${offer.method} ${offer.url}`,
    ...(offer.tool === null ? [] : [`Tool        ${offer.tool}`]),
    `Host        ${offer.host}`,
    `Token       ${offer.asset}`,
    `Good for    ${offer.validForSeconds ?? 0} seconds`,
    `Guard       ${offer.verdict}`,
    ...offer.reasons.map(reason => `            ${reason}`),
    ...offer.doubts.map(doubt => `Doubt       ${doubt}`),
    ...(offer.exceededCap === null ? [] : [`Cap         ${offer.exceededCap}`]),
  ])

const CLAIM = 'not checked on chain: the seller says that it was settled'

export const receiptText = (receipt: Receipt): string =>
  lines([
    `Paid        ${receipt.amount} ${receipt.currency} ($${receipt.usd}) to ${receipt.payTo} on ${receipt.chain}`,
    `State       ${receipt.isClaim ? CLAIM : receipt.state}${receipt.outcome === null ? '' : `, ${receipt.outcome}`}`,
    `Transaction ${receipt.transaction ?? 'not known'}${receipt.isClaim ? ", the seller's claim" : ''}`,
    `Purchase    ${receipt.purchaseId}`,
    ...receipt.reasons.map(reason => `            ${reason}`),
  ])

// Calls a service and pays with the user's own key: shows the price, asks, pays, prints the response and the receipt.

/** More than a person reads; a longer response is paid for, but not shown. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024

export async function runCallAndPay(line: Line): Promise<number> {
  const { flags, switches, operands } = line
  if (flags.for !== undefined) throw new UsageError('--for is for the text that is printed without --pay.')
  const most = flags.max === undefined ? undefined : readMaxAmount(flags.max)
  if (flags.max !== undefined && most === undefined)
    throw new UsageError('--max must be an amount of dollars, like 0.01.')
  const dryRun = switches.has('dry-run')
  if (!dryRun && !switches.has('yes') && !process.stdin.isTTY)
    throw new UsageError('There is no terminal to confirm the payment: --yes pays without confirmation.')
  const input = await readInput(flags.input)
  await using calling = await openCalling(loadConfig(flags), openDirectory(line), systemClock)
  const result = await calling.caller.call({
    target: { kind: 'id', id: operands[0]! },
    input,
    most,
    purpose: flags.purpose,
    dryRun,
    asksAlways: true,
    approve: offer => approve(offer, switches),
    maxBodyBytes: MAX_ANSWER_BYTES,
  })
  return report(result, line)
}

async function approve(offer: OfferView, switches: Line['switches']): Promise<Approval> {
  // Below a question it would be signed; without one, it is.
  printMessage(offerText(offer, switches.has('yes') ? 'Signs' : 'Would sign'))
  if (!switches.has('yes')) return (await confirm(`Pay $${offer.usd}?`)) ? 'yes' : 'no'
  return offer.doubts.length === 0 || switches.has('caution') ? 'yes' : 'cannot'
}

async function report(result: CallResult, { flags, switches }: Line): Promise<number> {
  const isJson = switches.has('json')
  if (result.kind === 'refused' || result.kind === 'ask') {
    if (result.kind === 'refused' && result.paidBefore) return reportPaidBefore(result.paidBefore, isJson)
    const reason = reasonOf(result.tried)
    const hint = reason.code === 'approval_impossible' ? ' --caution pays it all the same.' : ''
    throw new CommandFailed(`Nothing was paid. ${tellInEnglish(reason)}${hint}`)
  }
  if (result.kind === 'would_pay') {
    await (isJson ? printJson(result.offer) : print(offerText(result.offer)))
    return result.offer.exceededCap === null && result.offer.verdict !== 'stop' ? EXIT.fine : EXIT.failed
  }
  const receipt = result.kind === 'paid' ? toReceipt(result.purchase) : null
  if (!isJson) printMessage(receipt ? receiptText(receipt) : 'It asked for no payment; nothing was paid.')
  const { answer } = result
  if (isJson) {
    const shownAnswer = answer && {
      status: answer.status,
      contentType: answer.contentType,
      ...decodeAnswer(answer),
    }
    await printJson({ service: result.service, receipt, answer: shownAnswer ?? null })
  } else if (answer) await printAnswer(answer, flags.output)
  else printMessage('There is no response to show.')
  if (isJson && answer && flags.output !== undefined) await Bun.write(flags.output, answer.body)
  const isGood = answer !== undefined && answer.status >= 200 && answer.status < 300
  return isGood && (receipt?.outcome ?? 'delivered') === 'delivered' ? EXIT.fine : EXIT.failed
}

async function reportPaidBefore({ purchase, isOtherRequest }: PaidBefore, isJson: boolean): Promise<number> {
  const receipt = toReceipt(purchase)
  const other = isOtherRequest ? ' That was for another request: another service, or other input.' : ''
  printMessage(
    `Nothing was paid now: this purpose ${wasPaidFor(receipt)}, by the purchase ${receipt.purchaseId}.${other} The response is not kept.`,
  )
  await (isJson ? printJson({ service: null, receipt, answer: null }) : print(receiptText(receipt)))
  return EXIT.failed
}

/** Untrusted: control characters never reach a terminal, and binary data goes only to a pipe or a file. */
async function printAnswer(
  { body, contentType }: NonNullable<(CallResult & { kind: 'paid' })['answer']>,
  output: string | undefined,
): Promise<void> {
  if (output !== undefined) {
    await Bun.write(output, body)
    printMessage(toOneLine(`Wrote ${body.length} bytes (${contentType ?? 'of no type'}) to ${output}.`))
    return
  }
  const { encoding, text } = decodeAnswer({ body })
  if (encoding === 'base64' && !process.stdout.isTTY) await write(body)
  else if (encoding === 'base64') {
    printMessage(`The response is not text; it is shown in base64. --output writes it to a file.`)
    await print(text)
  } else await print(isJson(text) ? toVisibleJson(text.trim()) : text.trimEnd())
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
