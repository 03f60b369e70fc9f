import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createClient } from '../../../src/http/client/client.ts'
import { draft } from '../../entries.ts'
import { type Folder, openFolder, type Serving } from '../shirube.ts'

const HOME = { DATABASE_URL: 'sqlite:./home.db' }
const PEER = { DATABASE_URL: 'sqlite:./peer.db', ALLOW_PRIVATE_ENDPOINTS: 'on' }
const body = draft({ name: 'Tides of Japan', endpoint: 'https://tides.example/v1' })

describe('sync', () => {
  let folder: Folder
  let home: Serving
  let key: string
  beforeAll(async () => {
    folder = await openFolder()
    home = await folder.serve([], HOME)
    key = (await folder.run(['keys', 'create', 'mine'], { env: HOME })).stdout.trim()
  })
  afterAll(async () => {
    await home[Symbol.asyncDispose]()
    await folder[Symbol.asyncDispose]()
  })
  const register = (name: string) => createClient({ url: home.url }).register({ ...body, name }, { key })
  const names = async (env: Record<string, string>) =>
    JSON.parse((await folder.run(['export'], { env })).stdout).endpoints.map(({ name }: typeof body) => name)

  test('copies another directory, prints what was copied, and lists the sources', async () => {
    await register('First')
    const first = await folder.run(['sync', home.url], { env: PEER })
    expect([first.code, first.stdout]).toEqual([0, `${home.url}: 1 added.\n`])
    const again = await folder.run(['sync', home.url], { env: PEER })
    expect(again.stdout).toBe(`${home.url}: nothing new.\n`)
    const listed = await folder.run(['sync', '--json'], { env: PEER })
    expect(JSON.parse(listed.stdout)).toMatchObject([{ url: home.url, kind: 'shirube', failures: 0 }])
    expect((await folder.run(['sync'], { env: PEER })).stdout).toContain(home.url)
  })

  test('is what import runs for an address', async () => {
    const env = { ...PEER, DATABASE_URL: 'sqlite:./imported.db' }
    const imported = await folder.run(['import', `${home.url}/api/export`, '--json'], { env })
    expect(imported.code).toBe(0)
    expect(JSON.parse(imported.stdout)).toMatchObject({ kind: 'export', added: 1 })
    expect(imported.stderr).toContain('1 new service has its name as description.')
  })

  test('adds a source that a running server follows by itself', async () => {
    const env = { ...PEER, DATABASE_URL: 'sqlite:./followed.db' }
    expect((await folder.run(['sync', home.url], { env })).code).toBe(0)
    const listed = await folder.run(['sync', '--json'], { env })
    expect(JSON.parse(listed.stdout)).toMatchObject([{ url: home.url, pausedAt: null }])
    expect(await names(env)).toContain('First')
  })

  test('reports in one sentence what is wrong with an address or a source', async () => {
    const nobody = await folder.run(['sync', 'http://127.0.0.1:1'], { env: PEER })
    expect([nobody.code, nobody.stderr.trim().split('\n').length]).toEqual([1, 1])
    const refused = await folder.run(['sync', home.url], { env: HOME })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('cannot be read')])
    expect((await folder.run(['sync', 'peer'], { env: PEER })).code).toBe(2)
  })
})
