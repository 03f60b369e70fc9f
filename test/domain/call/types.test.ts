// Every TypeScript snippet compiles in strict mode against the packages that it imports.
import { expect, test } from 'bun:test'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { toCall } from '../../../src/domain/call/call.ts'
import type { PaymentRequirements, ResourceTerms } from '../../../src/domain/terms/terms.ts'
import { draft } from '../../entries.ts'
import { temporaryPath } from '../../store/temporary-path.ts'

const root = join(import.meta.dir, '../../..')
const EVM = { network: 'base', paymentAddress: `0x${'1'.repeat(40)}` }
const SOLANA = { network: 'solana', paymentAddress: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin' }
const evm: PaymentRequirements = {
  protocol: 'x402',
  scheme: 'exact',
  network: 'eip155:8453',
  chain: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amount: '2500',
  payTo: EVM.paymentAddress,
  extra: { name: 'USD Coin', version: '2' },
}
const solana: PaymentRequirements = {
  ...evm,
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  chain: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: SOLANA.paymentAddress,
  extra: { feePayer: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4' },
}
const charge = (extra: object): PaymentRequirements => ({
  ...evm,
  protocol: 'mpp',
  scheme: 'charge',
  extra: { ...extra },
})
const SHAPES: readonly [
  name: string,
  requirements: PaymentRequirements,
  version: 1 | 2 | null,
  listed: typeof EVM,
][] = [
  ['evm', evm, 2, EVM],
  ['evm-old', { ...evm, network: 'base' }, 1, EVM],
  ['upto', { ...evm, scheme: 'upto' }, 2, EVM],
  ['solana', solana, 2, SOLANA],
  ['solana-old', { ...solana, network: 'solana' }, 1, SOLANA],
  ['mpp', charge({ method: 'evm', credentialTypes: ['authorization'] }), null, EVM],
  ['mpp-tempo', charge({ method: 'tempo' }), null, EVM],
]
const input = {
  type: 'object',
  properties: { city: { type: 'string', example: 'Tokyo' }, days: { type: 'integer' } },
  required: ['city', 'days'],
}

test('snippets of every scheme and version compile, for HTTP endpoints and MCP servers', async () => {
  const folder = temporaryPath()
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const files: string[] = []
  for (const [name, requirements, x402Version, x402Config] of SHAPES)
    for (const tool of [undefined, 'tides'])
      for (const language of ['typescript', 'mcp'] as const) {
        const resource: ResourceTerms = {
          url: 'https://api.example/v1',
          method: 'POST',
          input,
          ...(tool && { tool }),
          accepts: [requirements],
          extensions: [],
          source: '402',
        }
        const text = toCall(
          { ...draft({ x402Config }), id: 'svc_1' },
          { x402Version, resources: [resource] },
          language,
        )
        // Only the call over HTTP is paid by MPP.
        if (x402Version === null && (tool || language === 'mcp')) continue
        expect(text).toContain(x402Version === null ? 'Mppx.create(' : 'new x402Client()')
        files.push(join(folder, `${name}-${tool ?? 'http'}-${language}.ts`))
        await Bun.write(files.at(-1)!, text)
      }
  const options =
    '--noEmit --singleThreaded --strict --skipLibCheck --target es2023 --module esnext --moduleResolution bundler --types bun'
  const child = Bun.spawn([join(root, 'node_modules/.bin/tsc'), ...options.split(' '), ...files], {
    cwd: folder,
    stdout: 'pipe',
  })
  expect(await new Response(child.stdout).text()).toBe('')
}, 120_000)
