// Snippets for Solana sign without a chain here: the merchant is made up, and what a node would say of the newest block is too. What
// is signed is taken apart and compared. Whether the chain would take it is not shown.
import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { toCall } from '../../src/domain/call/call.ts'
import { draft } from '../entries.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { readMerchant } from './read-merchant.ts'

/** What the package for Solana brings along. */
const from = (name: string) => import(Bun.resolveSync(name, Bun.resolveSync('@x402/svm', import.meta.dir)))
const { base58 } = await from('@scure/base')
const { getCompiledTransactionMessageDecoder, getTransactionDecoder } = await from('@solana/kit')
const { findAssociatedTokenPda } = await from('@solana-program/token')

const MAINNET = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const PAYEE = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'
const FEE_PAYER = '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4'
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const NODE = 'https://api.mainnet-beta.solana.com'
/** `transferChecked`: its number, the amount in eight bytes, the decimals. */
const TRANSFER_CHECKED = 12
const LISTED = { ...draft({ x402Config: { network: 'solana', paymentAddress: PAYEE } }), id: 'svc_solana' }
const folder = temporaryPath('snippets')
let payer: { readonly address: string; readonly publicKey: CryptoKey }

type Terms = Readonly<Record<string, unknown>>
type Instruction = {
  readonly data?: Uint8Array
  readonly accountIndices?: readonly number[]
  readonly programAddressIndex: number
}
const WAY: Terms = {
  scheme: 'exact',
  network: MAINNET,
  amount: '2500',
  asset: USDC,
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
  extra: { feePayer: FEE_PAYER },
}

let version: 1 | 2 = 2
let way: Terms = WAY
let payment: string | null = null
const merchant = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    payment = request.headers.get('payment-signature') ?? request.headers.get('x-payment')
    if (payment !== null) return new Response('paid')
    if (version === 2) {
      const required = { x402Version: 2, resource: { url: request.url }, accepts: [way] }
      const headers = { 'payment-required': btoa(JSON.stringify(required)) }
      return Response.json({}, { status: 402, headers })
    }
    const { amount, network, ...rest } = way
    const names = { resource: request.url, description: '', mimeType: '', maxAmountRequired: amount }
    const accepts = [{ ...rest, ...names, network: network === MAINNET ? 'solana' : network }]
    return Response.json({ x402Version: 1, accepts, error: '' }, { status: 402 })
  },
})
const url = `http://127.0.0.1:${merchant.port}/v1/prices`

/** The mint of USDC as an account: no authority, a supply, six decimals, initialized, no freeze authority. */
function mintAccount(): string {
  const bytes = Buffer.alloc(82)
  bytes.writeBigUInt64LE(10n ** 15n, 36)
  bytes[44] = 6
  bytes[45] = 1
  return bytes.toString('base64')
}

const context = { slot: 1, apiVersion: '2.0.0' }
const ANSWERS: Readonly<Record<string, unknown>> = {
  getLatestBlockhash: {
    context,
    value: { blockhash: base58.encode(new Uint8Array(32).fill(7)), lastValidBlockHeight: 100 },
  },
  getAccountInfo: {
    context,
    value: {
      data: [mintAccount(), 'base64'],
      executable: false,
      lamports: 1,
      owner: TOKEN_PROGRAM,
      rentEpoch: 0,
      space: 82,
    },
  },
}

beforeAll(async () => {
  mkdirSync(folder)
  symlinkSync(join(import.meta.dir, '../../node_modules'), join(folder, 'node_modules'))
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair
  const secret = Buffer.from((await crypto.subtle.exportKey('jwk', pair.privateKey)).d!, 'base64url')
  const open = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  payer = { address: base58.encode(open), publicKey: pair.publicKey }
  process.env.SVM_PRIVATE_KEY = base58.encode(new Uint8Array([...secret, ...open]))
})
afterAll(() => {
  delete process.env.SVM_PRIVATE_KEY
  merchant.stop(true)
})

let snippets = 0
async function run(asked: Terms): Promise<{ said: string; methods: string[] }> {
  way = WAY
  const file = join(folder, `snippet-${++snippets}.ts`)
  await Bun.write(file, toCall(LISTED, await readMerchant(url, 'GET'), 'typescript'))
  way = asked
  payment = null
  const methods: string[] = []
  const send = globalThis.fetch
  const node = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(input as string, init)
    if (!request.url.startsWith(NODE)) return send(request)
    const { id, method } = (await request.json()) as { id: unknown; method: string }
    methods.push(method)
    return Response.json({ jsonrpc: '2.0', id, result: ANSWERS[method] })
  }
  const fetching = spyOn(globalThis, 'fetch').mockImplementation(node as typeof fetch)
  const log = spyOn(console, 'log').mockImplementation(() => {})
  try {
    const said = await import(file).then(
      () => 'done',
      (error: Error) => error.message,
    )
    return { said, methods }
  } finally {
    log.mockRestore()
    fetching.mockRestore()
  }
}

describe.each([[2 as const], [1 as const]])('of version %i', of => {
  test('the shown price is signed, by the payer, for the listed wallet', async () => {
    version = of
    expect(await run(WAY)).toMatchObject({ said: 'done' })
    const { payload } = JSON.parse(atob(payment!)) as { payload: { transaction: string } }
    const { messageBytes, signatures } = getTransactionDecoder().decode(
      Buffer.from(payload.transaction, 'base64'),
    )
    const signature = signatures[payer.address as never] as Uint8Array
    const bytes = new Uint8Array(messageBytes)
    expect(await crypto.subtle.verify('Ed25519', payer.publicKey, new Uint8Array(signature), bytes)).toBe(
      true,
    )
    const message = getCompiledTransactionMessageDecoder().decode(bytes)
    const transfers = (message.instructions as Instruction[]).filter(
      ({ data }) => data?.[0] === TRANSFER_CHECKED,
    )
    expect(transfers).toHaveLength(1)
    const [{ data, accountIndices, programAddressIndex }] = transfers as [(typeof transfers)[0]]
    const accounts = message.staticAccounts as readonly string[]
    expect(accounts[programAddressIndex]).toBe(TOKEN_PROGRAM)
    expect(Buffer.from(data!).readBigUInt64LE(1)).toBe(2_500n)
    const [account] = await findAssociatedTokenPda({
      owner: PAYEE as never,
      mint: USDC as never,
      tokenProgram: TOKEN_PROGRAM as never,
    })
    const [, mint, destination, authority] = accountIndices!.map(index => accounts[index])
    expect({ mint, destination, authority }).toEqual({
      mint: USDC,
      destination: account,
      authority: payer.address,
    })
    expect(accounts[0]).toBe(FEE_PAYER)
  })

  test.each<[string, Terms]>([
    ['more', { amount: '2501' }],
    ['another wallet', { payTo: FEE_PAYER }],
    ['the wallet in other letters', { payTo: PAYEE.toLowerCase() }],
    ['another asset', { asset: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' }],
    ['another network', { network: of === 2 ? 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1' : 'solana-devnet' }],
  ])('%s is not', async (_, change) => {
    version = of
    const { said, methods } = await run({ ...WAY, ...change })
    expect(said).not.toBe('done')
    expect({ payment, methods }).toEqual({ payment: null, methods: [] })
  })
})
