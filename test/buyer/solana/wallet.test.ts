// What a wallet of Solana signs: the one transaction that was approved, made by the official client, and nothing that differs from it.
import { describe, expect, test } from 'bun:test'
import { inspect } from 'node:util'
import { ed25519 } from '@noble/curves/ed25519'
import {
  decodeMessage,
  hashMessage,
  MEMO_PROGRAM,
  messageIn,
} from '../../../packages/buyer/src/solana-message.ts'
import {
  type ApprovedTransfer,
  isApprovedTransfer,
  NotSigned,
  openSolanaWallet,
  openWallets,
  WalletError,
} from '../../../packages/buyer/src/wallet.ts'
import { decodeBase58, encodeBase58 } from '../../../src/domain/chains/addresses.ts'
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM, tokenAccountOf } from '../../../src/domain/solana.ts'
import { Secret } from '../../../src/runtime/secret.ts'
import { solanaAccountOf } from '../../chain/solana/facilitator.ts'
import { USDC } from '../../chain/solana/svm-chain.ts'
import { accountOf } from '../../paid/facilitator.ts'
import { type Made, toMessage } from './made-message.ts'

const payer = solanaAccountOf(1)
const feePayer = solanaAccountOf(2).address
const payTo = solanaAccountOf(3).address
const thief = solanaAccountOf(4).address
const blockhash = solanaAccountOf(5).address

const approved: ApprovedTransfer = {
  mint: USDC,
  program: TOKEN_PROGRAM,
  decimals: 6,
  payTo,
  amount: 2_000n,
  feePayer,
  memo: undefined,
  blockhash,
}
const account = (wallet: string, mint = USDC, program?: string) => tokenAccountOf(wallet, mint, program)!
const u64 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return [...bytes]
}
const budget = (data: number[]) => ({
  program: 'ComputeBudget111111111111111111111111111111',
  accounts: [] as string[],
  data,
})
const LIMIT = budget([2, 0x20, 0x4e, 0, 0])
const PRICE = budget([3, ...u64(1n)])
const TRANSFER = {
  program: TOKEN_PROGRAM,
  accounts: [account(payer.address), USDC, account(payTo), payer.address],
  data: [12, ...u64(2_000n), 6],
}
const MEMO = { program: MEMO_PROGRAM, accounts: [] as string[], data: [...Buffer.from('0f'.repeat(16))] }
const MADE: Made = {
  signers: [feePayer, payer.address],
  readonlySigners: 1,
  blockhash,
  instructions: [LIMIT, PRICE, TRANSFER, MEMO],
}
const made = (parts: Partial<Made> = {}) => toMessage({ ...MADE, ...parts })
const calling = (...instructions: Made['instructions']) => made({ instructions })

