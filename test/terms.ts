// Terms as a probe reads them, for tests that need some.
import type { ReadTerms } from '../src/domain/standing/judge.ts'
import type { PaymentRequirements, ResourceTerms } from '../src/domain/terms/terms.ts'

export const requirements: PaymentRequirements = {
  protocol: 'x402',
  scheme: 'exact',
  network: 'eip155:8453',
  chain: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  assetName: 'USDC',
  amount: '2500',
  price: '0.0025',
  currency: 'USD',
  payTo: '0x1111111111111111111111111111111111111111',
  maxTimeoutSeconds: 60,
  extra: { name: 'USD Coin', version: '2' },
}

export const resource = (parts: Partial<ResourceTerms> = {}): ResourceTerms => ({
  url: 'https://weather.example/v1',
  method: 'GET',
  accepts: [requirements],
  extensions: [],
  source: '402',
  ...parts,
})

export const seen = (...resources: readonly ResourceTerms[]): ReadTerms['seen'] => ({
  x402Version: 2,
  resources: resources.length > 0 ? resources : [resource()],
  asks: { amount: '0.0025', currency: 'USDC' },
  price: 'same',
})
