// A real EVM chain for tests, run by Node on loopback. It calls itself Base, and has a token where Base has USDC.
import { readFileSync } from 'node:fs'
import {
  type Abi,
  createTestClient,
  encodeFunctionData,
  http,
  type LocalAccount,
  publicActions,
  walletActions,
} from 'viem'
import { ASSETS } from '../../src/domain/chains/assets.ts'
import { type Authorization, signAuthorization } from './authorization.ts'
import { EXACT_PROXY, PERMIT2, signExact, signUpto, UPTO_PROXY } from './permit.ts'

type Address = `0x${string}`

export type EvmChain = Awaited<ReturnType<typeof openEvmChain>>

const HERE = import.meta.dir
const token = ASSETS.find(({ chain, symbol }) => chain === 'eip155:8453' && symbol === 'USDC')!
  .address as Address

/** Anywhere where nothing is. */
export const BATCH = `0x${'ba7c'.repeat(10)}` as const

type ContractName = 'Token' | 'Permit2' | 'ExactProxy' | 'UptoProxy' | 'Batch' | 'SilentToken'
type Contract = { readonly abi: Abi; readonly bytecode: `0x${string}` }

/** As compile.mjs leaves them below a line about their making: to compile them takes far longer than to start a chain. */
const contracts = Object.fromEntries(
  readFileSync(`${HERE}/contracts.ndjson`, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map(line => JSON.parse(line) as Contract & { readonly name: ContractName })
    .map(({ name, ...contract }) => [name, contract]),
) as Readonly<Record<ContractName, Contract>>

type Node = { readonly url: string; snapshot?: `0x${string}` }

/** To start one takes seconds: a chain that was left is lent again to the next test file of the process, as it was at first. */
const free: Node[] = []

async function startNode(): Promise<Node> {
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
  // Its input ends with this process, and so does it.
  node.unref()
  return { url: `http://127.0.0.1:${Number(await firstLine(node.stdout))}` }
}

export async function openEvmChain() {
  const node = free.pop() ?? (await startNode())
  const { url } = node
  const client = createTestClient({ mode: 'hardhat', transport: http(url), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions)
  const accounts = await client.getAddresses()
  const [banker] = accounts as [Address]
  const plant = (name: ContractName, address: Address) =>
    client.setCode({ address, bytecode: contracts[name].bytecode })

  const write = async (contract: Contract, address: Address, account: Address, step: Call) => {
    const hash = await client.writeContract({ abi: contract.abi, address, account, chain: null, ...step })
    await client.waitForTransactionReceipt({ hash })
    return hash
  }
  const call = (account: Address, functionName: string, args: readonly unknown[]) =>
    write(contracts.Token, token, account, { functionName, args })
  const toStep = (contract: Contract, to: Address, step: Call) => ({
    to,
    data: encodeFunctionData({ abi: contract.abi, ...step }),
  })
  const authorize = async (
    payment: Settled,
    functionName: Authorization = 'transferWithAuthorization',
    of = token,
  ) => ({ functionName, args: await signAuthorization(client, of, payment, functionName) })
  if (node.snapshot === undefined) {
    await plant('Token', token)
    await plant('Permit2', PERMIT2)
    await plant('ExactProxy', EXACT_PROXY)
    await plant('UptoProxy', UPTO_PROXY)
    await plant('Batch', BATCH)
    for (const account of accounts) await call(banker, 'mint', [account, 10n ** 12n])
  } else {
    await client.revert({ id: node.snapshot })
  }
  node.snapshot = await client.snapshot()
  // Whoever goes back goes back in time as well.
  await client.setNextBlockTimestamp({ timestamp: BigInt(Math.ceil(Date.now() / 1000)) })
  await client.mine({ blocks: 1 })

  return {
    url,
    client,
    token,
    /** Puts a contract at an address. */
    plant,
    /** A transaction that calls a contract. */
    call: (name: ContractName, address: Address, by: Address, step: Call): Promise<string> =>
      write(contracts[name], address, by, step),
    /** What a payer signs for the scheme exact by Permit2. */
    signExact: (
      from: Address,
      to: Address,
      value: bigint,
      also: { token?: Address; spender?: Address } = {},
    ) => signExact(client, { from, to, value, token: also.token ?? token }, also.spender),
    /** Accounts with a million units each. */
    accounts,
    /** Each call is a transaction in a block of its own; the value is in millionths. */
    pay: (from: Address, to: Address, value: bigint) => call(from, 'transfer', [to, value]),
    payMany: (from: Address, to: readonly Address[], values: readonly bigint[]) =>
      call(from, 'transferMany', [to, values]),
    /** Lets Permit2 move what the account has: a payer needs it once. */
    approve: (from: Address) => call(from, 'approve', [PERMIT2, 2n ** 255n]),
    mint: (to: Address, value: bigint) => call(banker, 'mint', [to, value]),
    /** Pays as x402 does: the payer signs, and a facilitator (or who is named) sends it. */
    settle: async (from: Address | LocalAccount, to: Address, value: bigint, by = banker): Promise<string> =>
      write(contracts.Token, token, by, await authorize({ from, to, value })),
    /** The same in another token, of which the payer is given as much. */
    settleIn: async (of: Address, from: Address, to: Address, value: bigint): Promise<string> => {
      await plant('Token', of)
      await write(contracts.Token, of, banker, { functionName: 'mint', args: [from, value] })
      return write(
        contracts.Token,
        of,
        banker,
        await authorize({ from, to, value }, 'transferWithAuthorization', of),
      )
    },
    /** The payee fetches what the payer has signed. */
    receive: async (from: Address | LocalAccount, to: Address, value: bigint): Promise<string> =>
      write(contracts.Token, token, to, await authorize({ from, to, value }, 'receiveWithAuthorization')),
    /** Steps of a transaction that makes several calls, for `batch`. */
    steps: {
      call: (name: ContractName, to: Address, step: Call) => toStep(contracts[name], to, step),
      settle: async (payment: Settled) => toStep(contracts.Token, token, await authorize(payment)),
      pay: (from: Address, to: Address, value: bigint) =>
        toStep(contracts.Token, token, { functionName: 'transferFrom', args: [from, to, value] }),
      claimAuthorization: (authorizer: Address) =>
        toStep(contracts.Batch, BATCH, {
          functionName: 'claimAuthorization',
          args: [authorizer, `0x${'1'.repeat(64)}`],
        }),
      settleUpto: async (from: Address, to: Address, value: bigint) =>
        toStep(
          contracts.UptoProxy,
          UPTO_PROXY,
          await signUpto(client, { from, to, value, token, facilitator: BATCH }),
        ),
      claimSettlement: () => toStep(contracts.Batch, BATCH, { functionName: 'claimSettlement', args: [] }),
    },
    /** Moves by the payer's allowance, as somebody whom the payer allows it. */
    collect: (by: Address, from: Address, to: Address, value: bigint) =>
      call(by, 'transferFrom', [from, to, value]),
    /** Lets anybody move what the account has. */
    allow: (from: Address, by: Address) => call(from, 'approve', [by, 2n ** 255n]),
    /** Pays by Permit2 as the scheme upto does, sent by the facilitator that the payer has signed for. */
    settleUpto: async (from: Address, to: Address, value: bigint): Promise<string> => {
      const payment = { from, to, value, token, facilitator: banker }
      return write(contracts.UptoProxy, UPTO_PROXY, banker, await signUpto(client, payment))
    },
    batch: (by: Address, steps: readonly { to: Address; data: Address }[]) =>
      write(contracts.Batch, BATCH, by, { functionName: 'run', args: [steps] }),
    banker,
    head: async () => Number(await client.getBlockNumber({ cacheTime: 0 })),
    async [Symbol.asyncDispose]() {
      free.push(node)
    },
  }
}

type Call = { readonly functionName: string; readonly args: readonly unknown[] }
type Settled = { readonly from: Address | LocalAccount; readonly to: Address; readonly value: bigint }

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
