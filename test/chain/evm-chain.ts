// A real EVM chain for tests, run by Node on loopback. It calls itself Base, and has a token where Base has USDC.
import { type Abi, createTestClient, http, publicActions, walletActions } from 'viem'
import { ASSETS } from '../../src/domain/assets.ts'

type Address = `0x${string}`

export type EvmChain = Awaited<ReturnType<typeof openEvmChain>>

const HERE = import.meta.dir
const token = ASSETS.find(({ chain, symbol }) => chain === 'eip155:8453' && symbol === 'USDC')!
  .address as Address

/** Where the clients of x402 look for them on every chain. */
const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const UPTO_PROXY = '0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002'

type Contract = { readonly abi: Abi; readonly bytecode: `0x${string}` }
type Started = {
  readonly port: number
  readonly contracts: { readonly Token: Contract; readonly Permit2: Contract; readonly UptoProxy: Contract }
}

export async function openEvmChain() {
  const node = Bun.spawn(['node', `${HERE}/evm-node.mjs`], {
    env: {
      ...process.env,
      HARDHAT_CONFIG: `${HERE}/hardhat.config.cjs`,
      HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const { port, contracts } = JSON.parse(await firstLine(node.stdout)) as Started
  const { abi, bytecode } = contracts.Token
  const url = `http://127.0.0.1:${port}`
  const client = createTestClient({ mode: 'hardhat', transport: http(url), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  const accounts = await client.getAddresses()
  const [banker] = accounts as [Address]
  await client.setCode({ address: token, bytecode })
  await client.setCode({ address: PERMIT2, bytecode: contracts.Permit2.bytecode })
  await client.setCode({ address: UPTO_PROXY, bytecode: contracts.UptoProxy.bytecode })

  const call = async (account: Address, functionName: string, args: readonly unknown[]): Promise<string> => {
    const hash = await client.writeContract({ address: token, abi, functionName, args, account, chain: null })
    await client.waitForTransactionReceipt({ hash })
    return hash
  }
  for (const account of accounts) await call(banker, 'mint', [account, 10n ** 12n])

  return {
    url,
    client,
    /** Accounts with a million units each. */
    accounts,
    /** Each call is a transaction in a block of its own; the value is in millionths. */
    pay: (from: Address, to: Address, value: bigint) => call(from, 'transfer', [to, value]),
    payMany: (from: Address, to: readonly Address[], values: readonly bigint[]) =>
      call(from, 'transferMany', [to, values]),
    /** Lets Permit2 move what the account has: the scheme upto needs it once. */
    approve: (from: Address) => call(from, 'approve', [PERMIT2, 2n ** 255n]),
    mint: (to: Address, value: bigint) => call(banker, 'mint', [to, value]),
    head: async () => Number(await client.getBlockNumber({ cacheTime: 0 })),
    async [Symbol.asyncDispose]() {
      node.stdin.end()
      await node.exited
    },
  }
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    text += decoder.decode(chunk, { stream: true })
    const end = text.indexOf('\n')
    if (end >= 0) return text.slice(0, end)
  }
  throw new Error(`The chain ended before it began: ${text}`)
}
