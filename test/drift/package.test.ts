// The package as others get it: packed, installed into a project of theirs, and every door of it tried from there, with
// nothing but its dependencies beside it.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { MAX_ON_SERVING_THREAD } from '../../src/app/probing/thread.ts'
import { BASE } from '../../src/messages/base.ts'
import { openWorld } from '../calling/world.ts'
import { type Folder, openFolder, type Serving } from '../cli/shirube.ts'
import { draft } from '../entries.ts'
import { body, KEY, openTestServer } from '../http/directory-server.ts'
import { connectOverHttp } from '../mcp/connect.ts'
import { installPacked, type Packed } from '../packed.ts'
import { createDatabase } from '../postgres.ts'

const ROOT = join(import.meta.dir, '../..')
const PATIENCE_MS = 200_000
const { version } = await Bun.file(join(ROOT, 'package.json')).json()

/** What a program does with the client; it prints what it saw. */
const program = (url: string) => `
import { createClient, DirectoryError } from 'shirube-client'
const directory = createClient({ url: ${JSON.stringify(url)} })
const ids = []
for (const offset of [0, 50]) {
  const page = await directory.list({ limit: 50, offset })
  for (const { id } of page.services.decode()) ids.push(id)
}
const exported = []
for await (const { id } of directory.export()) exported.push(id)
const { results } = (await directory.searchByIntent({ q: '天気予報', limit: 1 })).decode()
const { service } = await directory.register(${JSON.stringify(body({ category: 'tides' }))}, { key: ${JSON.stringify(KEY)} })
const [listed] = (await directory.list({ limit: 1, offset: 0 })).services.decode()
const missing = await directory.get('svc_unknown').catch(error => [error instanceof DirectoryError, error.code])
console.log(JSON.stringify({
  all: ids.length, unique: new Set(ids).size, exported: exported.length, category: results[0].service.category,
  isListed: listed.id === service.decode().id, missing,
}))`

