// Signed-in owners see and change their own services; nobody else does, and no other site can act for them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { readConfig } from '../../src/app/config.ts'
import { openOperator } from '../../src/app/operator.ts'
import { toStoredReason } from '../../src/domain/webhooks.ts'
import { say, tellInEnglish } from '../../src/messages/message.ts'
import { openStore } from '../../src/store/open.ts'
import { hideService } from '../hiding.ts'
import { body, createSetClock, KEY, openTestServer, type TestServer } from '../http/directory-server.ts'
import { temporaryPath } from '../store/temporary-path.ts'
import { createVisitor, type Visitor } from './visitor.ts'

const PUBLIC_URL = 'https://directory.example'
const DATABASE_URL = `sqlite:${temporaryPath('owner-pages.db')}`
const clock = createSetClock('2026-11-10T08:00:00.000Z')

let server: TestServer
beforeAll(async () => {
  server = await openTestServer(
    {
      DATABASE_URL,
      PUBLIC_URL,
      RATE_LIMIT: '0',
      SECURITY_CONTACT: 'mailto:desk@directory.example?subject=Shirube',
    },
    { clock },
  )
})
afterAll(() => server[Symbol.asyncDispose]())

const operatorKey = async (scopes: ('register' | 'admin')[]) => {
  await using operator = await openOperator(readConfig({ DATABASE_URL }))
  return (await operator.keys.create({ name: 'A key <b>', scopes, expiresAt: null })).key
}

async function byKey(key = KEY): Promise<Visitor> {
  const visitor = createVisitor(server.url)
  const entered = await visitor.send('/sign-in', { action: 'key', key })
  expect([entered.status, entered.headers.get('location')]).toEqual([303, '/yours'])
  return visitor
}

const newWallet = () => privateKeyToAccount(generatePrivateKey())

async function getMessage(visitor: Visitor, address: string): Promise<string> {
  const page = await visitor.send('/sign-in', { action: 'challenge', address, network: 'Base' })
  const text = await page.text()
  return /<textarea id="message"[^>]*>\n([^<]*)<\/textarea>/.exec(text)?.[1] ?? text
}

async function byWallet(wallet = newWallet(), visitor = createVisitor(server.url)) {
  const message = await getMessage(visitor, wallet.address)
  const signature = await wallet.signMessage({ message })
  // As a browser writes line ends in a form.
  const form = { action: 'sign', message: message.replaceAll('\n', '\r\n'), signature }
  const entered = await visitor.send('/sign-in', form)
  return { visitor, wallet, entered, form }
}

const register = async (parts: object = {}, key = KEY): Promise<{ id: string; name: string }> =>
  (await server.register(body(parts), { authorization: `Bearer ${key}` })).json()

/** The fields of the listing, as a browser would send them. */
const readForm = (text: string): Record<string, string> =>
  Object.fromEntries(
    [
      ...text.matchAll(/<input id="([\w.]+)" name="\1"[^>]*value="([^"]*)"/g),
      ...text.matchAll(/<input type="hidden" name="(seen)" value="([^"]*)"/g),
      ...text.matchAll(/<textarea class="address"[^>]* name="([\w.]+)"[^>]*>\n([^<]*)</g),
    ].map(([, name, value]) => [name!, value!]),
  )

/** The form of a registration. */
const LISTING = {
  action: 'register',
  name: 'By cookie',
  description: 'Registered with a cookie',
  endpoint: 'https://cookie.example/v1',
  category: 'weather',
  'pricing.pricePerRequest': '0.001',
  'pricing.currency': 'USDC',
  'x402Config.network': 'base',
  'x402Config.paymentAddress': `0x${'3'.repeat(40)}`,
}

const isMissing = async (id: string) => (await server.get(`/api/services/${id}`)).status === 404

