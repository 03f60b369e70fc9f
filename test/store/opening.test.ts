// Opening a store never damages an existing file.
import { constants, Database } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { SCHEMA_VERSION } from '../../src/store/schema.ts'
import { openSqliteFile, openSqliteMemory } from '../../src/store/sqlite/open.ts'
import { entry } from '../entries.ts'
import { temporaryPath } from './temporary-path.ts'

const open = (path: string) => openStore(`sqlite:${path}`, { clock: systemClock })

/** A closed database of ours with some thousand entries. */
async function keptDatabase(): Promise<string> {
  const path = temporaryPath('store.db')
  await using store = await open(path)
  await store.insert(Array.from({ length: 2_000 }, () => entry()))
  return path
}

function alter(path: string, sql: string): void {
  const db = new Database(path)
  db.run(sql)
  db.close(true)
}

/** Expects one sentence, and the file as it was. */
async function expectRefused(path: string, sentence: RegExp): Promise<void> {
  const before = readFileSync(path)
  const refusal = await open(path).then(
    () => undefined,
    error => error,
  )
  expect(refusal).toMatchObject({ code: 'store_unavailable' })
  expect(refusal.message).toMatch(sentence)
  expect(refusal.message).toMatch(/^The database \S+ [^.]+\.$/)
  expect(readFileSync(path).equals(before)).toBe(true)
}

describe('the address of a database', () => {
  test('creates the folder of its file', async () => {
    const path = temporaryPath('a', 'folder', 'of its own', 'store.db')
    await using store = await open(path)
    await store.insert([entry()])
    expect(existsSync(path)).toBe(true)
  })

  test('may be written with slashes after the scheme', async () => {
    const path = temporaryPath('store.db')
    await using store = await openStore(`sqlite://${path}`, { clock: systemClock })
    await store.lastSeq()
    expect(existsSync(path)).toBe(true)
  })

  test.each([
    'postgres:secret',
    'postgres://user:secret@db.example',
    'mysql:secret',
    'secret.db',
    '',
    'sqlite:',
    'sqlite: ',
  ])('%p is refused with the supported forms, without repeating it', async url => {
    const refusal = await openStore(url, { clock: systemClock }).then(
      () => undefined,
      error => error,
    )
    expect(refusal).toMatchObject({ code: 'store_unavailable' })
    expect(refusal.message).toMatch(/use sqlite:<path of a file>, |write postgres:\/\/<user>/)
    expect(refusal.message).not.toContain('secret')
  })
})

describe('a start refuses and changes nothing', () => {
  test('on an empty file', async () => {
    const path = temporaryPath('store.db')
    writeFileSync(path, '')
    await expectRefused(path, /is empty; restore a backup, or remove the file to begin with a new one/)
  })

  test('on a database that was truncated to nothing', async () => {
    const path = await keptDatabase()
    truncateSync(path, 0)
    await expectRefused(path, /is empty; restore a backup/)
  })

  test('if the write-ahead log exists without its database', async () => {
    const path = temporaryPath('store.db')
    writeFileSync(`${path}-wal`, 'what was written last')
    await expect(open(path)).rejects.toThrow(/is not there, but its log is/)
    expect(readFileSync(`${path}-wal`, 'utf8')).toBe('what was written last')
    expect(existsSync(path)).toBe(false)
  })

  test('on a file that is not a database', async () => {
    const path = temporaryPath('store.db')
    writeFileSync(path, 'Dear diary, '.repeat(100))
    await expectRefused(path, /is not a database/)
    expect(readdirSync(dirname(path))).toEqual(['store.db'])
  })

  test('on the database of another program', async () => {
    const path = temporaryPath('store.db')
    alter(path, 'CREATE TABLE songs (title TEXT)')
    await expectRefused(path, /was not made by this program/)
    expect(readdirSync(dirname(path))).toEqual(['store.db'])
  })

  test('on the database of another program with a write-ahead log', async () => {
    const path = temporaryPath('store.db')
    const db = new Database(path)
    db.run('PRAGMA journal_mode = WAL')
    db.run('CREATE TABLE songs (title TEXT)')
    await expectRefused(path, /was not made by this program/)
    db.close()
  })

  test('on a database of a newer version', async () => {
    const path = await keptDatabase()
    alter(path, 'PRAGMA user_version = 999')
    await expectRefused(path, /was written by a newer version of this program/)
    expect(readdirSync(dirname(path))).toEqual(['store.db'])
  })

  test('on a database whose newer version is only in the write-ahead log', async () => {
    const path = await keptDatabase()
    const db = new Database(path)
    db.run('PRAGMA user_version = 999')
    await expectRefused(path, /was written by a newer version of this program/)
    db.close()
  })

  test('on a database with damaged pages', async () => {
    const path = await keptDatabase()
    const bytes = readFileSync(path)
    bytes.fill(0xa5, 4096 * 20, 4096 * 60)
    writeFileSync(path, bytes)
    await expectRefused(path, /is damaged; restore it from a backup/)
  })

  test('on a truncated database', async () => {
    const path = await keptDatabase()
    truncateSync(path, 4096 * 30)
    await expectRefused(path, /is damaged; restore it from a backup/)
  })

  test('on a directory', async () => {
    const path = temporaryPath('store.db')
    mkdirSync(path)
    const refusal = open(path)
    await expect(refusal).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(refusal).rejects.toThrow(/is not a file; name a file/)
  })

  test('if its directory is a file', async () => {
    const path = temporaryPath('folder')
    writeFileSync(path, '')
    await expect(open(`${path}/store.db`)).rejects.toThrow(/cannot be opened; check the permissions/)
  })
})

