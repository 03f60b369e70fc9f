// A provider signs in with a browser wallet, registers with only a URL and manages the services; also without JavaScript.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generateKeyPairSync, sign } from 'node:crypto'
import type { BrowserContext, Page } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { freePort } from '../free-port.ts'
import { body, KEY, openTestServer, type TestServer } from '../http/directory-server.ts'
import { createHurriedClock } from '../hurried-clock.ts'
import { asksV2, onBase, SIGNABLE } from '../probe/merchant.ts'
import { findViolations } from './axe.ts'
import { CHROMIUM, openBrowser } from './browser.ts'

let server: TestServer
let browser: Awaited<ReturnType<typeof openBrowser>>
let merchant: ReturnType<typeof Bun.serve>
beforeAll(async () => {
  if (!CHROMIUM) return
  merchant = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => asksV2([{ ...onBase, extra: SIGNABLE }]),
  })
  // A message to sign names the address before anybody listens there.
  const PORT = String(await freePort())
  ;[server, browser] = await Promise.all([
    openTestServer(
      {
        PROBE: 'on',
        ALLOW_PRIVATE_ENDPOINTS: 'on',
        RATE_LIMIT: '0',
        PORT,
        PUBLIC_URL: `http://127.0.0.1:${PORT}`,
      },
      { clock: createHurriedClock() },
    ),
    openBrowser(),
  ])
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
  await merchant?.stop(true)
})

async function visit(
  work: (page: Page, context: BrowserContext, wrong: string[]) => Promise<void>,
  options: { readonly javaScriptEnabled?: boolean; readonly locale?: string } = {},
): Promise<void> {
  const context = await browser.newContext({ baseURL: server.url, locale: 'en', ...options })
  const page = await context.newPage()
  const wrong: string[] = []
  page.on('pageerror', error => wrong.push(String(error)))
  page.on('console', message => {
    const isRefusal = message
      .text()
      .startsWith('Failed to load resource: the server responded with a status of 4')
    if (['error', 'warning'].includes(message.type()) && !isRefusal) wrong.push(message.text())
  })
  try {
    await work(page, context, wrong)
    expect(wrong).toEqual([])
  } finally {
    await context.close()
  }
}

const beyond = (page: Page) =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')

/** An extension that announces itself by EIP-6963 and signs by EIP-1193. */
async function installEvm(context: BrowserContext, { refusesFirst = false } = {}) {
  const account = privateKeyToAccount(generatePrivateKey())
  await context.exposeFunction('signEvm', (data: `0x${string}`) =>
    account.signMessage({ message: { raw: data } }),
  )
  await context.addInitScript(`
    let refused = 0
    const provider = { request: async ({ method, params }) => {
      if (method === 'eth_requestAccounts') return ['${account.address}']
      if (method === 'eth_chainId') return '0x2105'
      if (${refusesFirst} && !refused++) throw { code: 4001, message: 'User rejected the request.' }
      if (method === 'personal_sign') return signEvm(params[0])
    } }
    const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', {
      detail: Object.freeze({ info: { uuid: '1', name: 'Fox <b>', icon: '', rdns: 'test.fox' }, provider }),
    }))
    addEventListener('eip6963:requestProvider', announce)
    announce()`)
  return account
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const toBase58 = (bytes: Uint8Array): string => {
  let text = ''
  for (let number = BigInt(`0x${bytes.toHex()}`); number > 0n; number /= 58n)
    text = BASE58[Number(number % 58n)] + text
  return text
}

/** An extension that registers itself by the wallet standard. */
async function installSolana(context: BrowserContext) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const address = toBase58(new Uint8Array(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)))
  await context.exposeFunction('signSolana', (message: number[]) => [
    ...sign(null, Buffer.from(message), privateKey),
  ])
  await context.addInitScript(`
    const account = { address: '${address}' }
    const wallet = { name: 'Ghost', features: {
      'standard:connect': { connect: async () => ({ accounts: [account] }) },
      'solana:signMessage': { signMessage: async ({ message }) =>
        [{ signedMessage: message, signature: new Uint8Array(await signSolana([...message])) }] },
    } }
    const callback = ({ register }) => register(wallet)
    dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: callback }))
    addEventListener('wallet-standard:app-ready', ({ detail }) => callback(detail))`)
  return address
}

