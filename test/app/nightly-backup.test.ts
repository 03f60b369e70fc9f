import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, readConfig } from '../../src/app/config.ts'
import { openDesk } from '../../src/app/on-demand.ts'
import { openApp } from '../../src/app/server.ts'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { sharedEmbedder } from '../embedder.ts'
import { draft } from '../entries.ts'
import { temporaryPath } from '../store/temporary-path.ts'

test('a directory with BACKUP_FOLDER keeps whole copies of its database for seven days, readable by its owner', async () => {
  const folder = temporaryPath('backups')
  mkdirSync(folder)
  for (let day = 10; day < 20; day++) writeFileSync(join(folder, `shirube-2020-01-${day}.db`), '')
  writeFileSync(join(folder, 'mine.db'), '')
  const settings = {
    PORT: '0',
    PROBE: 'off',
    LOG_LEVEL: 'silent',
    API_KEYS: 'key-of-the-test',
    DATABASE_URL: `sqlite:${temporaryPath('served.db')}`,
  }
  let id: string
  {
    await using app = await openApp(readConfig(settings), { embedder: sharedEmbedder() })
    await app.caughtUp
    const { service } = await app.directory.register(draft(), { key: 'key-of-the-test' })
    id = service.decode().id
  }
  const config = readConfig({ ...settings, BACKUP_FOLDER: folder })
  await using _ = await openApp(config, { embedder: sharedEmbedder() })
  const isWritten = (name: string) => /^shirube-2(?!020).*\.db$/.test(name)
  while (!readdirSync(folder).some(isWritten)) await Bun.sleep(20)
  while (readdirSync(folder).length > 8) await Bun.sleep(20)

  const names = readdirSync(folder).sort()
  expect(names.slice(0, 2)).toEqual(['mine.db', 'shirube-2020-01-14.db'])
  const file = join(folder, names.find(isWritten)!)
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  await using copy = await openStore(`sqlite:${file}`, { clock: systemClock })
  expect((await copy.find(id))?.entry.name).toBe(draft().name)
})

test('a database server has backups of its own', () => {
  const settings = { BACKUP_FOLDER: '/backups', DATABASE_URL: 'postgres://me@host/db' }
  expect(() => readConfig(settings)).toThrow(ConfigError)
  expect(() => readConfig(settings)).toThrow(/^BACKUP_FOLDER .* pg_dump/)
})

test('a backup that is removed while they are listed is left out', async () => {
  const folder = temporaryPath('listed')
  mkdirSync(folder)
  writeFileSync(join(folder, 'kept.db'), 'x')
  symlinkSync(join(folder, 'removed'), join(folder, 'gone.db'))
  await using store = await openStore('sqlite::memory:', { clock: systemClock })
  const desk = openDesk(readConfig({ BACKUP_FOLDER: folder }), store, systemClock)
  const { files } = await desk.backups()
  expect(files.filter(({ file }) => file.startsWith(folder))).toMatchObject([{ bytes: 1 }])
})