describe('Signing in', () => {
  test('is shown to cost nothing, for every way to sign', async () => {
    for (const [query, wallet, hand] of [
      ['', 'Signing costs nothing, and nothing is sent on chain.', 'Signing costs nothing.</p>'],
      ['?lang=ja', '署名に費用はかからず、チェーンには何も送られません。', '署名に費用はかかりません。</p>'],
    ] as const) {
      const text = await (await server.get(`/sign-in${query}`)).text()
      expect(text).toContain(wallet)
      expect(text).toContain(hand)
    }
  })

  test('with a key sets a __Host- cookie that is HttpOnly, SameSite=Strict and Secure', async () => {
    const visitor = await byKey()
    const [line] = visitor.told.filter(each => each.startsWith('__Host-shirube-session='))
    expect(line).toMatch(
      /^__Host-shirube-session=[^;]+; Path=\/; Max-Age=43200; Secure; HttpOnly; SameSite=Strict$/,
    )
    expect(visitor.told[0]).toMatch(
      /^__Host-shirube-form=[\w-]{32}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    )
    expect((await visitor.get('/yours')).status).toBe(200)
  })

  test('gives the browser an id, which leads to the key on every node and reveals it neither there nor in the database', async () => {
    const key = await operatorKey(['register'])
    const visitor = await byKey(key)
    const id = visitor.cookies.get('__Host-shirube-session')!
    expect(id).toMatch(/^\w{43}$/)
    await using other = await openTestServer({ DATABASE_URL, PUBLIC_URL, RATE_LIMIT: '0' }, { clock })
    const there = (cookie: string) =>
      fetch(`${other.url}/yours`, { headers: { cookie }, redirect: 'manual' }).then(({ status }) => status)
    expect(await there(`__Host-shirube-session=${id}`)).toBe(200)
    for (const guessed of [`key ${key}`, id.slice(1), '']) {
      expect(await there(`__Host-shirube-session=${encodeURIComponent(guessed)}`)).toBe(303)
    }
    const file = DATABASE_URL.slice('sqlite:'.length)
    const stored = Buffer.concat(
      await Promise.all(
        [file, `${file}-wal`].map(path =>
          Bun.file(path)
            .bytes()
            .catch(() => new Uint8Array()),
        ),
      ),
    )
    for (const secret of [id, key]) expect(stored.includes(secret)).toBe(false)
    await visitor.send('/sign-in', { action: 'leave' })
    expect(await there(`__Host-shirube-session=${id}`)).toBe(303)
  })

  test('ends a session after 12 hours', async () => {
    const visitor = await byKey()
    const before = clock.now()
    clock.set(new Date(before.getTime() + 12 * 3_600_000 - 1).toISOString())
    expect((await visitor.get('/yours')).status).toBe(200)
    clock.set(new Date(before.getTime() + 12 * 3_600_000).toISOString())
    expect((await visitor.get('/yours')).status).toBe(303)
    clock.set(before.toISOString())
  })

  test('sets a plain cookie if the directory is not served over https', async () => {
    await using plain = await openTestServer({})
    const visitor = createVisitor(plain.url)
    await visitor.send('/sign-in', { action: 'key', key: KEY })
    expect(visitor.told.at(-1)).toStartWith('shirube-session=')
    expect(visitor.told.at(-1)).not.toContain('Secure')
    expect((await visitor.get('/yours')).status).toBe(200)
  })

  test('with a wallet needs a signed message that names this directory, and creates a key for 12 hours', async () => {
    const { visitor, wallet, entered, form } = await byWallet()
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/yours'])
    expect(form.message).toStartWith('directory.example wants you to sign in with your Ethereum account:')
    expect(form.message).toContain('URI: https://directory.example')
    const text = await (await visitor.get('/yours')).text()
    expect(text).toContain(`${wallet.address.toLowerCase().slice(0, 6)}…`)
    await using store = await openStore(DATABASE_URL, { clock })
    const [own] = await store.keys.own('', `eip155:${wallet.address.toLowerCase()}`)
    expect(Date.parse(own!.expiresAt!) - Date.parse(own!.createdAt)).toBe(12 * 3_600_000)
  })

  test('refuses a used signature, one for another directory, and a changed message', async () => {
    const { form } = await byWallet()
    const again = await createVisitor(server.url).send('/sign-in', form)
    expect(again.status).toBe(401)
    await using other = await openTestServer({ PUBLIC_URL: 'https://evil.example' })
    const wallet = newWallet()
    const message = await getMessage(createVisitor(other.url), wallet.address)
    const signature = await wallet.signMessage({ message })
    const relayed = await createVisitor(server.url).send('/sign-in', { action: 'sign', message, signature })
    expect(relayed.status).toBe(401)
    const mine = await getMessage(createVisitor(server.url), wallet.address)
    const changed = mine.replace('directory.example', 'evil.example')
    const signed = await wallet.signMessage({ message: changed })
    const sent = { action: 'sign', message: changed, signature: signed }
    expect((await createVisitor(server.url).send('/sign-in', sent)).status).toBe(401)
  })

  test('accepts a signature only from the browser that got the message', async () => {
    const [visitor, other] = [createVisitor(server.url), createVisitor(server.url)]
    const wallet = newWallet()
    const message = await getMessage(visitor, wallet.address)
    const signed = { message, signature: await wallet.signMessage({ message }) }
    const overApi = (path: string, sent: object) =>
      fetch(server.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      })
    expect((await other.send('/sign-in', { action: 'sign', ...signed })).status).toBe(401)
    expect((await overApi('/api/auth/keys', signed)).status).toBe(401)
    expect((await visitor.send('/sign-in', { action: 'sign', ...signed })).status).toBe(303)
    const asked = await overApi('/api/auth/challenge', { address: wallet.address, network: 'base' })
    const { message: ofApi } = (await asked.json()) as { message: string }
    const signature = await wallet.signMessage({ message: ofApi })
    expect((await visitor.send('/sign-in', { action: 'sign', message: ofApi, signature })).status).toBe(401)
  })

  test('with a wallet counts against the keys of the network, as over the API', async () => {
    await byWallet()
    await using store = await openStore(DATABASE_URL, { clock })
    const once = { name: 'keys from 127.0.0.1', most: 1 }
    expect(await store.budgets.take([once], clock.now(), 86_400_000)).toMatchObject({ name: once.name })
  })

  test('refuses a form from another site or with a wrong token', async () => {
    const visitor = createVisitor(server.url)
    const answer = await visitor.sendFromElsewhere('/sign-in', { action: 'key', key: KEY })
    expect(answer.status).toBe(403)
    expect(answer.headers.getSetCookie().join()).not.toContain('session')
    await visitor.get('/sign-in')
    const guessed = await visitor.send('/sign-in', { action: 'key', key: KEY, token: 'guessed' })
    expect(guessed.status).toBe(403)
  })

  test('refuses operator keys and unknown keys', async () => {
    const visitor = createVisitor(server.url)
    const admin = await visitor.send('/sign-in', {
      action: 'key',
      key: await operatorKey(['register', 'admin']),
    })
    expect([admin.status, visitor.cookies.has('__Host-shirube-session')]).toEqual([403, false])
    const unknown = await visitor.send('/sign-in', { action: 'key', key: 'unknown-key' })
    expect(unknown.status).toBe(401)
    const text = await unknown.text()
    expect(text).toMatch(/<input id="key"[^>]* aria-invalid="true" aria-describedby="key-problem">/)
    expect(text).toContain('<p class="problem" id="key-problem">This directory does not know this API key')
    expect(text).toContain('<a href="#key">API key: <span>This directory does not know')
    expect(text).not.toContain('unknown-key')
    expect((await visitor.send('/sign-in', { action: 'key', key: '' })).status).toBe(401)
  })

  test('redirects to the requested page of this site, never to another site', async () => {
    for (const [to, place] of [
      ['register', '/register'],
      ['yours/svc_0123abc', '/yours/svc_0123abc'],
      ['yours/../about', '/yours'],
      ['yours/svc_1//evil.example', '/yours'],
      ['https://evil.example', '/yours'],
      ['//evil.example', '/yours'],
      ['__proto__', '/yours'],
    ]) {
      const visitor = createVisitor(server.url)
      const path = `/sign-in?to=${encodeURIComponent(to!)}`
      const entered = await visitor.send(path, { action: 'key', key: KEY })
      expect(entered.headers.get('location')).toBe(place!)
    }
  })

  test('keeps the URL that was pasted into the registration form', async () => {
    const visitor = createVisitor(server.url)
    const endpoint = 'https://pasted.example/v1?city=tokyo&units=metric'
    const told = await (await visitor.send('/register', { action: 'check', endpoint, key: '' })).text()
    const path = /href="(\/sign-in\?[^"]*)"/.exec(told)![1]!.replaceAll('&amp;', '&')
    const entered = await visitor.send(path, { action: 'key', key: KEY })
    const location = entered.headers.get('location')!
    expect(location).toStartWith('/register?')
    const text = await (await visitor.get(location)).text()
    expect(text).toContain(`value="${endpoint.replaceAll('&', '&amp;')}"`)
  })

  test('shows a new message for the same wallet after a wrong signature', async () => {
    const visitor = createVisitor(server.url)
    const wallet = newWallet()
    const first = await getMessage(visitor, wallet.address)
    const sign = async (by: typeof wallet, message: string) => {
      const signature = await by.signMessage({ message })
      return visitor.send('/sign-in', { action: 'sign', network: 'base', message, signature })
    }
    const refused = await sign(newWallet(), first)
    const text = await refused.text()
    expect(refused.status).toBe(401)
    expect(text).toContain('role="alert"')
    expect(text).toContain('name="network" value="base"')
    const next = /<textarea id="message"[^>]*>\n([^<]*)<\/textarea>/.exec(text)![1]!
    expect(next).toContain(wallet.address)
    expect(next).not.toBe(first)
    expect((await sign(wallet, next)).status).toBe(303)
  })

  test('shows the error and starts again after a wrong signature if no new message can be made', async () => {
    const visitor = createVisitor(server.url)
    const message = await getMessage(visitor, newWallet().address)
    const signature = await newWallet().signMessage({ message })
    const form = { action: 'sign', network: 'solana', message, signature }
    const refused = await visitor.send('/sign-in', form)
    const text = await refused.text()
    expect(refused.status).toBe(401)
    expect(text).toContain('role="alert"')
    expect(text).toContain('<form id="challenge"')
  })

  test('lasts until the user signs out, which revokes the key, or for 12 hours', async () => {
    const { visitor } = await byWallet()
    const stolen = new Map(visitor.cookies)
    const left = await visitor.send('/sign-in', { action: 'leave' }, { at: '/yours' })
    expect([left.status, left.headers.get('location')]).toEqual([303, '/sign-in'])
    expect(visitor.told.at(-1)).toContain('Max-Age=0')
    for (const [name, value] of stolen) visitor.cookies.set(name, value)
    const after = await visitor.get('/yours')
    expect([after.status, after.headers.get('location')]).toEqual([303, '/sign-in?to=yours'])

    const { visitor: other } = await byWallet()
    clock.set('2026-11-10T20:00:01.000Z')
    expect((await other.get('/yours')).status).toBe(303)
    clock.set('2026-11-10T08:00:00.000Z')
  })
})