describe('a transaction', () => {
  test('that is the approved transfer is approved', () => {
    expect(isApprovedTransfer(made(), approved, payer.address)).toBe(true)
    const noted = calling(LIMIT, PRICE, TRANSFER, { ...MEMO, data: [...Buffer.from('注文 7')] })
    expect(isApprovedTransfer(noted, { ...approved, memo: '注文 7' }, payer.address)).toBe(true)
  })

  const transfer = (parts: Partial<typeof TRANSFER>) => calling(LIMIT, PRICE, { ...TRANSFER, ...parts }, MEMO)
  const to = (...accounts: string[]) => transfer({ accounts })
  const [source, , destination] = TRANSFER.accounts as [string, string, string]
  const others: Readonly<Record<string, Uint8Array>> = {
    'of another amount': transfer({ data: [12, ...u64(2_001n), 6] }),
    'with other decimals': transfer({ data: [12, ...u64(2_000n), 5] }),
    'that is a plain transfer': transfer({ data: [3, ...u64(2_000n)] }),
    'that approves a delegate': transfer({ data: [13, ...u64(2_000n), 6] }),
    'that gives the account away': transfer({ data: [6, 2, 1, ...decodeBase58(thief)!] }),
    'that closes the account': transfer({ data: [9] }),
    'with more data': transfer({ data: [12, ...u64(2_000n), 6, 0] }),
    'to a thief': to(source, USDC, account(thief), payer.address),
    'to the wallet itself': to(source, USDC, payTo, payer.address),
    'from another account': to(account(thief), USDC, destination, payer.address),
    'of another mint': to(source, thief, destination, payer.address),
    'with another authority': to(source, USDC, destination, feePayer),
    'with a further account': to(source, USDC, destination, payer.address, thief),
    'of another program': transfer({ program: TOKEN_2022_PROGRAM }),
    'without a memo': calling(LIMIT, PRICE, TRANSFER),
    'with a second transfer': calling(LIMIT, PRICE, TRANSFER, TRANSFER),
    'with a second transfer at the end': calling(LIMIT, PRICE, TRANSFER, MEMO, TRANSFER),
    'with the transfer first': calling(TRANSFER, LIMIT, PRICE, MEMO),
    'that moves SOL beside it': calling(LIMIT, PRICE, TRANSFER, MEMO, {
      program: '11111111111111111111111111111111',
      accounts: [payer.address, thief],
      data: [2, 0, 0, 0, ...u64(1n)],
    }),
    'that never grows old': calling(
      {
        program: '11111111111111111111111111111111',
        accounts: [thief, 'SysvarRecentB1ockHashes11111111111111111111', feePayer],
        data: [4, 0, 0, 0],
      },
      PRICE,
      TRANSFER,
      MEMO,
    ),
    'whose memo the wallet signs': calling(LIMIT, PRICE, TRANSFER, { ...MEMO, accounts: [payer.address] }),
    'with a memo that nobody asked for': calling(LIMIT, PRICE, TRANSFER, {
      ...MEMO,
      data: [...Buffer.from('I owe you')],
    }),
    'with a long memo': calling(LIMIT, PRICE, TRANSFER, { ...MEMO, data: Array(257).fill(48) }),
    'with accounts in its budget': calling({ ...LIMIT, accounts: [payer.address] }, PRICE, TRANSFER, MEMO),
    'whose budget asks for a larger heap': calling(budget([1, 0, 0, 1, 0]), PRICE, TRANSFER, MEMO),
    'whose fee the wallet pays': made({ signers: [payer.address, feePayer] }),
    'that the wallet signs alone': made({ signers: [payer.address], readonlySigners: 0 }),
    'whose fee somebody else pays': made({ signers: [thief, payer.address] }),
    'that a third one signs': made({ signers: [feePayer, payer.address, thief] }),
    'that can take from the wallet itself': made({ readonlySigners: 0 }),
    'of another blockhash': made({ blockhash: thief }),
    'with accounts from a table': made({ tables: 1 }),
    'of an older version': made().subarray(1),
    'of a newer version': Uint8Array.from([0x81, ...made().subarray(1)]),
    'with something after it': Uint8Array.from([...made(), 0]),
    'that is cut off': made().subarray(0, -1),
    'of nothing': new Uint8Array(),
    'longer than any': Uint8Array.from([...made(), ...new Uint8Array(1_300)]),
  }

  test.each(Object.entries(others))('%s is not', (_, bytes) => {
    expect(isApprovedTransfer(bytes, approved, payer.address)).toBe(false)
  })

  test('with the wallet as fee payer is rejected even if that was approved', () => {
    const own = { ...approved, feePayer: payer.address }
    for (const signers of [[payer.address], [payer.address, payer.address]])
      expect(isApprovedTransfer(made({ signers }), own, payer.address)).toBe(false)
  })

  test('is parsed exactly, and any changed byte is detected', () => {
    const bytes = made()
    expect(decodeMessage(bytes)).toMatchObject({ signers: MADE.signers, readonlySigners: 1, blockhash })
    for (let i = 0; i < bytes.length; i++) {
      const changed = bytes.slice()
      changed[i]! ^= 1
      // What is paid for computing is not the wallet's, the number of accounts that nobody writes binds validators alone, and the
      // random memo may be any other.
      const message = decodeMessage(changed)
      const isHarmless =
        i === 3 ||
        (message !== undefined &&
          isApprovedTransfer(changed, approved, payer.address) &&
          differsHarmlessly(i))
      if (!isHarmless) expect([i, isApprovedTransfer(changed, approved, payer.address)]).toEqual([i, false])
    }
    function differsHarmlessly(at: number): boolean {
      const [start, end] = [find(LIMIT.data), find(MEMO.data)]
      return (at > start && at < start + 20) || (at >= end && at < end + MEMO.data.length)
    }
    function find(data: readonly number[]): number {
      return Buffer.from(bytes).indexOf(Buffer.from(data))
    }
  })

  test('is identified by its message, whatever its signatures', () => {
    const message = made()
    const [a, b] = [1, 2].map(fill => Uint8Array.from([2, ...new Uint8Array(128).fill(fill), ...message]))
    expect(messageIn(a!)).toEqual(message)
    expect(hashMessage(messageIn(a!)!)).toBe(hashMessage(messageIn(b!)!))
    expect(messageIn(Uint8Array.from([2, 1]))).toBeUndefined()
  })
})