test('a database of an earlier version is upgraded by one of several processes, and kept as it was', async () => {
  const path = await keptDatabase()
  const from = SCHEMA_VERSION - 2
  const finding = '{"resource":{"url":"https://weather.example/"},"payTo":null,"price":null}'
  alter(
    path,
    `CREATE TABLE forks (base_seq INTEGER); PRAGMA user_version = ${from};
     INSERT INTO judgements (service_id, facts, finding) VALUES ('svc_1', '{}', '${finding}')`,
  )
  const told: unknown[] = []
  const onUpgraded = (versions: unknown) => void told.push(versions)
  const stores = await Promise.all(
    [1, 2, 3].map(() => openStore(`sqlite:${path}`, { clock: systemClock, onUpgraded })),
  )
  await Promise.all(stores.map(store => store[Symbol.asyncDispose]()))
  const copy = join(dirname(path), 'backups', `before-version-${SCHEMA_VERSION}.db`)
  expect(told).toEqual([{ from, to: SCHEMA_VERSION, copy }])
  expect(readdirSync(dirname(copy))).toEqual([`before-version-${SCHEMA_VERSION}.db`])
  expect(statSync(copy).mode & 0o777).toBe(0o600)
  using kept = new Database(copy, { readonly: true })
  expect(kept.query('PRAGMA user_version').get()).toEqual({ user_version: from })
  using upgraded = new Database(path, { readonly: true })
  const old = "SELECT name FROM sqlite_schema WHERE name = 'forks'"
  expect([kept, upgraded].map(each => each.query(old).all().length)).toEqual([1, 0])
  expect(upgraded.query('SELECT finding FROM judgements').get()).toEqual({
    finding: finding.replace('resource', 'firstRequest'),
  })
})

describe('a new database', () => {
  test('is complete as soon as its file exists, whichever process creates it', async () => {
    const path = temporaryPath('store.db')
    const stores = await Promise.all(Array.from({ length: 8 }, () => open(path)))
    await Promise.all(stores.map(store => store.insert([entry()])))
    expect(await stores[0]!.lastSeq()).toBe(8)
    await Promise.all(stores.map(store => store[Symbol.asyncDispose]()))
    expect(readdirSync(dirname(path))).toEqual(['store.db'])
  })

  test('has the same tables in memory and in a file', async () => {
    const schemaOf = (db: Database) =>
      db.query('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()
    using memory = openSqliteMemory()
    using file = await openSqliteFile(temporaryPath('store.db'), { clock: systemClock })
    expect(schemaOf(file)).toEqual(schemaOf(memory))
    expect(file.query('PRAGMA user_version').get()).toEqual({ user_version: SCHEMA_VERSION })
  })

  test('may grow beyond a gigabyte in memory', () => {
    using db = openSqliteMemory()
    const limit = BigInt64Array.of(-1n)
    db.fileControl(constants.SQLITE_FCNTL_SIZE_LIMIT, limit)
    expect(limit[0]).toBeGreaterThan(2n ** 40n)
  })

  test('is not created by a process that joins others', async () => {
    const path = temporaryPath('store.db')
    const joining = openStore(`sqlite:${path}`, { clock: systemClock, mustExist: true })
    await expect(joining).rejects.toMatchObject({ code: 'store_unavailable' })
    await expect(joining).rejects.toThrow(/is not there any more; put it back/)
    expect(readdirSync(dirname(path))).toEqual([])
  })
})

describe.skipIf(process.platform === 'win32')('no other user of the machine', () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  const files = (path: string) => readdirSync(dirname(path)).map(name => join(dirname(path), name))

  test('may read a database, its log or the directory created for it', async () => {
    const path = temporaryPath('folder', 'store.db')
    await using store = await open(path)
    await store.insert([entry()])
    expect(files(path)).toHaveLength(3)
    expect(files(path).map(modeOf)).toEqual(['600', '600', '600'])
    expect(modeOf(dirname(path))).toBe('700')
  })

  test('may read a world-readable database after its next start, while group permissions are kept', async () => {
    const path = temporaryPath('store.db')
    for (const [before, after] of [
      [0o644, '600'],
      [0o660, '660'],
    ] as const) {
      {
        await using store = await open(path)
        await store.insert([entry()])
      }
      chmodSync(path, before)
      await using store = await open(path)
      await store.insert([entry()])
      expect(files(path).map(modeOf)).toEqual([after, after, after])
    }
  })
})

test('a database of an unreleased build is refused', async () => {
  const path = await keptDatabase()
  alter(path, 'PRAGMA user_version = 33')
  await expectRefused(path, /export its services with that build, and import them into a new database/)
})

test('a closed database is one file, without a log', async () => {
  const path = await keptDatabase()
  expect(readdirSync(dirname(path))).toEqual(['store.db'])
})

test('a commit waits until it is on disk', async () => {
  using db = await openSqliteFile(temporaryPath('store.db'), { clock: systemClock })
  expect(db.query('PRAGMA journal_mode').values()).toEqual([['wal']])
  expect(db.query('PRAGMA synchronous').values()).toEqual([[2]])
})
