// The nightly export, through a whole directory whose nights the test makes.
import { expect, test } from 'bun:test'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { draft } from '../entries.ts'
import { openTestServer } from '../http/directory-server.ts'
import { ManualClock } from '../store/manual-clock.ts'
import { temporaryPath } from '../store/temporary-path.ts'

const DAY_MS = 86_400_000

/** What is written in the background is written soon. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise(resolve => setImmediate(resolve))
}

const filesIn = async (folder: string) =>
  // The lock is a database, with a journal while it is held.
  (await readdir(folder).catch(() => [])).filter(name => !name.startsWith('.lock')).sort()

const unpacked = async (path: string) =>
  new TextDecoder()
    .decode(Bun.zstdDecompressSync(await readFile(path)))
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))

test('the whole catalog is written every night, a limited number of files is kept, and no other file is touched', async () => {
  const clock = new ManualClock('2026-11-01T23:30:00.000Z')
  const folder = temporaryPath('open')
  await using server = await openTestServer({ EXPORT_FOLDER: folder, EXPORT_KEEP: '2' }, { clock })
  await until(async () => (await filesIn(folder)).includes('catalog-2026-11-01.ndjson.zst'))
  await writeFile(join(folder, 'notes.txt'), 'mine')
  expect(await unpacked(join(folder, 'catalog-2026-11-01.ndjson.zst'))).toEqual([])

  const { id } = await (await server.register(draft())).json()
  for (const day of ['02', '03', '04']) {
    clock.advance(day === '02' ? 30 * 60_000 : DAY_MS)
    await until(async () => (await filesIn(folder)).includes(`catalog-2026-11-${day}.ndjson.zst`))
    await until(async () => (await server.json('/readyz')).nightlyExport?.file.includes(`11-${day}`))
  }
  await until(async () => (await filesIn(folder)).length === 3)
  expect(await filesIn(folder)).toEqual([
    'catalog-2026-11-03.ndjson.zst',
    'catalog-2026-11-04.ndjson.zst',
    'notes.txt',
  ])
  const newest = join(folder, 'catalog-2026-11-04.ndjson.zst')
  expect(await unpacked(newest)).toEqual([await server.json(`/api/services/${id}`)])
  const { bytes } = (await server.json('/readyz')).nightlyExport
  expect(bytes).toBe((await readFile(newest)).length)
  expect(await (await server.get('/status')).text()).toContain('Nightly export')
  expect(await (await server.get('/status?lang=ja')).text()).toContain('夜間エクスポート')
})

test('an existing file is not rewritten, but an incomplete one of a dead process is', async () => {
  const clock = new ManualClock('2026-11-01T12:00:00.000Z')
  const folder = temporaryPath('open')
  await mkdir(folder)
  const path = join(folder, 'catalog-2026-11-01.ndjson.zst')
  await writeFile(path, 'whole')
  await writeFile(join(folder, 'catalog-2026-11-02.ndjson.zst.part'), 'half')
  await using server = await openTestServer({ EXPORT_FOLDER: folder }, { clock })
  await until(async () => (await server.json('/readyz')).nightlyExport !== null)
  expect(await readFile(path, 'utf8')).toBe('whole')
  clock.advance(DAY_MS)
  await until(async () => (await server.json('/readyz')).nightlyExport.file.includes('11-02'))
  expect(await filesIn(folder)).toEqual(['catalog-2026-11-01.ndjson.zst', 'catalog-2026-11-02.ndjson.zst'])
})

test('a folder that cannot be written is logged, and the directory continues to serve', async () => {
  const lines: string[] = []
  const file = temporaryPath('file')
  await writeFile(file, '')
  const clock = new ManualClock()
  await using server = await openTestServer(
    { EXPORT_FOLDER: join(file, 'open'), LOG_LEVEL: 'warn' },
    { clock, log: text => void lines.push(text) },
  )
  await until(async () => {
    // Lines are written in batches.
    clock.advance(1_000)
    return lines.some(line => line.includes('the nightly export could not be written'))
  })
  expect((await server.json('/readyz')).nightlyExport).toBeNull()
})
