import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Folder, openFolder, type Serving } from './shirube.ts'

const body = {
  name: '潮位表 Tides of Japan',
  description: 'Tide tables for every harbour, hour by hour.',
  endpoint: 'https://tides.example/v1',
  category: 'weather',
  pricing: { currency: 'USDC', pricePerRequest: '0.0025' },
  x402Config: { paymentAddress: '0x7aA3B0D047d135f43e8699E07783a548819BC25c', network: 'base' },
}

describe('From the first key to a second directory', () => {
  let folder: Folder
  let serving: Serving
  let env: Record<string, string>
  let key: string
  let id: string
  beforeAll(async () => {
    folder = await openFolder()
    const made = await folder.run(['keys', 'create', 'my key', '--expires', '90d'])
    key = made.stdout.trim()
    serving = await folder.serve()
    env = { SHIRUBE_URL: serving.url, SHIRUBE_KEY: key }
    const file = await folder.file('body.json', JSON.stringify({ ...body, extra: 1 }, null, 2))
    const registered = await folder.run(['register', file, '--json'], { env })
    id = JSON.parse(registered.stdout).id
  })
  afterAll(async () => {
    await serving[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  })

  test('keys create prints only the key', async () => {
    expect(key).toMatch(/^shb_[0-9A-Za-z]{38}$/)
    const { stdout, code } = await folder.run(['keys', 'list', '--json'])
    const [record] = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(record).toMatchObject({ name: 'my key', scopes: ['register'], revokedAt: null })
    expect(record.hash).toBeUndefined()
    const days = (Date.parse(record.expiresAt) - Date.parse(record.createdAt)) / 86_400_000
    expect(Math.round(days)).toBe(90)
  })

  test('register prints the result and the unused fields', async () => {
    const { code, stdout, stderr } = await folder.run(['register', '-', '--key', key], {
      stdin: JSON.stringify({ ...body, name: 'Second', endpoint: 'https://second.example/', extra: 1 }),
      env: { SHIRUBE_URL: serving.url },
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'Not used: extra\n' })
    expect(stdout).toMatch(/^Registered Second as svc_\w+\.\n$/)
  })

  test('resolve lists reasons against a payment, and exits with 0 only if there are none', async () => {
    const { paymentAddress: payTo, network } = body.x402Config
    const asked = ['resolve', `${body.endpoint}/tokyo`, '--pay-to', payTo, '--network', network]
    const { stdout, code } = await folder.run(asked, { env })
    expect(code).toBe(1)
    expect(stdout).toStartWith('caution\n  The listing is not verified')
    expect(stdout).toContain(`Listed   0.0025 USDC on base to ${payTo}`)
    const stop = await folder.run([...asked.slice(0, 2), '--pay-to', `0x${'4'.repeat(40)}`, '--json'], {
      env,
    })
    expect(JSON.parse(stop.stdout)).toMatchObject({ verdict: 'stop' })
    const wrong = await folder.run(['resolve', 'tides.example', '--amount', '1.5'], { env })
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr).toContain('The URL to pay must be an absolute http or https URL')
    expect(wrong.stderr).toContain('--amount must be a whole number')
  })

  test('register adds nothing twice with one idempotency key', async () => {
    const again = () =>
      folder.run(['register', '-', '--json', '--idempotency-key', 'one'], {
        stdin: JSON.stringify(body),
        env,
      })
    expect((await again()).stdout).toBe((await again()).stdout)
  })

  test('register reports every problem on its own line', async () => {
    const { code, stdout, stderr } = await folder.run(['register', '-'], { stdin: '{"name":"x"}', env })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr.trim().split('\n')).toHaveLength(5)
    expect(stderr).toContain('description is required')
    expect((await folder.run(['register', '-'], { stdin: 'no', env })).code).toBe(1)
    expect((await folder.run(['register', '/no/such/file'], { env })).stderr).toContain(
      'no file /no/such/file',
    )
    expect((await folder.run(['register', '-'], { env: { SHIRUBE_URL: serving.url } })).code).toBe(2)
    const unknown = await folder.run(['register', '-', '--key', 'unknown-key'], { stdin: '{}', env })
    expect([unknown.code, unknown.stderr.trim().split('\n').length]).toEqual([1, 1])
  })

  test('list, show and search find it', async () => {
    const listed = await folder.run(['list', '--category', 'weather', '--json', '--url', serving.url])
    expect(JSON.parse(listed.stdout).map((service: { id: string }) => service.id)).toContain(id)
    const shown = await folder.run(['show', id, '--json'], { env })
    expect(JSON.parse(shown.stdout)).toMatchObject({ id, ...body })
    const searched = await folder.run(['search', 'tide', 'harbour', '--limit', '1', '--json'], { env })
    expect(JSON.parse(searched.stdout).results).toHaveLength(1)
    const answered = await folder.run(['search', '潮位を知りたい', '--json'], { env })
    expect(JSON.parse(answered.stdout).query).toBe('潮位を知りたい')
  })

  test('text output contains the same data', async () => {
    const listed = await folder.run(['list', '--sort-by', 'name'], { env })
    expect(listed.stdout.split('\n')[0]).toMatch(
      /^NAME +CATEGORY +PRICE +NETWORK +STATUS +TRUST +BACKED BY +ID$/,
    )
    expect(listed.stdout).toContain(id)
    expect(listed.stderr).toMatch(/^\d of \d services\n$/)
    const shown = await folder.run(['show', id], { env })
    for (const text of [
      body.name,
      body.endpoint,
      '0.0025 USDC a request',
      'weather (Weather)',
      'unverified',
      'registered here',
    ]) {
      expect(shown.stdout).toContain(text)
    }
    expect((await folder.run(['search', 'tides'], { env })).stdout).toContain(body.name)
    expect((await folder.run(['list', '--query', 'xyzzyplugh'], { env })).stdout).toBe('')
  })

  test('a table fits the terminal and is coloured there; a pipe gets plain text', async () => {
    for (const columns of [120, 80, 60]) {
      const shown = await folder.runOnTerminal(['list'], columns, env)
      const plain = Bun.stripANSI(shown)
      expect(plain).toContain(id)
      expect(Math.max(...plain.split('\n').map(line => Bun.stringWidth(line)))).toBeLessThanOrEqual(columns)
    }
    expect(await folder.runOnTerminal(['list'], 80, env)).toContain('\u001b[33munverified\u001b[0m')
    expect(await folder.runOnTerminal(['list'], 80, { ...env, NO_COLOR: '1' })).not.toContain('\u001b[')
    expect((await folder.run(['list'], { env })).stdout).not.toContain('\u001b[')
  })

  test('list and search say of an unknown filter that it is one', async () => {
    const { code, stdout, stderr } = await folder.run(['list', '--chain', 'bse'], { env })
    expect([code, stdout]).toEqual([0, ''])
    expect(stderr).toContain('The chain "bse" is not known here; did you mean base?\n0 of 0 services')
    expect((await folder.run(['list', '--chain', 'base'], { env })).stderr).not.toContain('not known')
    const searched = await folder.run(['search', 'weather', '--chain', 'bass'], { env })
    expect(searched.stderr).toBe('The chain "bass" is not known here; did you mean base?\n')
  })

  test('edit, retire, restore and remove change it', async () => {
    const made = await folder.run(['register', '-', '--json'], { stdin: JSON.stringify(body), env })
    const own: string = JSON.parse(made.stdout).id
    const patch = JSON.stringify({ pricing: { pricePerRequest: '0.009' } })
    const edited = await folder.run(['edit', own, '-', '--json'], { stdin: patch, env })
    expect(edited.stderr).toBe('')
    expect(JSON.parse(edited.stdout).pricing).toEqual({
      currency: 'USDC',
      pricePerRequest: '0.009',
      freeQuota: 0,
    })
    for (const same of ['{}', patch])
      expect((await folder.run(['edit', own, '-'], { stdin: same, env })).stdout).toBe(
        `Nothing to change in ${body.name} (unverified).\n`,
      )
    const renamed = await folder.run(['edit', own, '-'], { stdin: '{"category":"news"}', env })
    expect(renamed.stdout).toBe(`Changed ${body.name} (unverified).\n`)
    const mine = await folder.run(['list', '--mine', '--json'], { env })
    expect(JSON.parse(mine.stdout)[0]).toMatchObject({ service: { id: own }, by: 'owner', retired: null })
    expect((await folder.run(['list', '--mine'], { env })).stdout).toContain(own)
    const retired = await folder.run(['edit', own, '--retire', 'Closed.'], { env })
    expect(retired.stdout).toBe(`Retired ${body.name} (inactive).\n`)
    expect((await folder.run(['edit', own], { env })).code).toBe(2)
    expect((await folder.run(['show', own], { env })).stdout).toMatch(
      /^Why +Its owner took it out of service: Closed\.$/m,
    )
    expect((await folder.run(['edit', own, '--restore'], { env })).stdout).toContain('(unverified)')
    expect((await folder.run(['edit', own, '--claim'], { env })).code).toBe(1)
    expect((await folder.run(['edit', own, '--remove'], { env: { SHIRUBE_URL: serving.url } })).code).toBe(2)
    const unasked = await folder.run(['edit', own, '--remove'], { env })
    expect([unasked.code, unasked.stderr.split('\n')[0]]).toEqual([
      2,
      'There is no terminal to confirm the removal: --yes removes without confirmation.',
    ])
    const declined = await folder.runOnTerminal(['edit', own, '--remove'], 100, env, 'n\n')
    expect(declined).toContain(`Remove ${own} permanently? [y/N]`)
    expect(declined).toContain('Nothing was removed.')
    expect((await folder.run(['show', own], { env })).code).toBe(0)
    expect((await folder.run(['edit', own, '--remove', '--yes'], { env })).stdout).toBe(`Removed ${own}.\n`)
    expect((await folder.run(['show', own], { env })).code).toBe(1)
  })

  test.each([
    [
      { pricng: { pricePerRequest: '9' } },
      'pricng is not a field of a service; nothing was changed. Did you mean pricing?',
    ],
    [
      { description: 'Other.', pricing: { price: '9' } },
      'pricing.price is not a field of a service; nothing was changed. Did you mean pricing.pricePerRequest?',
    ],
    [
      { zzzzzzzz: 1, qqqqqqqq: 2 },
      'zzzzzzzz, qqqqqqqq are not fields of a service; nothing was changed. The fields are name, description,',
    ],
  ])('edit refuses unknown fields: %j', async (patch, sentence) => {
    const before = await folder.run(['show', id, '--json'], { env })
    const { code, stdout, stderr } = await folder.run(['edit', id, '-'], {
      stdin: JSON.stringify(patch),
      env,
    })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toStartWith(sentence)
    expect(await folder.run(['show', id, '--json'], { env })).toEqual(before)
  })

  test('hide hides a service while the server runs, and unhide shows it again', async () => {
    const made = await folder.run(['register', '-', '--json'], { stdin: JSON.stringify(body), env })
    const own: string = JSON.parse(made.stdout).id
    const show = async () => folder.run(['show', own], { env })
    expect((await folder.run(['reports', '--hide', own], { env })).code).toBe(2)
    const hidden = await folder.run(['reports', '--hide', own, '--why', 'It poses as another.'], { env })
    expect(hidden.stdout).toBe(`Hidden: ${body.name} (${own}).\n`)
    for (let shown = await show(); !shown.stderr.includes('It poses as another.'); shown = await show())
      expect(shown.code).toBe(0)
    expect((await folder.run(['reports', '--unhide', own, '--json'], { env })).stdout).toContain(
      '"hidden": null',
    )
    expect((await folder.run(['reports', '--unhide', own], { env })).stdout).toStartWith(
      'It was not hidden: ',
    )
    while ((await show()).code !== 0);
    expect((await folder.run(['reports', '--hide', 'svc_none', '--why', 'x'], { env })).code).toBe(1)
    await folder.run(['edit', own, '--remove', '--yes'], { env })
  })

  test('reports lists open reports, and reports resolve closes one', async () => {
    expect((await folder.run(['reports'])).stderr).toBe('There are no open reports.\n')
    const made = await folder.run(['register', '-', '--json'], { stdin: JSON.stringify(body), env })
    const own: string = JSON.parse(made.stdout).id
    const report = { kind: 'malware', text: 'It sends a program.' }
    const sent = await fetch(`${serving.url}/api/services/${own}/reports`, {
      method: 'POST',
      headers: { authorization: `Bearer ${env.SHIRUBE_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(report),
    })
    expect(sent.status).toBe(201)
    expect((await folder.run(['reports'])).stdout).toContain('malware')
    const [listed] = JSON.parse((await folder.run(['reports', '--json'])).stdout)
    expect(listed).toMatchObject({ ...report, serviceId: own, resolvedAt: null })
    const resolved = await folder.run(['reports', '--resolve', listed.id])
    expect(resolved.stdout).toBe(`Resolved ${listed.id}.\n`)
    expect((await folder.run(['reports', '--resolve', listed.id])).code).toBe(1)
    expect((await folder.run(['reports', '--state', 'resolved'])).stdout).toContain(listed.id)
    expect((await folder.run(['reports', '--state', 'odd'])).code).toBe(2)
    await folder.run(['edit', own, '--remove', '--yes'], { env })
  })

  test('show reports an unknown id', async () => {
    const { code, stdout, stderr } = await folder.run(['show', 'svc_unknown'], { env })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('svc_unknown')
  })

  test('an unreachable directory is named in the error', async () => {
    const { code, stderr } = await folder.run(['list', '--url', 'http://127.0.0.1:1'])
    expect(code).toBe(1)
    expect(stderr).toStartWith('No directory answers at http://127.0.0.1:1.')
  })

  test('export while it runs, and import into another directory', async () => {
    const printed = await folder.run(['export'], { env: { DIRECTORY_NAME: 'Kyoto' } })
    const document = JSON.parse(printed.stdout)
    expect(Object.keys(document)).toEqual(['version', 'source', 'exportedAt', 'endpoints'])
    expect(document).toMatchObject({ version: '1.0', source: 'Kyoto' })
    const served = (await (await fetch(`${serving.url}/api/export`)).json()) as { endpoints: unknown[] }
    expect(document.endpoints).toEqual(served.endpoints)

    expect((await folder.run(['export', 'catalog.json'])).stdout).toContain(
      `Exported ${document.endpoints.length}`,
    )
    const second = { DATABASE_URL: 'sqlite:./second.db' }
    const imported = await folder.run(['import', 'catalog.json', '--json'], { env: second })
    expect(JSON.parse(imported.stdout)).toMatchObject({
      imported: document.endpoints.length,
      updated: 0,
      kept: 0,
      skipped: 0,
    })
    const copied = JSON.parse((await folder.run(['export'], { env: second })).stdout)
    expect(copied.endpoints).toEqual(document.endpoints)
  })

  test('services imported while the server runs are served', async () => {
    const stdin = JSON.stringify({ ...body, name: 'Imported Numbat Register' })
    expect((await folder.run(['import', '-'], { stdin })).code).toBe(0)
    const find = async () =>
      (await (await fetch(`${serving.url}/api/catalog/search?q=numbat`)).json()) as unknown[]
    let found: unknown[] = []
    while (found.length === 0) found = await find()
    expect(found).toHaveLength(1)
  })

  test('a revoked key no longer registers', async () => {
    const made = JSON.parse(
      (await folder.run(['keys', 'create', 'short', '--scope', 'register,admin', '--json'])).stdout,
    )
    expect(made.scopes).toEqual(['register', 'admin'])
    expect((await folder.run(['keys', 'revoke', made.id])).stdout).toBe(`Revoked ${made.id}.\n`)
    expect((await folder.run(['keys', 'revoke', made.id])).code).toBe(1)
    const refused = await folder.run(['register', '-', '--key', made.key], {
      stdin: JSON.stringify(body),
      env,
    })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('revoked')])
    expect((await folder.run(['keys', 'list'])).stdout).toMatch(
      new RegExp(`${made.id} +short +register, admin +revoked`),
    )
  })

  test('the log contains no key', () => {
    expect(serving.stderr()).toContain('/api/services')
    expect(serving.stderr()).not.toContain(key)
  })
})
