// A merchant that asks for a higher price, or for another wallet, than it lists: every interface reports it until it is corrected.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Service } from '../../src/domain/listing/service.ts'
import type { History } from '../../src/domain/standing/history.ts'
import type { TermsAnswer } from '../../src/domain/terms/terms.ts'
import { openFolder } from '../cli/shirube.ts'
import { body, KEY } from '../http/directory-server.ts'
import { call, connectOverHttp } from '../mcp/connect.ts'
import { asksV2, type Merchant, onBase, openMerchant, PAYEE, SIGNABLE } from '../probe/merchant.ts'
import { createVisitor } from '../web/visitor.ts'
import { openProbingDirectory, type ProbingDirectory } from './probing-directory.ts'

let world: ProbingDirectory
let directory: ProbingDirectory['directory']
let merchant: Merchant
beforeEach(async () => {
  world = await openProbingDirectory()
  directory = world.directory
  merchant = world.use(openMerchant({ '/v1': asksV2([{ ...onBase, amount: '5000000' }]) }))
})
afterEach(() => world[Symbol.asyncDispose]())

const until = (holds: () => Promise<boolean>) => world.until(holds, 60_000)
const termsOf = (id: string): Promise<TermsAnswer> => directory.json(`/api/services/${id}/terms`)
const textOf = async (path: string) => (await directory.get(path)).text()

test('every interface shows a price above the listing, and filters leave the service out until it is gone', async () => {
  const registered = await directory.register(
    body({
      name: 'Capybara Prices',
      endpoint: `${merchant.url}/v1`,
      x402Config: { paymentAddress: PAYEE, network: 'base' },
    }),
  )
  const { id } = (await registered.json()) as Service
  const before = await directory.get(`/api/services/${id}/terms`)
  expect([200, 404]).toContain(before.status)
  if (before.status === 404) expect(await before.json()).toMatchObject({ code: 'no_terms' })
  await until(async () => (await directory.get(`/api/services/${id}/terms`)).status === 200)

  const sentence = 'Its endpoint asks for 5 USDC per request, more than the listed 0.0025 USDC.'
  expect((await world.serviceOf(id)).status).toBe('unverified')
  expect(await termsOf(id)).toMatchObject({
    asListed: { price: 'higher', address: true, network: true },
    payableByDefaultClient: false,
    notes: [sentence, expect.stringContaining('Official x402 clients refuse to pay it')],
    resources: [{ accepts: [{ amount: '5000000', price: '5', payTo: PAYEE }] }],
  })
  expect(await textOf(`/services/${id}`)).toContain('Asks 5 USDC, listed at 0.0025 USDC')
  expect(await textOf(`/services/${id}?lang=ja`)).toContain('掲載は 0.0025 USDC、請求は 5 USDC')
  expect(await textOf(`/services/${id}/badge.svg`)).toContain('Asks 5 USDC')
  const cheap = '/api/services?query=capybara+prices&maxPricePerRequest='
  expect(await directory.json(`${cheap}0.01`)).toEqual([])
  expect(await directory.json(`${cheap}5`)).toHaveLength(1)

  await using client = await connectOverHttp(directory.url)
  const told = await client.callTool({ name: 'get_service', arguments: { id } })
  expect(told.structuredContent).toMatchObject({
    terms: { asListed: { price: 'higher' }, notes: [sentence, expect.any(String)] },
  })
  // Also behind the results with call details.
  for (const letter of 'abcdef')
    await directory.register(
      body({ name: `Capybara ${letter}`, endpoint: `https://capybara-${letter}.example/v1` }),
    )
  const listed = await call(client, 'search_services', { q: 'capybara', sortBy: 'name', sortOrder: 'desc' })
  expect(listed.content.warnings).toEqual({ [id]: [sentence] })
  expect(listed.text).toContain(`WARNING: "${sentence}"`)
  const found = await call(client, 'find_service', { q: 'capybara prices', limit: 12 })
  const results: { service: Service; warnings?: string[] }[] = found.content.results
  expect(results).toHaveLength(7)
  for (const { service, warnings } of results)
    expect(warnings).toEqual(service.id === id ? [sentence] : undefined)
  expect(found.text).toContain(`WARNING: "${sentence}"`)

  // A place among others is told only where it has that place, and the call only where it gives that order.
  const pageOf = async (order: string) => {
    const text = await textOf(`/?q=capybara+prices${order}`)
    const shown = [...text.matchAll(/<h3><a href="\/services\/([^"?]*)/g)].map(([, shownId]) => shownId)
    return { shown, isTold: /ranked last/i.test(text), hasCall: text.includes('curl -G') }
  }
  const byRank = await pageOf('')
  expect(byRank).toMatchObject({ isTold: true, hasCall: true })
  expect(byRank.shown.at(-1)).toBe(id)
  for (const order of ['&sortBy=price', '&sortBy=name&sortOrder=desc', '&sortBy=newest', '&sortOrder=asc']) {
    const sorted = await pageOf(order)
    expect(sorted).toMatchObject({ isTold: false, hasCall: false })
    expect(sorted.shown.toSorted()).toEqual(byRank.shown.toSorted())
  }

  await using folder = await openFolder({ SHIRUBE_URL: directory.url })
  const { stdout, code } = await folder.run(['show', id])
  expect(code).toBe(0)
  expect(stdout).toContain(sentence)
  expect(stdout).toContain(`5 USDC to ${PAYEE} on eip155:8453 (exact)`)

  merchant.answer({ '/v1': asksV2([{ ...onBase, extra: { ...SIGNABLE, paymentFlow: 'upfront' } }]) })
  await until(async () => (await world.serviceOf(id)).status === 'verified')
  expect(await termsOf(id)).toMatchObject({
    asListed: { price: 'same' },
    payableByDefaultClient: true,
    notes: ['It takes the payment before it delivers: if nothing is delivered, the payment is lost.'],
  })
  expect(await textOf(`/services/${id}/badge.svg`)).not.toContain('Asks')
  expect(await directory.json(`${cheap}0.01`)).toHaveLength(1)
  const { items }: History = await directory.json(`/api/services/${id}/history?limit=100`)
  const events = items.flatMap(item => (item.kind === 'event' ? [item.type] : []))
  expect(events).toContain('price')
})

