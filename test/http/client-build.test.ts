// The client as others get it: from the package on Bun, and built for Node.js, against a real directory.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

describe('The client', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shirube-client-'))
  })
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

  test('is imported from the package on Bun as it stands', async () => {
    // A package knows itself by its name, as those know it who install it.
    expect(await run([process.execPath, 'shirube/client'], join(root, 'tmp'))).toEqual(SEEN)
  })

  test('is built into one small file without dependencies that runs on Node.js, with its types', async () => {
    const build = Bun.spawn([process.execPath, 'scripts/build-client.ts', join(folder, 'dist')], {
      cwd: root,
      stdout: 'ignore',
      stderr: 'inherit',
    })
    expect(await build.exited).toBe(0)
    const built = Bun.file(join(folder, 'dist/client.js'))
    expect(built.size).toBeLessThan(64 * 1024)
    expect(await built.text()).not.toMatch(/^import |\bBun\./m)
    expect(await run(['node', join(folder, 'dist/client.js')], folder)).toEqual(SEEN)
    const guard = Bun.file(join(folder, 'dist/guard.js'))
    expect(guard.size).toBeLessThan(64 * 1024)
    expect(await guard.text()).not.toMatch(/^import |\bBun\./m)
    expect(Object.keys(await import(guard.name!))).toEqual(['direct', 'guard'])
    expect(await Bun.file(join(folder, 'dist/types/http/client/client.d.ts')).text()).toContain(
      'createClient',
    )
  })
})
