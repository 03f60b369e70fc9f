// Checks that a transaction is exactly the approved payment. The seller names the fee payer and the memo, and a package makes the
// bytes: both are untrusted.
import { decodeMessage, type Instruction } from '../../domain/solana/message.ts'
import { COMPUTE_BUDGET_PROGRAM, MEMO_PROGRAM } from '../../domain/solana/programs.ts'
import { tokenAccountOf } from '../../domain/solana/token-account.ts'

/** The one token transfer that may be signed, valid as long as its blockhash. */
export type ApprovedTransfer = {
  readonly mint: string
  /** The program that owns the mint. */
  readonly program: string
  readonly decimals: number
  readonly payTo: string
  readonly amount: bigint
  /** Named by the seller; never the paying wallet. */
  readonly feePayer: string
  /** If the seller demands one. */
  readonly memo: string | undefined
  readonly blockhash: string
}

/** Instruction numbers of the programs. */
const [SET_LIMIT, SET_PRICE, TRANSFER_CHECKED] = [2, 3, 12]
const MAX_MEMO_BYTES = 256

/** @param payer the wallet that would sign */
export function isApprovedTransfer(bytes: Uint8Array, approved: ApprovedTransfer, payer: string): boolean {
  const message = decodeMessage(bytes)
  if (!message || approved.feePayer === payer) return false
  const { signers, readonlySigners, blockhash, instructions } = message
  const [limit, price, transfer, memo, ...others] = instructions
  return (
    signers.length === 2 &&
    signers[0] === approved.feePayer &&
    signers[1] === payer &&
    // The paying wallet signs, and its own account stays read-only.
    readonlySigners === 1 &&
    blockhash === approved.blockhash &&
    others.length === 0 &&
    isBudget(limit, SET_LIMIT, 5) &&
    isBudget(price, SET_PRICE, 9) &&
    isTransfer(transfer, approved, payer) &&
    isMemo(memo, approved.memo)
  )
}

/** The fee payer pays for computation. */
const isBudget = (instruction: Instruction | undefined, kind: number, length: number): boolean =>
  instruction?.program === COMPUTE_BUDGET_PROGRAM &&
  instruction.accounts.length === 0 &&
  instruction.data.length === length &&
  instruction.data[0] === kind

function isTransfer(
  instruction: Instruction | undefined,
  { mint, program, decimals, payTo, amount }: ApprovedTransfer,
  payer: string,
): boolean {
  if (instruction?.program !== program || instruction.data.length !== 10) return false
  const { accounts, data } = instruction
  const [source, destination] = [payer, payTo].map(wallet => tokenAccountOf(wallet, mint, program))
  const expected = [source, mint, destination, payer]
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  return (
    accounts.length === expected.length &&
    accounts.every((account, i) => account === expected[i]) &&
    data[0] === TRANSFER_CHECKED &&
    view.getBigUint64(1, true) === amount &&
    data[9] === decimals
  )
}

/** Without a memo of the seller the client adds a random one, so that no two payments are the same transaction. */
function isMemo(instruction: Instruction | undefined, memo: string | undefined): boolean {
  if (instruction?.program !== MEMO_PROGRAM || instruction.accounts.length > 0) return false
  const { data } = instruction
  if (data.length === 0 || data.length > MAX_MEMO_BYTES) return false
  return memo === undefined
    ? /^[0-9a-f]{32}$/.test(Buffer.from(data).toString('latin1'))
    : Buffer.from(memo, 'utf8').equals(data)
}