const SEEN = {
  all: 64,
  unique: 64,
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
for (const service of (await directory.list({ category: 'weather', limit: 20, offset: 0 })).services.decode()) {
  const price: string = service.pricing.pricePerRequest
  // @ts-expect-error a service has no such field
  service.nothing
  console.log(price)
}
// @ts-expect-error no filter has this name
directory.list({ categry: 'weather', limit: 20, offset: 0 })
const resolution: Resolution = (await directory.resolve({ url: 'https://tides.example' })).decode()
if (resolution.verdict === 'clear') console.log(direct, guard)
await directory.get('svc_unknown').catch(error => error instanceof DirectoryError && error.code === 'not_found')
`

let place: string
let folder: Folder
let packed: Packed
let launcher: string
let main: string
beforeAll(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'shirube-package-')))
  folder = await openFolder()
  packed = await installPacked(place)
  launcher = join(packed.place, 'bin/shirube.mjs')
  main = join(packed.place, 'src/cli/main.ts')
}, PATIENCE_MS)
afterAll(async () => {
  await folder[Symbol.asyncDispose]()
  await rm(place, { recursive: true, force: true })
})

const run = (args: readonly string[], env: Record<string, string> = {}) => folder.run(args, { env, main })

describe('the installed package', () => {
  test('contains the program, its documents and notices, and nothing else', () => {
    const needed = 'LICENSE README.md .env.example shirube.service data/embedding.bin data/NOTICE'.split(' ')
    for (const path of [...needed, 'bin/shirube.mjs', 'dist/client.js', 'dist/guard.d.ts', 'src/cli/main.ts'])
      expect(packed.files).toContain(path)
    const known =
      /^(bin|data|dist|docs|src)\/|^(package\.json|openapi\.json|shirube\.service|\.env\.example|[A-Z]+(\.ja)?(\.md)?)$/
    expect(packed.files.filter(path => !known.test(path) || /\.db/.test(path))).toEqual([])
  })

  test('has no dead link in its documents', async () => {
    for (const path of packed.files.filter(each => each.endsWith('.md') && !each.startsWith('src/'))) {
      const text = await Bun.file(join(packed.place, path)).text()
      for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g))
        expect([path, target, packed.files]).toEqual([
          path,
          target,
          expect.arrayContaining([join(path, '..', target!)]),
        ])
    }
  })

  test.each(['node', process.execPath])('runs where %s starts it, with Bun beside it', runtime => {
    const { stdout } = Bun.spawnSync([runtime, launcher, '--version'], { cwd: folder.path })
    expect(stdout.toString()).toBe(`${version}\n`)
  })
})

describe('a sample catalog', () => {
  let server: Serving
  beforeAll(async () => {
    const env = { DATABASE_URL: 'sqlite:sample.db', PUBLIC_URL: 'https://directory.example' }
    server = await folder.serve(['--sample'], env, launcher)
  }, PATIENCE_MS)
  afterAll(() => server[Symbol.asyncDispose]())

  const get = (path: string) => fetch(server.url + path)
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const said = (await answer.json()) as Record<string, string>
    expect(said).not.toHaveProperty('code')
    return said
  }

  test('is served, and its reader learns how to start a real one', async () => {
    expect((await get('/api/services')).headers.get('x-total-count')).toBe('72')
    expect(server.stdout()).toContain(': npx shirube sync PayAI')
  })

  test.each(['weather forecast', '天気予報'])('is searched by %s', async sentence => {
    const answer = await get(`/api/services/search/intent?limit=1&q=${encodeURIComponent(sentence)}`)
    const { results } = (await answer.json()) as { results: [{ service: { category: string } }] }
    expect(results[0].service.category).toBe('weather')
  })

  test('has pages in both languages, with their assets', async () => {
    const paths = '/?q=weather /?lang=ja /docs /style.css /script.js /wallet.js /favicon.ico'.split(' ')
    for (const path of [...paths, '/picture.png', '/openapi.json'])
      expect([path, (await get(path)).status]).toEqual([path, 200])
  })

  test('answers agents over MCP', async () => {
    await using client = await connectOverHttp(server.url)
    expect(client.getServerVersion()).toMatchObject({ name: 'shirube', version })
    const { isError } = await client.callTool({ name: 'list_categories', arguments: {} })
    expect(isError).not.toBe(true)
  })

  test('lets a wallet sign in by its signature', async () => {
    const wallet = privateKeyToAccount(generatePrivateKey())
    const asked = { address: wallet.address, network: 'base' }
    const { message } = await post('/api/auth/challenge', asked)
    const signature = await wallet.signMessage({ message: message! })
    expect(await post('/api/auth/keys', { message, signature })).toHaveProperty('key')
  })

  test('is read by the client on Node.js', () => {
    const program = `import { createClient } from 'shirube/client'
      const { services } = await createClient({ url: '${server.url}' }).list({ limit: 3 })
      console.log(services.decode().length)`
    const { stdout } = Bun.spawnSync(['node', '--input-type=module', '-e', program], { cwd: packed.place })
    expect(stdout.toString()).toBe('3\n')
  })

  test('is exported and imported into another, also of PostgreSQL', async () => {
    const from = { DATABASE_URL: 'sqlite:sample.db' }
    expect(await run(['export', 'all.ndjson'], from)).toMatchObject({ code: 0 })
    // The merchants of the sample are on loopback.
    const into = { DATABASE_URL: await createDatabase(), ALLOW_PRIVATE_ENDPOINTS: 'on' }
    expect(await run(['import', 'all.ndjson'], into)).toMatchObject({ code: 0 })
    const { stdout } = await run(['list', '--json', '--limit', '1'], { ...into, SHIRUBE_URL: server.url })
    expect(JSON.parse(stdout)).toHaveLength(1)
    const { stdout: again } = await run(['export'], into)
    expect(JSON.parse(again).endpoints).toHaveLength(72)
  })
})

// What nobody listens to is asked, on this machine alone.
test(
  'workers and the thread that probes start from there',
  async () => {
    const lines = Array.from({ length: MAX_ON_SERVING_THREAD + 1 }, (_, i) =>
      JSON.stringify(draft({ name: `Service ${i}`, endpoint: `http://127.0.0.1:9/${i}` })),
    )
    await folder.file('many.ndjson', lines.join('\n'))
    const env = { DATABASE_URL: 'sqlite:many.db', ALLOW_PRIVATE_ENDPOINTS: 'on' }
    expect(await run(['import', 'many.ndjson'], env)).toMatchObject({ code: 0, stderr: '' })
    await using server = await folder.serve(['--workers', '1'], { ...env, PROBE: 'on' }, launcher)
    const isProbed = async () => {
      const answer = await fetch(`${server.url}/readyz`)
      const { probing } = (await answer.json()) as { probing: { by: string } }
      return probing.by === 'this'
    }
    while (!(await isProbed())) await Bun.sleep(20)
    server.signal('SIGTERM')
    expect(await server.exited).toBe(0)
    expect(server.stderr()).not.toContain('probing ended')
  },
  PATIENCE_MS,
)