describe('a wallet of Solana', () => {
  const wallet = openSolanaWallet(new Secret(payer.key))
  const transactions = [{ messageBytes: made() }]

  test('signs an approved payment once, after it was stored', async () => {
    const kept: string[] = []
    const signer = wallet.signerFor(approved, async nonce => kept.push(nonce) > 0)
    const [signatures] = await signer.signTransactions(transactions)
    expect(kept).toEqual([hashMessage(made())])
    expect(Object.keys(signatures!)).toEqual([payer.address])
    const signature = signatures![payer.address]!
    expect(ed25519.verify(signature, made(), decodeBase58(payer.address)!)).toBe(true)
    await expect(signer.signTransactions(transactions)).rejects.toThrow(NotSigned)
    expect(kept.length).toBe(1)
  })

  test('signs nothing else, and nothing that could not be stored', async () => {
    let asked = 0
    const keep = async () => ++asked > 0
    const other = [{ messageBytes: made({ blockhash: thief }) }]
    for (const given of [other, [], [...transactions, ...transactions]])
      await expect(wallet.signerFor(approved, keep).signTransactions(given)).rejects.toThrow(NotSigned)
    expect(asked).toBe(0)
    const lost = wallet.signerFor(approved, async () => false)
    await expect(lost.signTransactions(transactions)).rejects.toMatchObject({ why: 'lost' })
  })

  test('signs the bytes it has checked, not later changes', async () => {
    const messageBytes = made()
    const signer = wallet.signerFor(approved, async () => {
      messageBytes.set(made({ signers: [thief, payer.address] }))
      return true
    })
    const [signatures] = await signer.signTransactions([{ messageBytes }])
    expect(ed25519.verify(signatures![payer.address]!, made(), decodeBase58(payer.address)!)).toBe(true)
  })

  test('is opened by both forms of a key, beside one of an EVM network', async () => {
    const numbers = JSON.stringify([...decodeBase58(payer.key)!])
    expect(openSolanaWallet(new Secret(` ${numbers}\n`)).address).toBe(payer.address)
    const evm = accountOf(4)
    const wallets = await openWallets(
      [payer.key, evm.key, evm.key.slice(2).replace(/./, '1')].map(key => new Secret(key)),
    )
    expect(wallets.map(({ family }) => family)).toEqual(['svm', 'evm', 'evm'])
    const twice = await openWallets([payer.key, numbers].map(key => new Secret(key))).catch(error => error)
    expect(twice).toBeInstanceOf(WalletError)
  })

  const pair = decodeBase58(payer.key)!
  const foreign = Uint8Array.from([...pair.subarray(0, 32), ...decodeBase58(thief)!])
  test.each([
    ['half of a key', encodeBase58(pair.subarray(0, 32))],
    ['halves of two keys', encodeBase58(foreign)],
    ['too many numbers', JSON.stringify([...pair, 1])],
    ['a number that is no byte', JSON.stringify([...pair.subarray(1), 256])],
    ['words', 'correct horse battery staple'],
    ['nothing', ''],
  ])('is not opened by %s, and the error does not repeat it', (_, text) => {
    const error = (() => {
      try {
        return openSolanaWallet(new Secret(text))
      } catch (error) {
        return error
      }
    })()
    expect(error).toBeInstanceOf(WalletError)
    if (text) expect(inspect(error)).not.toContain(text.slice(0, 12))
  })

  test('never reveals its key', () => {
    for (const told of [inspect(wallet, { depth: 5, showHidden: true }), JSON.stringify(wallet)]) {
      expect(told).not.toContain(payer.key)
      expect(told).not.toContain(Buffer.from(pair.subarray(0, 32)).toString('hex'))
    }
  })
})
