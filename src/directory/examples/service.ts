// One realistic service in every shape of the API; the other examples refer to it.
import { categoryLabels } from '../../domain/listing/categories.ts'
import type { OwnServices } from '../../domain/listing/own-services.ts'
import { EXPORT_VERSION, toExportEntry } from '../../domain/listing/views.ts'

export const draftExample = {
  name: 'Tokyo Weather',
  description: 'Hourly forecast for every ward of Tokyo, ten days ahead.',
  endpoint: 'https://weather.example.com/v1',
  category: 'weather',
  pricing: { currency: 'USDC', pricePerRequest: '0.001', freeQuota: 100 },
  x402Config: { paymentAddress: '0x2096d0bA3f1B6F4a1c8E5f7D9b0A4c3E2d1F6a7B', network: 'base' },
}

export const serviceExample = {
  id: 'svc_01k6zq8v5pf3t9m2r7xw4yhd0c',
  ...draftExample,
  trustScore: 41,
  status: 'verified' as const,
  supportedChains: ['base'],
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:02.000Z',
}

export const statusExample = {
  id: serviceExample.id,
  trustScore: serviceExample.trustScore,
  status: serviceExample.status,
  uptimeScore: 99.87,
  lastChecked: '2026-02-01T12:00:00.000Z',
  txCount: 1840,
  totalRevenue: 1.84,
}

export const categoriesExample = [{ id: 'weather', labels: categoryLabels('weather'), count: 12 }]

export const exportExample = {
  version: EXPORT_VERSION,
  source: 'Shirube',
  exportedAt: '2026-02-01T12:00:00.000Z',
  endpoints: [toExportEntry(serviceExample)],
}

export const ownServicesExample: OwnServices = {
  services: [{ service: serviceExample, by: 'owner', retired: null, hidden: null }],
  next: null,
}