describe('A page of an owner', () => {
  test('is shown only to signed-in users, and is neither cached nor framed', async () => {
    const { id } = await register()
    for (const path of ['/yours', `/yours/${id}`]) {
      const stranger = createVisitor(server.url)
      const answer = await stranger.get(path)
      const location = answer.headers.get('location')!
      expect([answer.status, decodeURIComponent(location)]).toEqual([303, `/sign-in?to=${path.slice(1)}`])
      // And back again.
      const entered = await stranger.send(location, { action: 'key', key: KEY })
      expect(entered.headers.get('location')).toBe(path)
    }
    const visitor = await byKey()
    for (const path of ['/sign-in', '/register', '/yours', `/yours/${id}`]) {
      const { headers } = await visitor.get(path)
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    }
  })

  test('lists problems and how to fix them, for own services only', async () => {
    const key = await operatorKey(['register'])
    const { id } = await register({ name: 'Mine <i>', endpoint: 'https://mine.dev/v1' }, key)
    const { id: foreign } = await register({ name: 'Somebody else’s' })
    const visitor = await byKey(key)
    const text = await (await visitor.get('/yours')).text()
    expect(text).toContain('Mine &lt;i&gt;')
    expect(text).not.toContain('<i>')
    expect(text).not.toContain('Somebody else’s')
    expect(text).toContain('Not probed yet')
    expect(text).toContain('A key &lt;b&gt;')
    expect((await visitor.get(`/yours/${id}`)).status).toBe(200)
    expect((await visitor.get(`/yours/${foreign}`)).status).toBe(404)
  })

  test('lists services that need attention first, then the newest, and says so', async () => {
    const key = await operatorKey(['register'])
    const unpayable = { x402Config: { paymentAddress: 'nowhere', network: 'base' } }
    const { id: wrong } = await register(
      { name: 'Wrong', endpoint: 'https://wrong.dev/v1', ...unpayable },
      key,
    )
    const visitor = await byKey(key)
    const ORDER = 'Those that need your attention come first, then the newest.'
    expect(await (await visitor.get('/yours')).text()).not.toContain(ORDER)
    const { id: older } = await register({ name: 'Older', endpoint: 'https://older.dev/v1' }, key)
    const { id: newer } = await register({ name: 'Newer', endpoint: 'https://newer.dev/v1' }, key)
    const text = await (await visitor.get('/yours')).text()
    expect(text).toContain(ORDER)
    expect([...text.matchAll(/<h2><a href="\/yours\/(\w+)/g)].map(([, id]) => id)).toEqual([
      wrong,
      newer,
      older,
    ])
    expect(await (await visitor.get('/yours?lang=ja')).text()).toContain('対応が必要なものが先')
  })

  test('names the contact of the operator for a hidden service', async () => {
    const { id } = await register({ name: 'Hidden' })
    const visitor = await byKey()
    await hideService(DATABASE_URL, id, 'It poses as another service.')
    while ((await server.get(`/services/${id}`)).status !== 410) await Bun.sleep(5)
    const LINK = '<a href="mailto:desk@directory.example?subject=Shirube">desk@directory.example</a>'
    for (const [query, label] of [
      ['', 'Contact the operator: '],
      ['?lang=ja', '運営者の連絡先：'],
    ] as const) {
      expect(await (await visitor.get(`/yours/${id}${query}`)).text()).toContain(label + LINK)
      expect(await (await server.get(`/services/${id}${query}`)).text()).toContain(label + LINK)
    }
  })

  test('changes, retires, restores and removes a service, and asks for confirmation before removal', async () => {
    const { id } = await register({ endpoint: 'https://changed.dev/v1' })
    const visitor = await byKey()
    const path = `/yours/${id}`
    const text = await (await visitor.get(path)).text()
    const form = { ...readForm(text), description: 'Changed', name: 'Renamed', 'pricing.freeQuota': '' }
    const edited = await visitor.send(path, { action: 'edit', ...form })
    expect(edited.headers.get('location')).toBe(`${path}?done=edit`)
    expect(await server.json(`/api/services/${id}`)).toMatchObject({
      name: 'Renamed',
      description: 'Changed',
    })

    const wrong = await visitor.send(path, {
      action: 'edit',
      ...readForm(await (await visitor.get(path)).text()),
      name: '',
      'pricing.pricePerRequest': 'x',
    })
    const shown = await wrong.text()
    expect(wrong.status).toBe(400)
    for (const name of ['name', 'pricing.pricePerRequest']) expect(shown).toContain(`id="${name}-problem"`)

    await visitor.send(path, { action: 'retire', message: '"><script>alert(1)</script>' })
    expect((await server.json(`/api/services/${id}`)).status).toBe('inactive')
    const retired = await (await visitor.get(path)).text()
    expect(retired).not.toContain('<script>alert')
    expect(retired).toContain('value="restore"')
    const all = await (await visitor.get('/yours')).text()
    const [card] = new RegExp(`action="${path}"[\\s\\S]*?</form>`).exec(all)!
    expect(card).not.toContain('value="probe"')
    expect(card).toContain('value="restore"')
    // What buyers are told is not for its owner.
    for (const own of [retired, all]) {
      expect(own).not.toContain('Do not pay')
      // One word for it, as on the public page.
      expect(own).toMatch(/class="verdict stop"><b><svg[\s\S]*?<\/svg>Discontinued</)
      expect(own).toContain('Bring it back; it is “Unverified” until it is probed again.')
    }
    await visitor.send(path, { action: 'restore' })
    expect((await visitor.send(path, { action: 'probe' })).headers.get('location')).toStartWith(
      `${path}?done=probe`,
    )
    expect((await server.json(`/api/services/${id}`)).status).toBe('unverified')

    expect((await visitor.send(path, { action: 'remove' })).status).toBe(400)
    expect((await visitor.send(path, { action: 'nonsense' })).status).toBe(400)
    expect(await isMissing(id)).toBe(false)
    const removed = await visitor.send(path, { action: 'remove', sure: '1' })
    expect(removed.headers.get('location')).toBe('/yours?done=remove')
    expect(await isMissing(id)).toBe(true)
  })

  test('counts the writes of a wallet by IP address, as the API does', async () => {
    await using store = await openStore(DATABASE_URL, { clock })
    const isSpent = async (most: number) =>
      (await store.budgets.take(
        [{ name: 'writes from 127.0.0.1', most, amount: 0 }],
        clock.now(),
        86_400_000,
      )) !== undefined
    const { visitor, wallet } = await byWallet()
    const { id } = await register({ x402Config: { paymentAddress: wallet.address, network: 'base' } })
    const path = `/yours/${id}`
    let before = 0
    while (await isSpent(before + 1)) before++
    await visitor.send('/register', { ...LISTING, endpoint: 'https://counted.example/v1' })
    const form = readForm(await (await visitor.get(path)).text())
    await visitor.send(path, { action: 'edit', ...form, name: 'Counted' })
    // The first change has claimed it, so this one writes nothing.
    await visitor.send(path, { action: 'claim' })
    await visitor.send(path, { action: 'retire', message: 'Closed' })
    await visitor.send(path, { action: 'restore' })
    await visitor.send(path, { action: 'remove', sure: '1' })
    expect(await isMissing(id)).toBe(true)
    expect([await isSpent(before + 5), await isSpent(before + 6)]).toEqual([true, false])
  })

  test('shows when a requested probe runs, and that it has run', async () => {
    const { id } = await register({ endpoint: 'https://often.dev/v1' })
    const visitor = await byKey()
    const path = `/yours/${id}`
    await using store = await openStore(DATABASE_URL, { clock })
    const request = async () => {
      const { headers } = await visitor.send(path, { action: 'probe' })
      const location = headers.get('location')!
      return { location, text: await (await visitor.get(location)).text() }
    }
    // As a prober takes them, one after the other.
    for (let i = 0; i < 5; i++) {
      expect((await request()).text).toContain('Probe requested. The probe runs within seconds.')
      const lease = { holder: 'test', leaseMs: 60_000 }
      const due = await store.schedule.leaseDue(clock.now(), 99, lease)
      expect(due.find(({ entry }) => entry.id === id)?.isRequested).toBe(true)
      await store.schedule.release(id, 'test', new Date(clock.now().getTime() + 3_600_000))
    }
    const sixth = await request()
    expect(sixth.text).toContain('After several requests, probes run one a minute. This one runs at')
    expect(sixth.text).toContain('08:01')
    expect(sixth.text).not.toContain('within seconds')
    const asked = await fetch(`${server.url}/api/services/${id}/probe`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}` },
    })
    expect(decodeURIComponent(asked.headers.get('x-notice')!)).toContain('from 2026-11-10T08:01:00.000Z on')

    const at = '2026-11-10T08:02:00.000Z'
    const standing = { lastChecked: at }
    await store.update([id], kept => ({
      entry: { ...kept, standing: { ...kept.standing, ...standing } },
      events: [],
    }))
    while ((await server.json(`/api/services/${id}/status`)).lastChecked !== at) await Bun.sleep(5)
    const reloaded = await (await visitor.get(sixth.location)).text()
    expect(reloaded).toMatch(/role="status">Probed [^<]*08:02/)
    expect(reloaded).not.toContain('one a minute')
  })

  test('explains how to prove the domain, and shows a found proof', async () => {
    const wallet = `0x${'3'.repeat(40)}`
    const x402Config = { paymentAddress: wallet, network: 'base' }
    const { id } = await register({ endpoint: 'https://api.proof.dev/v1/x', x402Config })
    const visitor = await byKey()
    const read = async (lang = 'en') => (await visitor.get(`/yours/${id}?lang=${lang}`)).text()
    const text = await read()
    for (const part of [
      'https://api.proof.dev/.well-known/shirube.json',
      `{&quot;wallets&quot;:[&quot;${wallet}&quot;]}`,
    ])
      expect(text).toContain(`data-copy="${part}"`)
    expect(text).toContain('The proof counts once the service is verified.')
    expect(text).toContain('value="probe">Look for the proof now</button>')
    await using store = await openStore(DATABASE_URL, { clock })
    const proof = { at: '2026-11-10T08:00:00.000Z', names: 'wallet' } as const
    await store.update([id], kept => ({ entry: { ...kept, proof }, events: [] }))
    while (!(await read()).includes('Domain proved: api.proof.dev')) await Bun.sleep(5)
    expect(await read()).not.toContain('Look for the proof now')
  })

  test('refuses a form from another site or another session', async () => {
    const { id } = await register()
    const visitor = await byKey()
    const path = `/yours/${id}`
    const forms = [
      { action: 'remove', sure: '1' },
      { action: 'retire', message: 'Gone' },
      { action: 'probe' },
      { action: 'edit', name: 'Taken' },
      { action: 'hook', url: 'https://evil.example/hook' },
    ]
    for (const form of forms) {
      const answer = await visitor.sendFromElsewhere(path, form)
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `/sign-in?to=yours%2F${id}`])
      // Should a browser ever send the cookies along: the token is still missing, or that of another.
      for (const token of ['', 'x'.repeat(43)])
        expect((await visitor.send(path, { ...form, token })).status).toBe(403)
    }
    const stranger = createVisitor(server.url)
    const token = /name="token" value="([^"]*)"/.exec(await (await stranger.get('/sign-in')).text())![1]!
    expect((await visitor.send(path, { action: 'probe', token })).status).toBe(403)
    const registered = await visitor.send('/register', { action: 'register', token: '' })
    expect(registered.status).toBe(403)
    expect((await server.json(`/api/services/${id}`)).status).toBe('unverified')
    expect(await isMissing(id)).toBe(false)
  })

  test('cannot show or change services of other owners', async () => {
    const { id, name } = await register()
    const { visitor } = await byWallet()
    for (const form of [
      { action: 'remove', sure: '1' },
      { action: 'edit', name: 'Taken' },
      { action: 'claim' },
      { action: 'probe' },
    ])
      expect((await visitor.send(`/yours/${id}`, form, { at: '/yours' })).status).toBe(404)
    expect((await server.json(`/api/services/${id}`)).name).toBe(name)
  })

  test('lets the paid wallet claim a service listed by others', async () => {
    const wallet = newWallet()
    const { id } = await register({ x402Config: { paymentAddress: wallet.address, network: 'base' } })
    const { visitor } = await byWallet(wallet)
    expect(await (await visitor.get('/yours')).text()).toContain('Listed by someone else')
    const claimed = await visitor.send(`/yours/${id}`, { action: 'claim' })
    expect(claimed.headers.get('location')).toBe(`/yours/${id}?done=claim`)
    expect(await (await visitor.get('/yours')).text()).not.toContain('Listed by someone else')
  })

  test('shows which events each webhook gets', async () => {
    const key = await operatorKey(['register'])
    const filters = [{}, { mine: true }, { category: 'weather', chain: ['base', 'solana'] }]
    for (const [i, filter] of filters.entries())
      await server.app.directory.createWebhook({ url: `https://receiver.example/told-${i}`, filter }, { key })
    const visitor = await byKey(key)
    const page = async (lang: string) => (await visitor.get(`/yours?lang=${lang}`)).text()
    const text = await page('en')
    for (const told of ['·\u00a0all services<', '·\u00a0your services<', 'Weather ·\u00a0Base, Solana<'])
      expect(text).toContain(told)
    const japanese = await page('ja')
    for (const told of ['·\u00a0ご自身のサービス<']) expect(japanese).toContain(told)
  })

  test('says why a webhook fails in the language of the page', async () => {
    const key = await operatorKey(['register'])
    const url = 'https://receiver.home.arpa/failing'
    const { webhook } = await server.app.directory.createWebhook({ url }, { key })
    await using store = await openStore(DATABASE_URL, { clock })
    const said = say('challenge_not_answered', { status: 204 })
    const fail = async (change: object) => {
      const terms = { limit: 99, perOwner: 99, leaseMs: 60_000 } as const
      const leased = await store.webhooks.leaseDue(new Date(clock.now().getTime() + 60_000), terms)
      for (const each of leased)
        await store.webhooks.record(each, {
          ...each.progress,
          ...(each.id === webhook.id && { failures: 1, ...change }),
        })
      expect(leased.map(({ id }) => id)).toContain(webhook.id)
    }
    const visitor = await byKey(key)
    const page = async (lang: string) => (await visitor.get(`/yours?lang=${lang}`)).text()
    await fail(toStoredReason(said))
    expect(await page('ja')).toMatch(/<span>204\sが返りましたが、チャレンジの値ではありません。<\/span>/)
    expect(await page('en')).toContain(`<span>${tellInEnglish(said)}</span>`)
    expect(await page('ja')).toContain('href="/docs/webhooks?lang=ja#answerChallenge"')
    const [listed] = await server.app.directory.listWebhooks({ key })
    expect(listed).toMatchObject({ reason: tellInEnglish(said), ...said })
    // A reason without a code is English.
    await fail({ reason: 'It is <away>.', said: undefined })
    expect(await page('ja')).toContain('<span lang="en">It is &lt;away&gt;.</span>')
  })

  test('creates a webhook for the service, shows its secret once, and removes it', async () => {
    const { id } = await register()
    const visitor = await byKey()
    const path = `/yours/${id}`
    const made = await (
      await visitor.send(path, { action: 'hook', url: 'https://receiver.example/hook' })
    ).text()
    // The text may be broken after a slash; what is copied is whole.
    expect(made).toMatch(/data-copy="whsec_[A-Za-z0-9+/]+=*"/)
    const text = await (await visitor.get(path)).text()
    expect(text).toContain('https://receiver.example/hook')
    expect(text).not.toContain('whsec_')
    expect(text).toContain('Remove webhook: https://receiver.example/hook')
    // Nothing is sent to a reserved host, so there is nothing to confirm or to test.
    for (const part of ['data.challenge', 'Send test']) expect(text).not.toContain(part)
    const hook = /name="hook" value="(whk_\w+)"/.exec(text)![1]!
    const bad = await visitor.send(path, { action: 'hook', url: 'javascript:alert(1)' })
    expect(bad.status).toBe(400)
    expect((await visitor.send(path, { action: 'unhook', hook })).headers.get('location')).toBe(
      `${path}?done=unhook`,
    )
    expect(await (await visitor.get('/yours')).text()).not.toContain('https://receiver.example/hook')
    await visitor.send(path, { action: 'hook', url: 'https://receiver.home.arpa/hook' })
    const real = await (await visitor.get(path)).text()
    for (const part of [
      'the value of data.challenge as the body',
      'Send test: https://receiver.home.arpa/hook',
    ])
      expect(real).toContain(part)
  })

  test('offers no probe of a host that is never probed', async () => {
    const { id } = await register()
    const visitor = await byKey()
    const text = await (await visitor.get(`/yours/${id}`)).text()
    expect(text).toContain('never probed')
    expect(text).not.toContain('>Probe now</button>')
    // Nobody looks for a proof there either.
    expect(text).not.toContain('id="domain"')
    const path = `/yours/${id}`
    const refused = await visitor.send(path, { action: 'probe' })
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('Its host is reserved for examples and tests'),
    ])
    await visitor.send(path, { action: 'retire', message: 'Gone' })
    const restored = (await visitor.send(path, { action: 'restore' })).headers.get('location')!
    expect(restored).toBe(`${path}?done=restore`)
    expect(await (await visitor.get(restored)).text()).not.toContain('The probe runs within seconds')
  })

  test('says where a service stands for a sentence, what puts others before it, and what would help', async () => {
    const tides = { description: 'Narwhal sightings by fjord.', category: 'narwhals' }
    const ids = []
    for (const name of ['Narwhal sightings', 'Narwhals by fjord'])
      ids.push((await register({ ...tides, name, endpoint: `https://${name.split(' ')[0]}.dev/v1` })).id)
    const visitor = await byKey()
    const of = async (id: string, lang: string, q: string) =>
      await (await visitor.get(`/yours/${id}?lang=${lang}&q=${encodeURIComponent(q)}`)).text()
    const rank = await server.json(`/api/services/${ids[1]}/rank?q=narwhal+sightings`)
    const text = await of(ids[1]!, 'en', 'narwhal sightings')
    expect(rank.position).toBe(2)
    expect(text).toContain(`Place 2 of ${rank.total}`)
    expect(text).toContain(
      `<a href="/services/${rank.before[0].id}?lang=en" dir="auto">Narwhal sightings</a>`,
    )
    for (const { text: advice } of rank.help) expect(text).toContain(advice.slice(0, 40))
    expect(await of(ids[0]!, 'en', 'narwhal sightings')).toContain('It comes first.')
    expect(await of(ids[0]!, 'ja', 'narwhal sightings on Solana')).toContain(
      'この文の条件を満たしていません：Solana',
    )
    expect(await (await visitor.get('/yours')).text()).toContain(`href="/yours/${ids[1]}#rank"`)
  })

  test('shows everything in Japanese too', async () => {
    const { id } = await register({ endpoint: 'https://api.tidetables.dev/v1' })
    const visitor = await byKey()
    const text = await (await visitor.get(`/yours/${id}?lang=ja`)).text()
    for (const words of ['今すぐ確認', '提供を終える', 'Webhook', 'サインアウト'])
      expect(text).toContain(words)
    const refused = await visitor.send(`/yours/${id}?lang=ja`, { action: 'remove' })
    expect(await refused.text()).toContain('確認の欄にチェックを入れてください。')
  })
})

