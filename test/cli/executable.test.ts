// The directory as one executable: everything that it reads is embedded.
import { afterAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '../../src/package/version.ts'

const root = join(import.meta.dir, '../..')
const folder = await mkdtemp(join(tmpdir(), 'shirube-executable-'))
const executable = join(folder, 'shirube')
afterAll(() => rm(folder, { recursive: true, force: true }))

const options = {
  cwd: folder,
  env: { PATH: '/usr/bin:/bin', PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent' },
  stdout: 'pipe',
  stderr: 'pipe',
} as const

test('one executable serves the sample, pages and searches, in several processes too, and writes backups', async () => {
  Bun.spawnSync([process.execPath, 'scripts/build-binary.ts', executable], { cwd: root })
  const run = (...args: string[]) => Bun.spawnSync([executable, ...args], options).stdout.toString()
  expect(run('--version')).toBe(`${VERSION}\n`)
  for (const args of [[], ['--workers', '1']]) {
    const serving = Bun.spawn([executable, 'serve', '--sample', ...args], options)
    let text = ''
    for await (const chunk of serving.stdout.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes('\n')) break
    }
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(text) ?? []
    while ((await fetch(`${url}/readyz`)).status !== 200) await Bun.sleep(20)
    for (const path of ['/', '/style.css', '/picture.png', '/docs'])
      expect([path, (await fetch(url + path)).status]).toEqual([path, 200])
    const answer = await fetch(`${url}/api/services/search/intent?q=${encodeURIComponent('天気予報')}`)
    const { results } = (await answer.json()) as { results: [{ service: { category: string } }] }
    expect(results[0].service.category).toBe('weather')
    serving.kill('SIGINT')
    await serving.exited
  }
  expect(run('keys', 'create', 'mine')).toStartWith('shb_')
  run('backup', 'copy.db')
  expect(await Bun.file(join(folder, 'copy.db')).exists()).toBe(true)
})
