import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { ask, createSetClock, KEY, openTestServer, type TestServer } from '../../http/directory-server.ts'
import { createHurriedClock } from '../../hurried-clock.ts'
import { asksV2, onBase } from '../../probe/merchant.ts'
import { createVisitor } from '../visitor.ts'

const SETTINGS = { PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on' }
let server: TestServer
let merchant: ReturnType<typeof Bun.serve>
beforeAll(async () => {
  server = await openTestServer(SETTINGS, { clock: createHurriedClock() })
  merchant = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => asksV2() })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await merchant.stop(true)
})

const filled = (changes: Record<string, string> = {}) => ({
  name: 'Tide Tables',
  description: 'Tides for every harbour in Japan',
  endpoint: `http://127.0.0.1:${merchant.port}/v1`,
  category: 'weather',
  'pricing.pricePerRequest': '0.0025',
  'pricing.currency': 'USDC',
  'pricing.freeQuota': '',
  'x402Config.network': 'base',
  'x402Config.paymentAddress': onBase.payTo,
  key: KEY,
  once: crypto.randomUUID(),
  action: 'register',
  ...changes,
})

/** Nothing but the endpoint is filled in. */
const EMPTY = Object.fromEntries(
  [
    ...'name description category pricing.pricePerRequest pricing.currency x402Config.network'.split(' '),
    ...'x402Config.paymentAddress'.split(' '),
  ].map(name => [name, '']),
)

