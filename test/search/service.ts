import type { Service } from '../../src/domain/listing/service.ts'

export const createService = (given: Partial<Service>): Service => ({
  id: 'svc_1',
  name: 'Service',
  description: 'Does something.',
  endpoint: 'https://service.example/v1',
  category: 'other',
  pricing: { currency: 'USDC', pricePerRequest: '0.002', freeQuota: 0 },
  x402Config: { paymentAddress: '0x1', network: 'base' },
  trustScore: 50,
  status: 'unverified',
  supportedChains: ['base'],
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...given,
})
