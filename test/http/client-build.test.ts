// The client as others get it, built, on Node.js and on Bun, against a real directory.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BASE } from '../../src/messages/base.ts'
import { body, KEY, openTestServer } from './directory-server.ts'

const root = new URL('../..', import.meta.url).pathname

/** What a program does with the client; it prints what it saw. */
const program = (from: string, url: string) => `
import { createClient, DirectoryError } from ${JSON.stringify(from)}
const directory = createClient({ url: ${JSON.stringify(url)} })
const ids = []
for await (const { id } of directory.all({ limit: 7 })) ids.push(id)
const sizes = []
for await (const page of directory.pages({ category: 'weather', limit: 4 })) sizes.push(page.length)
const exported = []
for await (const { id } of directory.export()) exported.push(id)
const { results } = (await directory.searchByIntent({ q: '天気予報', limit: 1 })).decode()
const { service } = await directory.register(${JSON.stringify(body({ category: 'tides' }))}, { key: ${JSON.stringify(KEY)} })
const [listed] = (await directory.list({ limit: 1, offset: 0 })).services.decode()
const missing = await directory.get('svc_unknown').catch(error => [error instanceof DirectoryError, error.code])
console.log(JSON.stringify({
  all: ids.length, unique: new Set(ids).size, sizes, exported: exported.length, category: results[0].service.category,
  isListed: listed.id === service.decode().id, missing,
}))`

const SEEN = {
  all: 64,
  unique: 64,
  sizes: [4, 2],
  exported: 64,
  category: 'weather',
  isListed: true,
  missing: [true, 'not_found'],
}

/** What the types promise, and what they refuse. */
const CONSUMER = `
import { type Client, createClient, DirectoryError } from 'shirube-client'
import { direct, guard, type Resolution } from 'shirube-client/guard'

const directory: Client = createClient({ url: 'http://127.0.0.1:4020' })
for await (const service of directory.all({ category: 'weather' })) {
  const price: string = service.pricing.pricePerRequest
  // @ts-expect-error a service has no such field
  service.nothing
  console.log(price)
}
// @ts-expect-error no filter has this name
directory.all({ categry: 'weather' })
const resolution: Resolution = (await directory.resolve({ url: 'https://tides.example' })).decode()
if (resolution.verdict === 'clear') console.log(direct, guard)
await directory.get('svc_unknown').catch(error => error instanceof DirectoryError && error.code === 'not_found')
`

/** The compiler runs for it. */
const BUILD_MS = 120_000

describe('The client', () => {
  let folder: string
  let client: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shirube-client-'))
    // As it is where somebody has installed it.
    client = join(folder, 'node_modules/shirube-client')
    await Bun.write(join(folder, 'package.json'), '{"type":"module"}')
    await Bun.write(join(client, 'package.json'), Bun.file(join(root, 'packages/client/package.json')))
    const build = [process.execPath, 'scripts/build-client.ts', client]
    const { exitCode } = Bun.spawnSync(build, { cwd: root, stdout: 'ignore', stderr: 'inherit' })
    expect(exitCode).toBe(0)
  }, BUILD_MS)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function run(command: readonly string[], cwd: string): Promise<unknown> {
    await using server = await openTestServer({}, { sample: true })
    const [runtime, from] = command
    const file = join(cwd, `program-${crypto.randomUUID()}.mjs`)
    await Bun.write(file, program(from!, server.url))
    try {
      const child = Bun.spawn([runtime!, file], { cwd, stdout: 'pipe', stderr: 'inherit' })
      return JSON.parse(await child.stdout.text())
    } finally {
      await rm(file)
    }
  }

  test('is built into small files without dependencies that run on Node.js and Bun', async () => {
    for (const name of ['client', 'guard']) {
      const built = Bun.file(join(client, `${name}.js`))
      expect(built.size).toBeLessThan(64 * 1024)
      const code = await built.text()
      expect(code).not.toMatch(/^import |\bBun\./m)
      // It carries the words of nothing else.
      for (const [, said] of code.matchAll(/\bsay\("(\w+)"/g)) expect(BASE).toHaveProperty(said!)
    }
    for (const runtime of ['node', process.execPath])
      expect(await run([runtime, 'shirube-client'], folder)).toEqual(SEEN)
    expect(Object.keys(await import(join(client, 'guard.js')))).toEqual(['direct', 'guard'])
  })

  test('pays with a key without a policy, which has no budget', async () => {
    await using server = await openTestServer()
    const { guard } = await import(join(client, 'guard.js'))
    let before: ((context: object) => Promise<unknown>) | undefined
    const payer = {
      onBeforePaymentCreation(hook: typeof before) {
        before = hook
      },
      ...{ onAfterPaymentCreation() {}, onPaymentCreationFailure() {}, onPaymentResponse() {} },
    }
    guard(payer, { directory: server.url, key: KEY, ask: () => true })
    const paid = { scheme: 'exact', network: 'eip155:8453', amount: '1000' }
    const [asset, payTo] = ['0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', `0x${'11'.repeat(20)}`]
    const paymentRequired = { x402Version: 2, resource: { url: 'https://tides.example/' } }
    const selectedRequirements = { ...paid, asset, payTo }
    expect(await before!({ paymentRequired, selectedRequirements })).toBeUndefined()
  })

  test.each([
    ['nodenext', 'nodenext'],
    ['preserve', 'bundler'],
  ])('has self-contained types, for modules as %s', async (module, moduleResolution) => {
    const file = join(folder, 'consumer.ts')
    await Bun.write(file, CONSUMER)
    const { exitCode, stdout } = Bun.spawnSync(
      [
        join(root, 'node_modules/.bin/tsc'),
        ...[
          '--ignoreConfig',
          '--noEmit',
          '--singleThreaded',
          '--strict',
          '--exactOptionalPropertyTypes',
          '--skipLibCheck',
          'false',
        ],
        ...['--target', 'esnext', '--types', '', '--module', module, '--moduleResolution', moduleResolution],
        file,
      ],
      { cwd: folder },
    )
    expect([stdout.toString(), exitCode]).toEqual(['', 0])
  })

  test('is a package that contains what it names, with the version of the directory', async () => {
    const manifest = await Bun.file(join(client, 'package.json')).json()
    for (const { types, default: code } of [manifest.exports['.'], manifest.exports['./guard']])
      for (const file of [types, code]) {
        expect(manifest.files).toContain(file.slice(2))
        expect(await Bun.file(join(client, file)).exists()).toBe(true)
      }
    const { version } = await Bun.file(join(root, 'package.json')).json()
    expect(manifest).toMatchObject({ name: 'shirube-client', version })
    expect(Object.keys(manifest)).not.toContainAnyValues(['private', 'dependencies', 'peerDependencies'])
  })
})
