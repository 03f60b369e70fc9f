// Strangers list what belongs to others, are verified there, and remove it again: that stops nobody's payments.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createClient } from '../../src/http/client/client.ts'
import { asksV2, onBase, PAYEE } from '../probe/merchant.ts'
import { openProbingDirectory, type ProbingDirectory } from './probing-directory.ts'

let world: ProbingDirectory
beforeEach(async () => {
  world = await openProbingDirectory({ PUBLIC_URL: 'http://directory.test' })
})
afterEach(() => world[Symbol.asyncDispose]())

async function openWallet() {
  const client = createClient({ url: world.directory.url })
  const { address, signMessage } = privateKeyToAccount(generatePrivateKey())
  const { message } = await client.challenge({ address, network: 'base' })
  const { key } = await client.signIn({ message, signature: await signMessage({ message }) })
  const register = async (endpoint: string, paymentAddress: string): Promise<string> => {
    const draft = {
      name: 'Tides',
      description: 'Tides of every harbour',
      endpoint,
      category: 'weather',
      pricing: { currency: 'USDC', pricePerRequest: '0.0025' },
      x402Config: { paymentAddress, network: 'base' },
    }
    const { id } = (await client.register(draft, { key })).service.decode()
    await world.until(async () => (await world.serviceOf(id)).status === 'verified')
    return id
  }
  return { address, register, remove: (id: string) => client.remove(id, { key }) }
}

const verdictOf = async (url: string, payTo: string): Promise<string> =>
  (await world.directory.json(`/api/resolve?${new URLSearchParams({ url, payTo, network: 'base' })}`)).verdict

test('a claim of the root of a shared host, verified by the claimant’s own resource, ends with its removal', async () => {
  const thief = await openWallet()
  const host = world.serve(({ pathname: path, origin }) => {
    if (path.startsWith('/thief')) return asksV2([{ ...onBase, payTo: thief.address }])
    if (path.startsWith('/alice')) return asksV2([{ ...onBase, payTo: PAYEE }])
    return path === '/.well-known/x402'
      ? Response.json({ version: 1, resources: [`${origin}/thief/pay`] })
      : new Response(null, { status: 404 })
  })
  const id = await thief.register(`${host}/`, thief.address)
  expect(await verdictOf(`${host}/thief/pay`, thief.address)).toBe('clear')
  expect(await verdictOf(`${host}/alice/tides`, PAYEE)).toBe('caution')
  await thief.remove(id)
  expect(await verdictOf(`${host}/alice/tides`, PAYEE)).toBe('unknown')
})

test('a listing for the wallet that a domain names, made by a stranger, ends with its removal', async () => {
  const stranger = await openWallet()
  const host = world.serve(({ pathname: path }) =>
    path === '/.well-known/shirube.json'
      ? Response.json({ wallets: [PAYEE] })
      : asksV2([{ ...onBase, payTo: PAYEE }]),
  )
  const id = await stranger.register(`${host}/v1`, PAYEE)
  expect((await world.directory.json(`/api/services/${id}/backing`)).domain).toMatchObject({
    names: 'wallet',
  })
  expect(await verdictOf(`${host}/v1`, PAYEE)).toBe('clear')
  await stranger.remove(id)
  expect(await verdictOf(`${host}/v1`, PAYEE)).toBe('unknown')
})
