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
