// A service that asks by MPP alone: listed with its wallet, verified, found by its protocol, and called with the client of MPP.
import { expect, test } from 'bun:test'
import { Challenge } from 'mppx'
import { Methods } from 'mppx/evm'
import type { Service } from '../../src/domain/listing/service.ts'
import { body } from '../http/directory-server.ts'
import { PAYEE, USDC_ON_BASE } from '../probe/merchant.ts'
import { openProbingDirectory } from './probing-directory.ts'

/** As the official package writes it. */
const CHALLENGE = Challenge.serialize(
  Challenge.fromMethod(Methods.charge, {
    id: 'kM9xPqWvT2nJrHsY4aDfEb',
    realm: 'weather.test',
    request: {
      amount: '0.0025',
      chainId: 8453,
      currency: USDC_ON_BASE,
      decimals: 6,
      recipient: PAYEE,
      credentialTypes: ['authorization'],
    },
  } as never) as Challenge.Challenge,
)

test('it is verified, found by protocol=mpp, by a sentence and in /discovery, and called with mppx', async () => {
  await using world = await openProbingDirectory()
  const { directory } = world
  const origin = world.serve(
    () => new Response('', { status: 402, headers: { 'www-authenticate': CHALLENGE } }),
  )
  const pricing = { currency: 'USDC', pricePerRequest: '0.0025' }
  const x402Config = { paymentAddress: PAYEE, network: 'base' }
  const draft = body({ name: 'Capybara Tides', endpoint: `${origin}/v1`, pricing, x402Config })
  const { id } = (await (await directory.register(draft)).json()) as Service
  await world.until(async () => (await world.serviceOf(id)).status === 'verified')

  const idsAt = async (path: string) => ((await directory.json(path)) as Service[]).map(each => each.id)
  expect(await idsAt('/api/services?protocol=mpp')).toEqual([id])
  expect(await idsAt('/api/services?protocol=x402')).not.toContain(id)
  const found = await directory.json('/api/services/search/intent?q=capybara+tides+by+MPP')
  expect(found).toMatchObject({ constraints: { protocol: 'mpp' }, results: [{ service: { id } }] })
  const { items } = await directory.json('/discovery/resources?protocol=mpp')
  expect(items).toMatchObject([{ resource: `${origin}/v1`, accepts: [{ protocol: 'mpp', payTo: PAYEE }] }])

  expect(await directory.json(`/api/services/${id}/terms`)).toMatchObject({
    x402Version: null,
    asListed: { price: 'same', address: true, network: true },
  })
  const call = await (await directory.get(`/api/services/${id}/call?for=typescript`)).text()
  expect(call).toContain(`from 'mppx/client'`)
  expect(call).toContain(`recipient.toLowerCase() === ${JSON.stringify(PAYEE.toLowerCase())}`)
  expect(call).toContain('BigInt(amount) <= 2500n')
})
