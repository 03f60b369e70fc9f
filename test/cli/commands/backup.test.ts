import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '../../../src/http/client/client.ts'
import { draft } from '../../entries.ts'
import { createDatabase } from '../../postgres.ts'
import { type Folder, openFolder } from '../shirube.ts'

const body = draft({ name: 'Tides of Japan', endpoint: 'https://tides.example/v1' })

describe('backup and restore', () => {
  let folder: Folder
  beforeAll(async () => {
    folder = await openFolder()
  })
  afterAll(() => folder[Symbol.asyncDispose]())
  const on = (database: string) => ({ DATABASE_URL: database })

  test('move a running directory to another engine, including its keys', async () => {
    await using serving = await folder.serve(['--sample'], on('sqlite:./served.db'))
    const { stdout: key } = await folder.run(['keys', 'create', 'mine'], { env: on('sqlite:./served.db') })
    const directory = createClient({ url: serving.url })
    await directory.register(body, { key: key.trim() })
    const saved = await folder.run(['backup', 'all.ndjson'], { env: on('sqlite:./served.db') })
    expect([saved.code, saved.stdout]).toEqual([0, expect.stringMatching(/^Saved \d+ rows\.\n$/)])
    expect((await stat(join(folder.path, 'all.ndjson'))).mode & 0o777).toBe(0o600)
    expect(await Bun.file(join(folder.path, 'all.ndjson')).text()).not.toContain(key.trim())

    const elsewhere = on(await createDatabase())
    const restored = await folder.run(['restore', 'all.ndjson'], { env: elsewhere })
    expect([restored.code, restored.stdout]).toEqual([0, saved.stdout.replace('Saved', 'Restored')])
    const exported = async (env: Record<string, string>) =>
      JSON.parse((await folder.run(['export'], { env })).stdout).endpoints
    expect(await exported(elsewhere)).toEqual(await exported(on('sqlite:./served.db')))

    await using moved = await folder.serve([], elsewhere)
    const again = createClient({ url: moved.url })
    const { service } = await again.register({ ...body, name: 'After the move' }, { key: key.trim() })
    expect(service.decode().name).toBe('After the move')
  })

  test.each(['backup', 'export'])('%s overwrites no file unasked', async command => {
    const env = on('sqlite:./kept.db')
    const path = await folder.file(`kept-${command}.ndjson`, 'precious')
    const args = [command, path]
    const refused = await folder.run(args, { env })
    expect([refused.code, refused.stderr]).toEqual([
      1,
      `${path} exists and was left as it is. --force overwrites it.\n`,
    ])
    expect(await folder.runOnTerminal(args, 200, env, 'n\n')).toContain(`${path} exists. Overwrite it? [y/N]`)
    expect(await Bun.file(path).text()).toBe('precious')
    await folder.runOnTerminal(args, 200, env, 'y\n')
    expect(await Bun.file(path).text()).not.toContain('precious')
    expect((await folder.run([...args, '--force'], { env })).code).toBe(0)
  })

  test('reject a damaged file or a non-empty store in one sentence, and change nothing', async () => {
    await folder.run(['import', '-'], { stdin: JSON.stringify(body), env: on('sqlite:./one.db') })
    await folder.run(['backup', 'one.ndjson'], { env: on('sqlite:./one.db') })
    const text = await Bun.file(join(folder.path, 'one.ndjson')).text()
    await folder.file('cut.ndjson', text.slice(0, -200))
    const cut = await folder.run(['restore', 'cut.ndjson'], { env: on('sqlite:./two.db') })
    expect([cut.code, cut.stderr.trim().split('\n').length]).toEqual([1, 1])
    expect(cut.stderr).toContain('damaged')
    const piped = await folder.run(['restore', '-'], { stdin: text, env: on('sqlite:./two.db') })
    expect([piped.code, piped.stderr]).toEqual([0, ''])
    const full = await folder.run(['restore', 'one.ndjson'], { env: on('sqlite:./two.db') })
    expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('not empty')])
  })
})