describe('Registering while signed in', () => {
  test('tells that another owner has the endpoint and the name', async () => {
    const wallet = newWallet()
    const theirs = {
      name: 'Glacier Gauge',
      endpoint: 'https://glacier.example/v1',
      x402Config: { paymentAddress: wallet.address, network: 'base' },
    }
    const { id: first } = await register(theirs)
    const { visitor } = await byWallet()
    const send = (name: string, endpoint: string) =>
      visitor.send('/register', { ...LISTING, name, endpoint, 'x402Config.paymentAddress': wallet.address })
    const read = async (sent: Response) =>
      [
        await (await visitor.get(sent.headers.get('location')!)).text(),
        await (await visitor.get(`/yours/${/svc_\w+/.exec(sent.headers.get('location')!)![0]}`)).text(),
      ] as const
    for (const text of await read(await send(theirs.name, theirs.endpoint)))
      for (const part of [
        'Another service has the same or a similar name',
        'Listed twice',
        `href="/services/${first}"`,
      ])
        expect(text).toContain(part)
  })

  test('warns before a key in the URL is published', async () => {
    const { visitor, wallet } = await byWallet()
    const paid = { 'x402Config.paymentAddress': wallet.address }
    const endpoint = 'https://keyed.example/v1?api_key=sk_live_123456&q=tokyo'
    const sent = await visitor.send('/register', { ...LISTING, ...paid, endpoint })
    const location = sent.headers.get('location')!
    expect(await (await visitor.get(location)).text()).toContain('The URL seems to contain a key')
    const publicText = await (await visitor.get(location.replace(/\?.*/, ''))).text()
    expect(publicText).not.toContain('seems to contain a key')

    await using probing = await openTestServer({ PROBE: 'on', PUBLIC_URL })
    const reader = createVisitor(probing.url)
    await reader.send('/sign-in', { action: 'key', key: KEY })
    await reader.send('/register', { ...LISTING, ...paid, endpoint })
    const check = (changes: object) =>
      reader.send('/register', { ...LISTING, ...paid, action: 'check', endpoint, ...changes })
    const text = await (await check({})).text()
    expect(text).toContain('Everybody can read the value of “api_key”')
    const plain = await (await check({ endpoint: 'https://keyed.example/v1?q=tokyo' })).text()
    expect(plain).not.toContain('seems to contain a key')
  })

  test('needs no key in the form, and the signed-in user owns the service', async () => {
    const { visitor } = await byWallet()
    expect(await (await visitor.get('/register')).text()).not.toContain('id="key"')
    const sent = await visitor.send('/register', LISTING)
    expect(sent.headers.get('location')).toMatch(/^\/services\/svc_/)
    expect(await (await visitor.get('/yours')).text()).toContain('By cookie')
  })
})