test(
  'a call is paid from there once the package that pays is installed',
  async () => {
    await using world = await openWorld(9, [{ name: 'City Weather' }])
    const input = ['--input', '{"city":"Kyoto","days":2}']
    const pay = () => run(['call', world.ids[0]!, '--pay', '--yes', '--json', ...input], world.env('packed'))
    expect(await pay()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('need the package shirube-buyer'),
    })
    await packed.addBuyer()
    const { code, stdout, stderr } = await pay()
    expect([code, stderr]).toEqual([0, expect.stringContaining('Signs ')])
    expect(JSON.parse(stdout)).toMatchObject({ receipt: { outcome: 'delivered' } })
    expect(await world.paidOnChain()).toBe(2_000)
  },
  PATIENCE_MS,
)

describe('the manifests', () => {
  test('name only existing files', async () => {
    const { exports, bin } = (await Bun.file(join(packed.place, 'package.json')).json()) as {
      exports: Record<string, string | Record<string, string>>
      bin: Record<string, string>
    }
    const named = Object.values(exports).flatMap(each =>
      typeof each === 'string' ? each : Object.values(each),
    )
    for (const path of [...named.filter(path => !path.includes('*')), ...Object.values(bin)])
      expect([path, await Bun.file(join(packed.place, path)).exists()]).toEqual([path, true])
  })

  test('name one version of each library', async () => {
    const { dependencies } = await Bun.file(join(ROOT, 'package.json')).json()
    const buyer = await Bun.file(join(ROOT, 'packages/buyer/package.json')).json()
    expect(buyer.version).toBe(version)
    for (const name of Object.keys(buyer.dependencies).filter(name => name in dependencies))
      expect([name, buyer.dependencies[name]]).toEqual([name, dependencies[name]])
  })
})

describe('the package of the client', () => {
  let project: string
  let client: string
  beforeAll(async () => {
    // As it is where somebody has installed it: both packages have the same files built.
    project = join(place, 'reader')
    client = join(project, 'node_modules/shirube-client')
    await Bun.write(join(project, 'package.json'), '{"type":"module"}')
    await Bun.write(join(client, 'package.json'), Bun.file(join(ROOT, 'packages/client/package.json')))
    await cp(join(packed.place, 'dist'), client, { recursive: true })
  })

  async function runProgram(runtime: string): Promise<unknown> {
    await using server = await openTestServer({}, { sample: true })
    const file = join(project, 'program.mjs')
    await Bun.write(file, program(server.url))
    const child = Bun.spawn([runtime, file], { cwd: project, stdout: 'pipe', stderr: 'inherit' })
    return JSON.parse(await child.stdout.text())
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
    for (const runtime of ['node', process.execPath]) expect(await runProgram(runtime)).toEqual(SEEN)
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
    const file = join(project, 'consumer.ts')
    await Bun.write(file, CONSUMER)
    const { exitCode, stdout } = Bun.spawnSync(
      [
        join(ROOT, 'node_modules/.bin/tsc'),
        ...['--ignoreConfig', '--noEmit', '--singleThreaded', '--strict', '--exactOptionalPropertyTypes'],
        ...['--skipLibCheck', 'false', '--target', 'esnext', '--types', ''],
        ...['--module', module, '--moduleResolution', moduleResolution, file],
      ],
      { cwd: project },
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
    expect(manifest).toMatchObject({ name: 'shirube-client', version })
    expect(Object.keys(manifest)).not.toContainAnyValues(['private', 'dependencies', 'peerDependencies'])
  })
})
