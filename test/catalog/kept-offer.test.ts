import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { readOffer } from '../../src/catalog/kept-offer.ts'
import type { Service } from '../../src/domain/service.ts'
import { STATUSES } from '../../src/domain/standing.ts'
import { toService } from '../../src/domain/views.ts'
import { entry } from '../entries.ts'

const BEFORE = 'a record before'
const AFTER = '{"id":"svc_2","pricing":{"currency":"EURC","pricePerRequest":"7"'

/** Reads the terms among other records, and counts how often all of the service had to be decoded. */
function read(service: Service) {
  let decoded = 0
  const bytes = Buffer.from(`${BEFORE}${JSON.stringify(service)}${AFTER}`)
  const offer = readOffer(bytes, BEFORE.length, () => {
    decoded++
    return service
  })
  const { pricing, x402Config, status } = offer
  const terms = { pricing, network: x402Config.network, status }
  return { offer, terms, decoded: () => decoded }
}

const toTerms = ({ pricing, x402Config, status }: Service) => ({
  pricing,
  network: x402Config.network,
  status,
})

const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constant('"pricing":{"currency":"X"'))

test('the terms are those of the service, whatever its texts hold', () => {
  const service = toService(entry())
  fc.assert(
    fc.property(
      fc.record({
        name: anyText,
        currency: anyText,
        network: anyText,
        address: anyText,
        freeQuota: fc.nat({ max: Number.MAX_SAFE_INTEGER }),
        trustScore: fc.nat({ max: 100 }),
        status: fc.constantFrom(...STATUSES),
      }),
      ({ name, currency, network, address, freeQuota, trustScore, status }) => {
        const given: Service = {
          ...service,
          name,
          pricing: { currency, pricePerRequest: '0.10', freeQuota },
          x402Config: { paymentAddress: address, network },
          trustScore,
          status,
        }
        const { terms } = read(given)
        expect(terms).toEqual(toTerms(given))
      },
    ),
  )
})

test('plain terms are read without decoding the rest; texts decode it once', () => {
  const service = toService(entry())
  const { offer, terms, decoded } = read(service)
  expect(terms).toEqual(toTerms(service))
  expect(decoded()).toBe(0)
  expect([offer.name, offer.description, offer.category]).toEqual([
    service.name,
    service.description,
    service.category,
  ])
  expect(decoded()).toBe(1)
})
