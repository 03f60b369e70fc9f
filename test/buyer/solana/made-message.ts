// Messages of Solana byte by byte, also such that no client would make.
import { decodeBase58 } from '../../../src/domain/chains/addresses.ts'

export type Made = {
  readonly signers: readonly string[]
  readonly readonlySigners: number
  readonly blockhash: string
  readonly instructions: readonly {
    readonly program: string
    readonly accounts: readonly string[]
    readonly data: readonly number[]
  }[]
  /** How many tables on chain further accounts stand in. */
  readonly tables?: number
}

const length = (count: number): number[] => (count < 128 ? [count] : [(count & 127) | 128, count >> 7])

export function toMessage({
  signers,
  readonlySigners,
  blockhash,
  instructions,
  tables = 0,
}: Made): Uint8Array {
  const named = instructions.flatMap(({ program, accounts }) => [...accounts, program])
  const keys = [...signers, ...new Set(named.filter(key => !signers.includes(key)))]
  return Uint8Array.from([
    0x80,
    ...[signers.length, readonlySigners, 1],
    ...length(keys.length),
    ...keys.flatMap(key => [...decodeBase58(key)!]),
    ...decodeBase58(blockhash)!,
    ...length(instructions.length),
    ...instructions.flatMap(({ program, accounts, data }) => [
      keys.indexOf(program),
      ...length(accounts.length),
      ...accounts.map(account => keys.indexOf(account)),
      ...length(data.length),
      ...data,
    ]),
    ...length(tables),
    ...Array.from({ length: tables }, () => [...decodeBase58(blockhash)!, 1, 0, 0]).flat(),
  ])
}
