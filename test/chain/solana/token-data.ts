// The data of mints and accounts of tokens, as the token programs keep it.

const BASE_ACCOUNT = 165
/** The kinds of accounts and of extensions of the newer token program. */
const [MINT, ACCOUNT] = [1, 2]
const [FEE_CONFIG, FEE_AMOUNT] = [1, 2]
const FEE_CONFIG_BYTES = 108

/** @param feeBasisPoints what the mint keeps of each transfer, which the receiver does not get; only of the newer program */
export function toMintData(decimals: number, feeBasisPoints: number): Uint8Array {
  const data = Buffer.alloc(feeBasisPoints === 0 ? 82 : BASE_ACCOUNT + 1 + 4 + FEE_CONFIG_BYTES)
  data.writeBigUInt64LE(1_000_000_000_000n, 36)
  data[44] = decimals
  data[45] = 1
  if (feeBasisPoints === 0) return data
  data[BASE_ACCOUNT] = MINT!
  data.writeUInt16LE(FEE_CONFIG!, 166)
  data.writeUInt16LE(FEE_CONFIG_BYTES, 168)
  // After two authorities and what is withheld: the fee of before and the present one, each with epoch, maximum and share.
  for (const at of [170 + 72, 170 + 90]) {
    data.writeBigUInt64LE(1_000_000_000n, at + 8)
    data.writeUInt16LE(feeBasisPoints, at + 16)
  }
  return data
}

export function toTokenAccountData(
  mint: Uint8Array,
  owner: Uint8Array,
  amount: bigint,
  hasFee: boolean,
): Uint8Array {
  const data = Buffer.alloc(hasFee ? BASE_ACCOUNT + 1 + 4 + 8 : BASE_ACCOUNT)
  data.set(mint, 0)
  data.set(owner, 32)
  data.writeBigUInt64LE(amount, 64)
  data[108] = 1
  if (!hasFee) return data
  data[BASE_ACCOUNT] = ACCOUNT!
  data.writeUInt16LE(FEE_AMOUNT!, 166)
  data.writeUInt16LE(8, 168)
  return data
}
