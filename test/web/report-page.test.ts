// Reporting a service in a browser, without JavaScript: by the rules of the API, and only when signed in.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readConfig } from '../../src/app/config.ts'
import { openOperator } from '../../src/app/operator.ts'
import { body, KEY, openTestServer, type TestServer } from '../http/directory-server.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { createVisitor } from './visitor.ts'

const DATABASE_URL = `sqlite:${temporaryPath('report-page.db')}`
let server: TestServer
let admin: string
beforeAll(async () => {
  server = await openTestServer({ DATABASE_URL, RATE_LIMIT: '0' })
  await using operator = await openOperator(readConfig({ DATABASE_URL }))
  admin = (await operator.keys.create({ name: 'Operator', scopes: ['admin'], expiresAt: null })).key
})
afterAll(() => server[Symbol.asyncDispose]())

const newKey = async () => {
  await using operator = await openOperator(readConfig({ DATABASE_URL }))
  return (await operator.keys.create({ name: 'A payer', scopes: ['register'], expiresAt: null })).key
}
const register = async (name: string): Promise<string> =>
  (await (await server.register(body({ name }))).json()).id
const reportsOf = async (id: string) => {
  const response = await fetch(`${server.url}/api/operator/reports`, {
    headers: { authorization: `Bearer ${admin}` },
  })
  return ((await response.json()) as { serviceId: string }[]).filter(({ serviceId }) => serviceId === id)
}

test('a service page links to the report form, which needs signing in and opens after it', async () => {
  const id = await register('Doubtful')
  const path = `/services/${id}/report`
  expect(await (await server.get(`/services/${id}`)).text()).toContain(
    `<a rel="nofollow" href="${path}">Report this service</a>`,
  )
  const visitor = createVisitor(server.url)
  const signedOut = await (await visitor.get(path)).text()
  expect(signedOut).toContain('Sign in with a wallet or an API key first')
  expect(signedOut).not.toContain('<textarea')
  const signIn = /href="(\/sign-in\?to=[^"]*)"/.exec(signedOut)![1]!.replaceAll('&amp;', '&')
  const entered = await visitor.send(signIn, { action: 'key', key: KEY })
  expect(entered.headers.get('location')).toBe(path)
  const response = await visitor.get(path)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.text()).toContain('<option value="bait_price">It charges more than it lists</option>')
  expect(await (await visitor.get(`${path}?lang=ja`)).text()).toContain('掲載より高い金額を請求する')
})

test('a report reaches the operator, and a second report of the same user shows the first one instead', async () => {
  const id = await register('Greedy')
  const path = `/services/${id}/report`
  const visitor = createVisitor(server.url)
  await visitor.send('/sign-in', { action: 'key', key: await newKey() })
  const sent = await visitor.send(path, { kind: 'bait_price', text: 'Asks 5 USDC.\r\n<b>Today</b>' })
  expect(sent.status).toBe(200)
  const text = await sent.text()
  expect(text).toContain('<strong>Reported</strong>')
  expect(text).toContain('It charges more than it lists: Asks 5 USDC.\n&lt;b&gt;Today&lt;/b&gt;')
  expect(await reportsOf(id)).toMatchObject([{ kind: 'bait_price', text: 'Asks 5 USDC.\n<b>Today</b>' }])
  const again = await (await visitor.send(path, { kind: 'malware', text: 'Worse.' })).text()
  expect(again).toContain('Asks 5 USDC.')
  expect(await reportsOf(id)).toHaveLength(1)
})

test('a report from another site, without a session or without a kind is refused', async () => {
  const id = await register('Honest')
  const path = `/services/${id}/report`
  const form = { kind: 'malware', text: 'It bites.' }
  const visitor = createVisitor(server.url)
  expect(await (await visitor.send(path, form)).text()).toContain('Sign in with a wallet or an API key first')
  await visitor.send('/sign-in', { action: 'key', key: await newKey() })
  expect((await visitor.send(path, { ...form, token: 'x' })).status).toBe(403)
  await visitor.sendFromElsewhere(path, form)
  const empty = await visitor.send(path, { kind: '', text: 'It bites <me>.' })
  expect(empty.status).toBe(400)
  const text = await empty.text()
  expect(text).toContain('<a href="#kind">What is wrong: <span>')
  // What was typed stays.
  expect(text).toContain('It bites &lt;me&gt;.</textarea>')
  expect(await reportsOf(id)).toEqual([])
  expect((await visitor.get('/services/svc_none/report')).status).toBe(404)
})

test('the limit of the API applies: 20 reports a day', async () => {
  const visitor = createVisitor(server.url)
  await visitor.send('/sign-in', { action: 'key', key: await newKey() })
  const path = `/services/${await register('Twenty')}/report`
  const form = { kind: 'other', text: 'Again.' }
  for (let i = 0; i < 20; i++) expect((await visitor.send(path, form)).status).toBe(200)
  const refused = await visitor.send(path, form)
  expect(refused.status).toBe(429)
  expect(await refused.text()).toContain('role="alert"')
})
