import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createClient } from '../../../src/http/client/client.ts'
import { draft } from '../../entries.ts'
import { createDatabase } from '../../postgres.ts'
import { type Folder, openFolder } from '../shirube.ts'

const body = draft({ name: 'Tides of Japan', endpoint: 'https://tides.example/v1' })

describe('backup and copy', () => {
  let folder: Folder
  beforeAll(async () => {
    folder = await openFolder()
  })
  afterAll(() => folder[Symbol.asyncDispose]())
  const on = (database: string) => ({ DATABASE_URL: database })

  test('take everything along from a running directory, to a file and to another engine', async () => {
    await using serving = await folder.serve(['--sample'], on('sqlite:./sample.db'))
    const { stdout: key } = await folder.run(['keys', 'create', 'mine'], { env: on('sqlite:./sample.db') })
    const directory = createClient({ url: serving.url })
    await directory.register(body, { key: key.trim() })
    const saved = await folder.run(['backup', 'all.db'], { env: on('sqlite:./sample.db') })
    expect([saved.code, saved.stdout]).toEqual([0, 'Saved all.db.\n'])
    const elsewhere = await createDatabase()
    const copied = await folder.run(['copy', elsewhere], { env: on('sqlite:./sample.db') })
    expect([copied.code, copied.stdout]).toEqual([0, expect.stringMatching(/^Copied \d+ rows\.\n$/)])

    const exported = async (env: Record<string, string>) =>
      JSON.parse((await folder.run(['export'], { env })).stdout).endpoints
    for (const env of [on('sqlite:./all.db'), on(elsewhere)])
      expect(await exported(env)).toEqual(await exported(on('sqlite:./sample.db')))

    await using moved = await folder.serve([], on(elsewhere))
    const again = createClient({ url: moved.url })
    const { service } = await again.register({ ...body, name: 'After the move' }, { key: key.trim() })
    expect(service.decode().name).toBe('After the move')
  })

  test('refuse a file that exists and a database that is not empty, in one sentence', async () => {
    for (const name of ['one', 'two'])
      await folder.run(['import', '-'], { stdin: JSON.stringify(body), env: on(`sqlite:./${name}.db`) })
    for (const [args, sentence] of [
      [['backup', 'two.db'], /^A file of that name exists and was left as it is; name another\.\n$/],
      [['copy', 'sqlite:./two.db'], /^The target is not empty; name an empty database\.\n$/],
    ] as const) {
      const refused = await folder.run([...args], { env: on('sqlite:./one.db') })
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(sentence)])
    }
  })

  test('export overwrites no file unasked', async () => {
    const env = on('sqlite:./kept.db')
    const path = await folder.file('kept.ndjson', 'precious')
    const args = ['export', path]
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
})
