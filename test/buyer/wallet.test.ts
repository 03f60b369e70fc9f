import { describe, expect, test } from 'bun:test'
import { chmodSync, writeFileSync } from 'node:fs'
import { inspect } from 'node:util'
import {
  type ApprovedAuthorization,
  drawWallet,
  NotSigned,
  openWallet,
  openWallets,
  readKeyFile,
  type TypedData,
  WalletError,
} from '../../packages/buyer/src/wallet.ts'
import { Secret } from '../../src/runtime/secret.ts'
import { accountOf } from '../paid/facilitator.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { USDC } from './sold.ts'

const { key, address } = accountOf(4)
const PAYEE = `0x${'51'.repeat(20)}`
const approved: ApprovedAuthorization = {
  chainNumber: 8453,
  asset: USDC,
  payTo: PAYEE,
  amount: 2_000n,
  latestEnd: 2_000_000_060,
}
const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
}
const NONCE = `0x${'0c'.repeat(32)}`
const data = (
  parts: { domain?: object; message?: object } & Partial<Omit<TypedData, 'domain' | 'message'>> = {},
): TypedData => ({
  primaryType: 'TransferWithAuthorization',
  types: TYPES,
  ...parts,
  domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC, ...parts.domain },
  message: {
    from: address,
    to: PAYEE,
    value: 2_000n,
    validAfter: 0n,
    validBefore: 2_000_000_000n,
    nonce: NONCE,
    ...parts.message,
  },
})

describe('a wallet', () => {
  test('signs an approved payment, after it is stored', async () => {
    const wallet = await openWallet(new Secret(key))
    const kept: unknown[] = []
    const signer = wallet.signerFor(approved, async authorization => kept.push(authorization) > 0)
    expect(await signer.signTypedData(data())).toMatch(/^0x[0-9a-f]{130}$/)
    expect(kept).toEqual([{ nonce: NONCE, validBefore: 2_000_000_000 }])
    // Once.
    expect(signer.signTypedData(data())).rejects.toThrow(NotSigned)
  })

  test.each<[string, TypedData]>([
    ['another payee', data({ message: { to: address } })],
    ['another amount', data({ message: { value: 2_001n } })],
    ['an amount that is no number', data({ message: { value: '2000' } })],
    ['another payer', data({ message: { from: PAYEE } })],
    ['another token', data({ domain: { verifyingContract: PAYEE } })],
    ['another chain', data({ domain: { chainId: 1 } })],
    ['a longer time', data({ message: { validBefore: 2_000_000_061n } })],
    ['another kind of message', data({ primaryType: 'PermitWitnessTransferFrom' })],
    [
      'other fields',
      data({ types: { TransferWithAuthorization: TYPES.TransferWithAuthorization.slice(1) } }),
    ],
    ['a nonce that is none', data({ message: { nonce: '0x' } })],
  ])('does not sign %s', async (_, asked) => {
    const wallet = await openWallet(new Secret(key))
    let kept = 0
    const signer = wallet.signerFor(approved, async () => ++kept > 0)
    expect(signer.signTypedData(asked)).rejects.toThrow(NotSigned)
    expect(kept).toBe(0)
  })

  test('does not sign without a reservation', async () => {
    const wallet = await openWallet(new Secret(key))
    expect(wallet.signerFor(approved, async () => false).signTypedData(data())).rejects.toThrow(NotSigned)
  })
})

describe('a key', () => {
  test.each(['', '0x', key.slice(0, -1), `${key}0`, `z${key}`, '0'.repeat(64), 'f'.repeat(64)])(
    'that is invalid is refused without repeating it (%#)',
    async text => {
      const error = await openWallet(new Secret(text)).catch((error: unknown) => error)
      expect(error).toBeInstanceOf(WalletError)
      if (text.length > 8) expect(inspect(error)).not.toContain(text.slice(2, 40))
    },
  )

  test('appears in no output or serialisation', async () => {
    const secret = new Secret(key)
    const wallet = await openWallet(secret)
    const told = [
      `${secret}`,
      JSON.stringify({ secret }),
      inspect({ secret, wallet }, { depth: 9, showHidden: true }),
      JSON.stringify(wallet),
    ]
    for (const text of told) expect(text.toLowerCase()).not.toContain(key.slice(2).toLowerCase())
  })

  test('comes from a file that only its owner may read', () => {
    const path = temporaryPath('key')
    writeFileSync(path, `${key}\n`, { mode: 0o600 })
    expect(readKeyFile(path).map(each => each.reveal())).toEqual([key])
    chmodSync(path, 0o644)
    expect(() => readKeyFile(path)).toThrow('set its mode to 0600')
    expect(() => readKeyFile(`${path}.none`)).toThrow('There is no key file')
  })
})

describe('several wallets', () => {
  const accounts = [3, 4, 5].map(accountOf)
  const open = (count: number) => openWallets(accounts.slice(0, count).map(each => new Secret(each.key)))
  const purposes = Array.from({ length: 60 }, (_, i) => `proof ${i}`)

  test('are read from a file with one key per line, without duplicates', async () => {
    const path = temporaryPath('keys')
    const write = (text: string) => writeFileSync(path, text, { mode: 0o600 })
    write(`${accounts.map(each => each.key).join('\r\n\n')}\n`)
    const wallets = await openWallets(readKeyFile(path))
    expect(wallets.map(each => each.address as string)).toEqual(accounts.map(each => each.address))
    write(`${key}\n${key.slice(2).toUpperCase()}\n`)
    const twice = await openWallets(readKeyFile(path)).catch((error: unknown) => error)
    expect(twice).toBeInstanceOf(WalletError)
    expect(inspect(twice)).not.toContain(key.slice(2, 20))
    write('\n')
    expect(() => readKeyFile(path)).toThrow('is empty')
    write(`${key}\n`.repeat(101))
    expect(() => readKeyFile(path)).toThrow('more than 100 keys')
  })

  test('are drawn by purpose: all of them are used, and a purpose always gets the same', async () => {
    const [wallets, again] = [await open(3), await open(3)]
    const drawn = purposes.map(purpose => drawWallet(wallets, purpose).address)
    expect(new Set(drawn).size).toBe(3)
    // After a restart, and in whatever order the file names them.
    expect(purposes.map(purpose => drawWallet(again.toReversed(), purpose).address)).toEqual(drawn)
  })

  test('keep their purposes when another is added, except those assigned to the new one', async () => {
    const [two, three] = [await open(2), await open(3)]
    for (const purpose of purposes) {
      const now = drawWallet(three, purpose).address
      if (now !== three[2]!.address) expect(now).toBe(drawWallet(two, purpose).address)
    }
  })
})