const submit = (form: Record<string, string>, path = '/register', to = server) =>
  ask(to.url + path, { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' })

/** On a busy machine the host may not be free in time: then the form is sent again. */
async function check(changes: Record<string, string> = {}, path?: string, to?: TestServer): Promise<string> {
  for (;;) {
    const answer = await submit(filled({ action: 'check', ...changes }), path, to)
    const text = await answer.text()
    if (answer.status !== 429) return text
    await Bun.sleep(50)
  }
}

describe('the registration form', () => {
  test('registers with a key and redirects to the new entry', async () => {
    const visitor = createVisitor(server.url)
    // Not probed before it is looked at.
    const form = filled({
      // A long name wraps in its field, where a line break is easily typed.
      name: 'Tide\r\nTables',
      'pricing.freeQuota': '5',
      endpoint: 'https://tides.example/v1',
    })
    const response = await visitor.send('/register', form)
    expect(response.status).toBe(303)
    const location = response.headers.get('location')!
    const [, id] = /^\/services\/(svc_\w+)\?registered=[\w-]{43}$/.exec(location)!
    const service = await server.json(`/api/services/${id}`)
    expect(service).toMatchObject({
      name: 'Tide Tables',
      pricing: { pricePerRequest: '0.0025', freeQuota: 5 },
    })
    const text = await (await visitor.get(location)).text()
    expect(text).toContain('Its host is reserved for examples and tests')
    expect(text).not.toContain('within seconds')
    // In the words for owners, and without anything to pay with.
    expect(text).not.toContain('so nothing in this listing is confirmed')
    expect(text).not.toContain('If this is your service')
    expect(text).not.toContain('Copy call code')
    expect(text).toContain(`<a class="button" href="/yours/${id}">Manage</a>`)
    expect(text).toContain(`href="/services/${id}">Public page</a>`)
    // Nobody else has registered it.
    for (const path of [location, `/services/${id}?registered=1`]) {
      const other = await (await server.get(path)).text()
      expect(other).not.toContain('role="status"><strong>Registered')
      expect(other).toContain('<dt>Asks for</dt>')
    }
  })

  test('accepts full-width characters and a URL in brackets', async () => {
    const { host } = new URL(`http://127.0.0.1:${merchant.port}`)
    const text = await check({ endpoint: `「http://${host}/v1」`, 'pricing.pricePerRequest': '０．００２５' })
    expect(text).toContain(`value="http://${host}/v1"`)
    expect(text).toContain('value="0.0025"')
    const sent = await submit(filled({ endpoint: 'ｗｅａｔｈｅｒ．example／v1', 'pricing.freeQuota': '５' }))
    const id = /svc_\w+/.exec(sent.headers.get('location')!)![0]
    expect(await server.json(`/api/services/${id}`)).toMatchObject({
      endpoint: 'https://weather.example/v1',
      pricing: { freeQuota: 5 },
    })
  })

  test('sent twice registers once', async () => {
    const form = filled({ name: 'Only once' })
    const [first, second] = [await submit(form), await submit(form)]
    expect(second.headers.get('location')).toBe(first.headers.get('location')!)
  })

  test('shows every problem next to its field and keeps the entered values, except the key', async () => {
    const response = await submit(
      filled({
        name: ' ',
        endpoint: 'ftp://x',
        'pricing.pricePerRequest': '1,5',
        'pricing.freeQuota': 'some',
        description: '<b>kept</b>',
      }),
    )
    expect(response.status).toBe(400)
    const text = await response.text()
    for (const name of ['name', 'endpoint', 'pricing.pricePerRequest', 'pricing.freeQuota']) {
      expect(text).toContain(`id="${name}-problem"`)
      expect(text).toMatch(new RegExp(`id="${name}"[^>]*aria-invalid="true"`))
      expect(text).toContain(`<a href="#${name}">`)
    }
    const listed = [...text.matchAll(/<li><a href="#([^"]*)">/g)].map(([, name]) => name)
    const shown = [...text.matchAll(/id="([^"]*)-problem"/g)].map(([, name]) => name)
    expect(listed).toEqual(shown)
    expect(text).not.toContain('id="category-problem"')
    expect(text).toContain('&lt;b&gt;kept&lt;/b&gt;')
    expect(text).toContain('value="1,5"')
    expect(text).not.toContain(KEY)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('reports pasted text that is too long, and does not cut it', async () => {
    const long = {
      endpoint: `https://long.example/${'a'.repeat(2_100)}`,
      name: 'n'.repeat(300),
      description: 'd'.repeat(2_100),
    }
    const answer = await submit(filled(long))
    const text = await answer.text()
    expect(answer.status).toBe(400)
    for (const [name, value] of Object.entries(long)) {
      expect(text).toContain(`id="${name}-problem"`)
      expect(text).toContain(value)
    }
    const [form] = /<form id="register"[\s\S]*?<\/form>/.exec(text)!
    const cut = [...form.matchAll(/<(?:input|textarea)[^>]* name="([^"]*)"[^>]* maxlength=/g)].map(
      ([, name]) => name,
    )
    expect(cut).toEqual(['key'])
    const read = await check({ ...EMPTY, endpoint: long.endpoint })
    expect(read).toContain('id="endpoint-problem">Must have at most 2048 characters.<')
  })

  test('asks for the key if it is missing or unknown', async () => {
    for (const key of ['', 'wrong-key-123']) {
      const response = await submit(filled({ key }))
      expect(response.status).toBe(401)
      const text = await response.text()
      expect(text).toContain('id="key-problem"')
      expect(text).not.toContain('wrong-key-123')
    }
  })

  test('reports problems of the fields even if the key is missing', async () => {
    const text = await (await submit(filled({ key: '', name: '', 'pricing.pricePerRequest': '1,5' }))).text()
    for (const name of ['name', 'pricing.pricePerRequest', 'key'])
      expect(text).toContain(`id="${name}-problem"`)
    expect(text).toContain('3 fields need attention')
    expect(text).toMatch(/id="name-problem">Enter the name\.</)
    expect(text).toMatch(/id="key-problem">Enter an API key, or sign in\.</)
  })

  test('reports a reused idempotency key with another body, and offers a new one', async () => {
    const form = filled({ name: 'First' })
    await submit(form)
    const response = await submit({ ...form, name: 'Second' })
    expect(response.status).toBe(409)
    const text = await response.text()
    expect(text).toContain('role="alert"')
    expect(text).not.toContain(form.once)
  })

  test('accepts only forms, up to a maximum size', async () => {
    const json = await ask(`${server.url}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
    expect(json.status).toBe(415)
    expect((await submit(filled({ description: 'x'.repeat(70_000) }))).status).toBe(413)
  })

  test('uses the language of the page', async () => {
    const text = await (await submit(filled({ name: '' }), '/register?lang=ja')).text()
    expect(text).toContain('見直しが必要な項目が1件あります')
    expect(text).toContain('action="/register?lang=ja"')
  })
})

describe('the preflight', () => {
  test('shows each check of an endpoint and registers nothing', async () => {
    const before = (await server.get('/api/services')).headers.get('x-total-count')
    const text = await check()
    expect(text).toContain('would be listed as verified')
    for (const check of [
      'The URL is valid',
      'It asks for payment',
      'The payment address matches',
      'The price matches',
    ])
      expect(text).toMatch(new RegExp(`<li class="passed"><strong>${check}</strong>`))
    expect(text).toContain('value="Tide Tables"')
    expect(text).not.toContain(KEY)
    expect((await server.get('/api/services')).headers.get('x-total-count')).toBe(before!)
  })

  test('reports values that differ from the endpoint', async () => {
    const text = await check({ 'x402Config.paymentAddress': `0x${'2'.repeat(40)}` })
    expect(text).toContain('Would not be verified')
    expect(text).toContain('<li class="failed"><strong>The payment address matches</strong>')
    expect(text).toContain('id="x402Config.paymentAddress-problem"')
    // It is no error of the form: it can be registered.
    expect(text).toContain('<a href="#x402Config.paymentAddress">Payment address</a>: ')
    expect(text).toContain('You can register it all the same.')
    expect(text).not.toContain('attention')
  })

  test.each([
    ['en', 'without asking for payment.', 'You can register it all the same: fill in the fields'],
    ['ja', '支払いを求めずに', 'それでも登録できます。下の項目をご自身で入力'],
  ])('reports an unreadable endpoint once, with what to do next, in %s', async (lang, why, next) => {
    // On a server of its own: many requests are sent to it, and hosts have limits.
    await using other = await openTestServer(SETTINGS, { clock: createHurriedClock() })
    const endpoint = `${other.url}/about`
    const text = await check({ ...EMPTY, endpoint }, `/register?lang=${lang}`, other)
    const [report] = /<section class="panel report[\s\S]*?<details>/.exec(text)!
    expect(report).toContain(next)
    expect(text.split(why)).toHaveLength(2)
    for (const said of ['role="alert"', '-problem"']) expect(text).not.toContain(said)
    // What it says is so.
    expect((await submit(filled({ endpoint }), '/register', other)).status).toBe(303)
  })

  test('reports a URL that cannot be registered', async () => {
    const endpoint = 'ftp://files.example/v1'
    const text = await check({ ...EMPTY, endpoint })
    expect(text).not.toContain('all the same')
    expect(text.match(/role="alert"/g)).toHaveLength(1)
    expect(text).toContain('id="endpoint-problem">Enter the full URL, starting with https://.<')
    expect(text).not.toContain('class="panel report')
    expect((await submit(filled({ endpoint }))).status).toBe(400)
  })

  test('reports an empty URL as missing, without results or a preview', async () => {
    const answer = await submit(filled({ ...EMPTY, endpoint: ' ', action: 'check' }))
    const text = await answer.text()
    expect(answer.status).toBe(400)
    expect(text).toMatch(/id="endpoint-problem">Enter the endpoint\.</)
    expect(text).not.toContain('class="panel report')
  })

  test('sends no request for an invalid URL, and one check for an endpoint that declares nothing', async () => {
    await using own = await openTestServer(
      { PROBE: 'on', ALLOW_PRIVATE_ENDPOINTS: 'on' },
      { clock: createSetClock('2026-11-10T08:00:00.000Z') },
    )
    const send = (endpoint: string) =>
      ask(`${own.url}/register`, {
        method: 'POST',
        body: new URLSearchParams(filled({ ...EMPTY, endpoint, action: 'check' })),
      })
    for (let i = 0; i < 12; i++) {
      const text = await (await send('htp:/bad')).text()
      expect(text).toContain('id="endpoint-problem"')
      expect(text).not.toContain('class="panel report')
    }
    const asked = spyOn(server.app.directory, 'check')
    const countChecks = async (changes: Record<string, string>): Promise<number> => {
      asked.mockClear()
      const { status } = await submit(filled({ ...EMPTY, action: 'check', ...changes }))
      // The host was busy, see above.
      return status === 429 ? countChecks(changes) : asked.mock.calls.length
    }
    expect(await countChecks({ endpoint: `${server.url}/about` })).toBe(1)
    expect(await countChecks({})).toBe(2)
    asked.mockRestore()
  })

  test('fills in the highest price of all networks, so that the listing would be verified', async () => {
    const onPolygon = {
      ...onBase,
      network: 'eip155:137',
      amount: '4000',
      asset: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    }
    const several = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => asksV2([onBase, onPolygon]) })
    try {
      const text = await check({ ...EMPTY, endpoint: `http://127.0.0.1:${several.port}/v1` })
      expect(text).toMatch(/name="pricing\.pricePerRequest"[^>]*value="0\.004"/)
      expect(text).toContain('would be listed as verified')
    } finally {
      await several.stop(true)
    }
  })

  test('shows what will be listed', async () => {
    const text = await check()
    const preview = /<section class="panel report preview"[\s\S]*?<\/section>/.exec(text)![0]
    for (const part of [
      'Tide Tables',
      '127.0.0.1',
      '<code>GET http',
      '0.0025',
      'Weather',
      'Base',
      onBase.payTo,
    ])
      expect(preview).toContain(part)
  })

  test('also checks values that it filled in, so that the verdict covers the final listing', async () => {
    const text = await check({ 'x402Config.paymentAddress': '', 'pricing.currency': '' })
    expect(text).toContain('would be listed as verified')
    for (const check of ['The payment address matches', 'The price matches'])
      expect(text).toContain(`<li class="passed"><strong>${check}</strong>`)
  })

  test('fills in empty fields from what the endpoint declares, and keeps what was entered', async () => {
    const empty = Object.fromEntries(Object.keys(filled()).map(name => [name, '']))
    const { endpoint, key } = filled() as Record<string, string>
    const text = await check({ ...empty, endpoint, key, name: 'My Tides', action: 'check' } as never)
    const shown = (name: string) =>
      new RegExp(`name="${name}"[^>]*(?:value="([^"]*)"|>\n([^<]*)</textarea>)`)
        .exec(text)
        ?.slice(1)
        .find(Boolean)
    expect(shown('name')).toBe('My Tides')
    // What is still empty is said above the form and at its field.
    expect(text).toContain('<b>Still to fill in: </b><a href="#description">Description</a></p>')
    // What nobody stated is named; what was entered is not.
    expect(text).toContain(
      '<b>Please check (not stated by the endpoint): </b><a href="#category">Category</a></p>',
    )
    expect(text).toContain('id="description-problem">Enter the description.<')
    expect(shown('x402Config.paymentAddress')).toBe(filled()['x402Config.paymentAddress'])
    expect(shown('pricing.currency')).toBe('USDC')
    expect(shown('pricing.pricePerRequest')).toMatch(/^0\.\d+$/)
    expect(shown('category')).toBe('Other')
    expect(shown('x402Config.network')).toBe('Base')
    expect(text).not.toMatch(/<code>eip155:|>other</)
  })

  test('shows names for categories and networks, and registers the values behind them', async () => {
    const names = { category: '文字認識', 'x402Config.network': 'Base' }
    const sent = await submit(filled({ ...names, 'value.x402Config.network': 'eip155:8453' }))
    const id = sent.headers.get('location')!.match(/svc_\w+/)![0]
    const { category, x402Config } = await server.json(`/api/services/${id}`)
    expect(category).toBe('ocr')
    expect(x402Config.network).toBe('eip155:8453')
    const corrected = await (
      await submit(filled({ ...names, name: '', 'value.x402Config.network': 'eip155:8453' }))
    ).text()
    expect(corrected).toContain('name="value.x402Config.network" value="eip155:8453"')
    expect(corrected).toContain('value="OCR"')
    const other = await submit(filled({ category: 'my_own', 'x402Config.network': 'Arbitrum One' }))
    const mine = await server.json(`/api/services/${other.headers.get('location')!.match(/svc_\w+/)![0]}`)
    expect(mine.category).toBe('my_own')
    expect(mine.x402Config.network).toBe('arbitrum')
  })

  test('reports each problem once', async () => {
    const report = (await check()).split('<section class="panel report judged')[1]!
    const details = [...report.matchAll(/<p[^>]*>([^<]*)<\/p>/g)].map(([, detail]) => detail!)
    expect(details.filter(detail => detail.startsWith('It answers 402'))).toHaveLength(1)
  })
})

describe('a provider without a key', () => {
  test('checks an endpoint, sees every step and what would be listed, and lists nothing', async () => {
    const visitor = createVisitor(server.url)
    const total = async () => (await server.get('/api/services?limit=1')).headers.get('x-total-count')
    const before = await total()
    const send = async (endpoint: string, path = '/check') => {
      for (;;) {
        const answer = await visitor.send(path, { endpoint, action: 'check' })
        if (answer.status !== 429) return answer
        await Bun.sleep(50)
      }
    }
    const text = await (await send(filled().endpoint)).text()
    expect(text).toContain('would be listed as verified')
    expect(text).toMatch(
      /<details open><summary>Every check<\/summary><ul class="lines checks"><li class="passed">/,
    )
    for (const part of ['0.0025', onBase.payTo, 'href="/register?endpoint=']) expect(text).toContain(part)
    // A USDC payment that lacks the name and version of its token is verified, and nobody can sign it: that comes first.
    expect(text).toMatch(/class="verdict care"><b><svg.*?<\/svg>No official x402 client can pay it<\/b>/s)
    expect(text).toContain('<li class="failed"><strong>Official clients can pay it')
    expect(text).toContain('<li class="passed"><strong>Network found')
    const failed = await (await send(`${server.url}/about`)).text()
    expect(failed).toMatch(
      /Would not be verified.*What you can do: <\/b>Answer a request that carries no payment.*Every check/s,
    )
    expect(failed).not.toContain('to compare with')
    const japanese = await (await send(`${server.url}/about`, '/check?lang=ja')).text()
    for (const part of ['支払いを求めずに', 'できること：</b>支払いのないリクエストには'])
      expect(japanese).toContain(part)
    expect(await (await send('nowhere')).text()).toContain('<li class="failed"><strong>The URL is valid')
    expect((await visitor.sendFromElsewhere('/check', { endpoint: filled().endpoint })).status).toBe(403)
    expect(await total()).toBe(before)
  })

  test('is offered to sign in, with a wallet if the directory supports it', async () => {
    await using open = await openTestServer({ PUBLIC_URL: 'https://directory.example' })
    for (const { get } of [open, server])
      expect(await (await get('/register')).text()).toContain('href="/sign-in?to=register">Sign in</a>')
    expect(await (await open.get('/sign-in')).text()).toContain('id="challenge"')
    expect(await (await server.get('/sign-in')).text()).not.toContain('id="challenge"')
  })

  test('gets the problems of every field and every check in Japanese', async () => {
    const wrong = await (
      await submit(filled({ endpoint: 'x', 'pricing.pricePerRequest': 'free' }), '/register?lang=ja')
    ).text()
    expect(wrong).toContain('https:// で始まる完全なURLを入力してください')
    expect(wrong).toContain('小数にしてください')
    expect(wrong).not.toMatch(/<(p|li|span)[^>]* lang="en"/)
    const checked = await check({}, '/register?lang=ja')
    expect(checked).toMatch(/合格<\/small><p>Base<\/p>/)
    expect(checked).not.toContain('掲載のネットワーク')
    expect(checked).not.toContain('登録された')
    expect(checked).not.toMatch(/<(p|li|span)[^>]* lang="en"/)
  })
})
