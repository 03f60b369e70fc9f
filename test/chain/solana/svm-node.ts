// A node of the chain in this process, over JSON-RPC on loopback, with the faults that nodes have.
import { decodeBase58, encodeBase58 } from '../../../src/domain/chains/addresses.ts'
import { type Commitment, GENESIS, MAX_AGE, SvmChain } from './svm-chain.ts'

type Options = {
  readonly commitment?: Commitment
  readonly limit?: number
  readonly before?: string
  readonly minContextSlot?: number
  readonly dataSlice?: { readonly offset: number; readonly length: number }
}

class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

export type SvmNode = AsyncDisposable & {
  readonly url: string
  readonly chain: SvmChain
  readonly calls: string[]
  /** Is asked before each answer: what it throws is the answer. */
  fault: ((method: string) => void) | undefined
  /** Slots of which it has lost everything, blocks and transactions. */
  readonly lost: Set<number>
  genesis: string
}

export function openSvmNode(chain = new SvmChain()): SvmNode {
  const calls: string[] = []
  const lost = new Set<number>()
  const has = ({ slot }: { readonly slot: number }) => !lost.has(slot)
  const node = { fault: undefined, genesis: GENESIS } as Pick<SvmNode, 'fault' | 'genesis'>

  const METHODS: Readonly<Record<string, (params: never) => unknown>> = {
    getGenesisHash: () => node.genesis,
    getEpochInfo([options]: readonly Options[]) {
      const { slot, height } = chain.head(options?.commitment ?? 'finalized')
      return { absoluteSlot: slot, blockHeight: height, epoch: 0, slotIndex: 0, slotsInEpoch: 432_000 }
    },
    getLatestBlockhash([options]: readonly Options[]) {
      const { slot, height, hash } = chain.head(options?.commitment ?? 'finalized')
      return { context: { slot }, value: { blockhash: hash, lastValidBlockHeight: height + MAX_AGE } }
    },
    getAccountInfo([address, options]: readonly [string, Options]) {
      const account = chain.svm.getAccount(decodeBase58(address)!)
      const { offset = 0, length = 10_000 } = options.dataSlice ?? {}
      const context = { slot: chain.head('finalized').slot }
      if (!account) return { context, value: null }
      const data = Buffer.from(account.data())
        .subarray(offset, offset + length)
        .toString('base64')
      return { context, value: { owner: encodeBase58(account.owner()), data: [data, 'base64'], lamports: 1 } }
    },
    getSignaturesForAddress([address, options]: readonly [string, Options]) {
      const { commitment = 'finalized', limit = 1_000, before, minContextSlot = 0 } = options
      const { slot } = chain.head(commitment)
      if (slot < minContextSlot) throw new RpcError(-32_016, 'Minimum context slot has not been reached')
      const own = chain.list(commitment).filter(each => has(each) && each.accounts.includes(address))
      const newest = own.toReversed()
      const from = before === undefined ? 0 : newest.findIndex(({ signature }) => signature === before) + 1
      return newest.slice(from, from + limit).map(({ signature, slot, err }) => ({
        signature,
        slot,
        err: err === null ? null : { err },
        memo: null,
      }))
    },
    getTransaction([signature, { commitment = 'finalized' }]: readonly [string, Options]) {
      if (decodeBase58(signature)?.length !== 64) throw new RpcError(-32_602, 'Invalid param: WrongSize')
      const found = chain.list(commitment).find(each => each.signature === signature && has(each))
      if (!found) return null
      const { slot, wire, err } = found
      return {
        slot,
        version: 0,
        meta: { err: err === null ? null : { err } },
        transaction: [Buffer.from(wire).toString('base64'), 'base64'],
      }
    },
    getBlock([slot]: readonly [number]) {
      const { slot: final } = chain.head('finalized')
      const block = chain.blocks.find(each => each.slot === slot && each.slot <= final)
      if (!block) throw new RpcError(-32_007, `Slot ${slot} was skipped, or missing due to ledger jump`)
      if (!has(block)) throw new RpcError(-32_001, `Block ${slot} cleaned up, does not exist on node`)
      return { blockHeight: block.height, blockhash: block.hash, parentSlot: slot - 1 }
    },
    getBlocksWithLimit([from, limit]: readonly [number, number]) {
      const { slot: final } = chain.head('finalized')
      return chain.blocks
        .filter(each => each.slot >= from && each.slot <= final && has(each))
        .slice(0, limit)
        .map(({ slot }) => slot)
    },
    sendTransaction([wire]: readonly [string]) {
      try {
        return chain.send(Buffer.from(wire, 'base64'))
      } catch (error) {
        throw new RpcError(-32_002, `Transaction simulation failed: ${(error as Error).message}`)
      }
    },
    simulateTransaction([wire]: readonly [string]) {
      const err = chain.simulate(Buffer.from(wire, 'base64'))
      return { context: { slot: chain.head('confirmed').slot }, value: { err, logs: [], accounts: null } }
    },
    getSignatureStatuses([signatures]: readonly [string[]]) {
      const value = signatures.map(signature => {
        const found = chain.processed.find(each => each.signature === signature)
        return found
          ? {
              slot: found.slot,
              err: found.err,
              confirmations: 1,
              confirmationStatus: 'confirmed',
              status: {},
            }
          : null
      })
      return { context: { slot: chain.head('confirmed').slot }, value }
    },
  }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { method, params, id } = (await request.json()) as { method: string; params: unknown; id: number }
      calls.push(method)
      try {
        node.fault?.(method)
        const answer = METHODS[method]
        if (!answer) throw new RpcError(-32_601, `Method not found: ${method}`)
        return Response.json({ jsonrpc: '2.0', id, result: answer((params ?? []) as never) })
      } catch (error) {
        const { code = -32_603, message } = error as RpcError
        return Response.json({ jsonrpc: '2.0', id, error: { code, message } })
      }
    },
  })
  return Object.assign(node, {
    url: `http://127.0.0.1:${server.port}`,
    chain,
    calls,
    lost,
    [Symbol.asyncDispose]: () => server.stop(true),
  })
}