describe.skipIf(!CHROMIUM)('in a browser', () => {
  test('an EVM wallet signs in, registers with only a URL, fixes a problem, retires the service and signs out', () =>
    visit(async (page, context) => {
      const { address } = await installEvm(context)
      await page.goto('/register')
      await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
      await page.getByRole('button', { name: 'Fox <b>' }).click()
      await page.waitForURL('**/register')
      await page.getByText(`${address.toLowerCase().slice(0, 6)}…`).waitFor()
      expect(await page.evaluate('document.cookie')).toBe('')

      await page.getByLabel('Endpoint').fill(`http://127.0.0.1:${merchant.port}/v1`)
      await page.getByRole('button', { name: 'Read from endpoint' }).click()
      await page.getByText('Would be verified').waitFor()
      expect(await page.getByLabel('Payment address').inputValue()).toBe(onBase.payTo)
      expect(await page.getByLabel('Price per request').inputValue()).not.toBe('')
      expect(await findViolations(page)).toEqual([])
      await page.getByLabel('Name', { exact: true }).fill('Lighthouses')
      await page.getByLabel('Description').fill('Where every lighthouse stands')
      await page.getByRole('button', { name: 'Register' }).click()
      await page.waitForURL('**/services/svc_*')
      // The result of the first probe appears by itself.
      await page.getByText('No problems: the endpoint answers as listed.').waitFor()
      await page.locator('.verdict.fine').waitFor()
      expect(await page.getByText('Reload this page').count()).toBe(0)
      expect(await findViolations(page)).toEqual([])

      await page.getByRole('link', { name: 'Your services' }).first().click()
      await page.getByRole('link', { name: 'Lighthouses', exact: true }).waitFor()
      expect(await findViolations(page)).toEqual([])
      await page.getByRole('link', { name: 'Lighthouses', exact: true }).click()
      await page.getByRole('button', { name: 'Probe now' }).click()
      await page.getByRole('status').waitFor()
      await page.getByLabel('Price per request').fill('0.0001')
      await page.getByRole('button', { name: 'Save' }).click()
      const asks = page.locator('.band.stop', { hasText: 'listed at 0.0001' })
      await asks.waitFor()
      expect(await asks.textContent()).toContain('List the price that your endpoint asks')
      expect(await findViolations(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 800 })
      expect(await beyond(page)).toBeLessThanOrEqual(0)

      await page.getByLabel('Your message to buyers').fill('Closed on 1 March')
      await page.getByRole('button', { name: 'Discontinue the service' }).click()
      await page.getByRole('button', { name: 'Bring back' }).waitFor()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL('**/sign-in')
      await page.goto('/yours')
      await page.waitForURL('**/sign-in?to=yours')
    }))

  test('a Solana wallet signs in', () =>
    visit(async (page, context) => {
      const address = await installSolana(context)
      await page.goto('/sign-in')
      await page.getByRole('button', { name: 'Ghost (Solana)' }).click()
      await page.waitForURL('**/yours')
      await page.getByText(`${address.slice(0, 6)}…`).waitFor()
      await page.getByText('You have no services yet').waitFor()
      expect(await findViolations(page)).toEqual([])
    }))

  test('a visitor who refuses to sign is told so, and can try again', () =>
    visit(
      async (page, context) => {
        await installEvm(context, { refusesFirst: true })
        await page.goto('/sign-in')
        await page.getByRole('button', { name: 'Fox <b>' }).click()
        await page.getByText('ウォレットが署名しなかったため').waitFor()
        // The wallet can be asked again, and nobody has to sign by hand.
        expect(await page.locator('#message').count()).toBe(0)
        await page.getByRole('button', { name: 'Fox <b>' }).click()
        await page.waitForURL('**/yours')
      },
      { locale: 'ja' },
    ))

  test('without JavaScript a provider signs in with a pasted signature, registers and manages a service', () =>
    visit(
      async page => {
        const account = privateKeyToAccount(generatePrivateKey())
        await page.goto('/sign-in?to=register')
        await page.getByLabel('Wallet address').fill('0x12')
        await page.getByRole('button', { name: 'Get message' }).click()
        await page.getByRole('alert').first().waitFor()
        await page.getByLabel('Wallet address').fill(account.address)
        await page.getByRole('button', { name: 'Get message' }).click()
        const message = await page.getByRole('textbox', { name: 'Message to sign' }).inputValue()
        await page.getByLabel('Signature').fill(await account.signMessage({ message }))
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.waitForURL('**/register')

        await page.getByLabel('Endpoint').fill(`http://127.0.0.1:${merchant.port}/v2`)
        await page.getByRole('button', { name: 'Read from endpoint' }).click()
        await page.getByLabel('Name', { exact: true }).fill('')
        await page.getByLabel('Description').fill('Found without a script')
        await page.getByRole('button', { name: 'Register' }).click()
        expect(await page.locator('.problem').count()).toBe(1)
        await page.getByLabel('Name', { exact: true }).fill('Scriptless')
        await page.getByRole('button', { name: 'Register' }).click()
        await page.waitForURL('**/services/svc_*')

        await page.goto('/yours')
        await page.getByRole('link', { name: 'Scriptless', exact: true }).click()
        await page.getByRole('button', { name: 'Probe now' }).click()
        await page.getByRole('status').waitFor()
        await page.getByLabel('Receiver URL').fill('https://receiver.example/hook')
        await page.getByRole('button', { name: 'Add' }).click()
        await page.getByText('shown only once').waitFor()
        await page.getByLabel('Yes, remove it permanently').check()
        await page.getByRole('button', { name: 'Remove service' }).click()
        await page.waitForURL('**/yours?done=remove')
        expect(await page.getByText('Scriptless').count()).toBe(0)
      },
      { javaScriptEnabled: false },
    ))

  test('an owner with a key sees all their services, hostile texts included', () =>
    visit(async page => {
      await server.register(
        body({ name: '<img src=x onerror=alert(1)>', description: '<script>alert(1)</script>' }),
      )
      await page.goto('/sign-in')
      await page.getByLabel('API key').fill(KEY)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('link', { name: '<img src=x onerror=alert(1)>', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: '<img src=x onerror=alert(1)>' }).waitFor()
      expect(await page.getByLabel('Description').inputValue()).toBe('<script>alert(1)</script>')
      expect(await findViolations(page)).toEqual([])
    }))
})
