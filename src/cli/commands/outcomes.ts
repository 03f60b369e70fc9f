// Payers' reports about a service, and how to send one.
import { openBuyerWallets } from '../../app/buying.ts'
import { loadConfig } from '../../app/config.ts'
import type { Wallet } from '../../buyer/wallet.ts'
import { WalletError } from '../../buyer/wallet-errors.ts'
import { familyOf } from '../../domain/chains/addresses.ts'
import { chainKey } from '../../domain/chains/chains.ts'
import { sameAddress } from '../../domain/chains/same-address.ts'
import { REPORTED_OUTCOMES, type ReportedOutcome } from '../../domain/purchases/outcomes.ts'
import { type OutcomesAnswer, parseOutcomesQuery } from '../../domain/purchases/outcomes-view.ts'
import { toOneLine } from '../../domain/text/unseen.ts'
import { systemClock } from '../../runtime/clock.ts'
import { CommandFailed, EXIT, type Line, UsageError } from '../syntax/command.ts'
import { formatAnswer } from '../text/answers.ts'
import { print, printJson } from '../text/terminal.ts'
import { openDirectory, parametersOf, parse } from './ask.ts'

export async function runOutcomes(line: Line): Promise<number> {
  const query = parse(parseOutcomesQuery, parametersOf(line.flags))
  const found = (await openDirectory(line).outcomes(line.operands[0]!, query)).decode()
  if (line.switches.has('json')) await printJson(found)
  else await print(formatAnswer(line, () => outcomesText(found)))
  return EXIT.fine
}

function outcomesText({ payers, outcomes }: OutcomesAnswer): string {
  if (outcomes.length === 0) return 'No payer has reported an outcome.'
  const { delivered, payers: reporting } = payers.settlement
  return [
    `Reported by payers: it delivered to ${delivered} of ${reporting} whose payment was seen on chain.`,
    ...outcomes.map(({ at, outcome, proof, amount, currency, payer, transaction }) =>
      [at, outcome, proof, amount === null ? '' : `${amount} ${currency}`, payer, transaction ?? '']
        .filter(text => text !== '')
        .join('  '),
    ),
  ]
    .map(toOneLine)
    .join('\n')
}

export async function runReportOutcome(line: Line): Promise<number> {
  const [id = '', outcome = ''] = line.operands
  const { transaction, network, directory: address } = line.flags
  if (!(REPORTED_OUTCOMES as readonly string[]).includes(outcome))
    throw new UsageError(`The outcome is one of ${REPORTED_OUTCOMES.join(', ')}.`)
  if (transaction === undefined) throw new UsageError('A payment is needed: pass --transaction.')
  const config = loadConfig(line.flags)
  const wallets = await openBuyerWallets(config).catch(error => {
    throw error instanceof WalletError ? new CommandFailed(error.message) : error
  })
  if (!wallets) throw new UsageError(KEY_NEEDED)
  const directory = openDirectory(line)
  const paidOn = network ?? (await directory.get(id)).decode().x402Config.network
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
  const { outcome: stored } = await directory.reportOutcome(id, { ...draft, signature })
  await (line.switches.has('json')
    ? printJson(stored)
    : print(toOneLine(`Reported as ${stored.id} (${stored.proof}).`)))
  return EXIT.fine
}

const KEY_NEEDED =
  'The key of the wallet that paid is needed: BUYER_KEY_FILE, BUYER_KEY_EVM, BUYER_KEY_SOLANA or --key-file.'

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
