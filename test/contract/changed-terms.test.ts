// Payments to an endpoint that was verified and then asks for other terms than it lists.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { openProbingDirectory, type ProbingDirectory } from '../journeys/probing-directory.ts'
import { asksV2, onBase, openMerchant, STRANGER } from '../probe/merchant.ts'

let world: ProbingDirectory
beforeEach(async () => {
  world = await openProbingDirectory()
})
afterEach(() => world[Symbol.asyncDispose]())

test.each([
  ['another payee', 'payee_elsewhere', { ...onBase, payTo: STRANGER }],
  ['more money', 'more_than_listed', { ...onBase, amount: '5000000' }],
])('%s than listed is a stop before and after a probe has seen it', async (_, code, changed) => {
  const merchant = world.use(openMerchant({ '/v1': asksV2() }))
  const endpoint = `${merchant.url}/v1`
  const { id } = await world.register(endpoint)
  const hasStatus = (status: string) => async () => (await world.serviceOf(id)).status === status
  const ask = async ({ payTo, amount, asset, network }: typeof onBase) => {
    const asked = new URLSearchParams({ url: endpoint, payTo, amount, asset, network })
    const { verdict, reasons } = await world.directory.json(`/api/resolve?${asked}`)
    return [verdict, reasons[0].code]
  }
  await world.until(hasStatus('verified'))
  expect(await ask(onBase)).toEqual(['clear', 'as_listed_and_seen'])
  expect((await ask(changed))[0]).toBe('stop')

  merchant.answer({ '/v1': asksV2([changed]) })
  await world.until(hasStatus('unverified'), 50_000)
  expect(await ask(changed)).toEqual(['stop', code])
})