test('every interface tells that another wallet is asked for, and none offers to pay it', async () => {
  const listed = `0x${'4'.repeat(40)}`
  merchant.answer({ '/v1': asksV2([{ ...onBase, extra: SIGNABLE }]) })
  const registered = await directory.register(
    body({
      name: 'Capybara Scans',
      endpoint: `${merchant.url}/v1`,
      x402Config: { paymentAddress: listed, network: 'base' },
    }),
  )
  const { id } = (await registered.json()) as Service
  await until(async () => (await directory.get(`/api/services/${id}/terms`)).status === 200)
  const sentence = `Its endpoint asks for payment to a wallet other than the listed ${listed}: ${PAYEE}. Do not pay.`
  expect(await termsOf(id)).toMatchObject({
    asListed: { address: false },
    notes: [sentence],
    noteCodes: [{ code: 'asks_other_wallet', values: { payTo: [PAYEE], listed } }],
  })
  await using client = await connectOverHttp(directory.url)
  const service = await call(client, 'get_service', { id })
  expect(service.text).toContain('ANOTHER WALLET than listed')
  expect(service.text).toContain(`Listed wallet: "${listed}"`)
  expect(service.text).toContain(sentence)
  expect(service.text).toContain('asks to pay another wallet than the listed one')
  const { content, text } = await call(client, 'find_service', { q: 'capybara scans' })
  expect(content.results[0]).toMatchObject({ service: { id }, warnings: [sentence] })
  expect(content.results[0].call).toBeUndefined()
  expect(text).not.toContain('Call: ')
  await using folder = await openFolder({ SHIRUBE_URL: directory.url })
  const { stdout } = await folder.run(['show', id])
  expect(stdout).toContain(sentence)
  expect(stdout).not.toContain('The official clients pay it')
  expect(await textOf(`/api/services/${id}/call`)).toContain('another wallet than the listed one')

  merchant.answer({ '/v1': asksV2([{ ...onBase, network: 'eip155:137' }]) })
  await until(async () => !(await termsOf(id)).asListed.network)
  expect((await termsOf(id)).notes[0]).toContain('asks for no payment on the listed network base')
})

const DOORS = {
  refused: {
    answer: () => new Response('no', { status: 403 }),
    isSeen: async (id: string) => (await textOf(`/api/services/${id}/history`)).includes('"refused"'),
    said: 'It refuses a request without payment with 403',
    mend: 'past any firewall or bot check',
  },
  'payable by no official client': {
    answer: asksV2([{ ...onBase, extra: {} }]),
    isSeen: async (id: string) => (await world.serviceOf(id)).status === 'verified',
    said: 'its 402 lacks extra.name and extra.version',
    mend: 'add "USD Coin" and "2"',
  },
}

test.each(Object.entries(DOORS))(
  'every interface tells that it is %s, and what to do',
  async (_, { answer, isSeen, said, mend }) => {
    merchant.answer({ '/v1': answer })
    const endpoint = `${merchant.url}/v1`
    const registered = await directory.register(
      body({ endpoint, x402Config: { paymentAddress: PAYEE, network: 'base' } }),
    )
    const { id } = (await registered.json()) as Service
    await until(() => isSeen(id))
    const visitor = createVisitor(directory.url)
    await visitor.send('/sign-in', { action: 'key', key: KEY })
    await using client = await connectOverHttp(directory.url)
    await using folder = await openFolder({ SHIRUBE_URL: directory.url })
    const doors = {
      page: await textOf(`/services/${id}?lang=en`),
      own: await (await visitor.get(`/yours/${id}?lang=en`)).text(),
      list: await (await visitor.get('/yours?lang=en')).text(),
      tool: (await call(client, 'get_service', { id })).text,
      command: (await folder.run(['show', id])).stdout,
    }
    for (const [door, text] of Object.entries(doors)) {
      const plain = text.replaceAll('&quot;', '"').replaceAll('\\"', '"').replace(/\s+/g, ' ')
      expect([door, plain.includes(said), plain.includes(mend)]).toEqual([door, true, true])
      expect([door, plain.includes('ot probed yet')]).toEqual([door, false])
    }
  },
)
