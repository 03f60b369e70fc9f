import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { readSnapshot, type SnapshotOrigin } from '../../../src/catalog/snapshot/file.ts'
import { openSnapshotFile } from '../../../src/catalog/snapshot/new-file.ts'
import type { Flat, Snapshot } from '../../../src/memory/snapshot.ts'
import { temporaryPath } from '../../store/temporary-path.ts'
import { writeSnapshotFile } from '../write-snapshot.ts'

const large = Float64Array.from({ length: 700_000 }, (_, i) => i / 3)
const pieces: readonly Flat[] = [
  Uint8Array.of(1, 2, 3),
  new Int8Array(0),
  Int32Array.of(-1, 5),
  large,
  Uint16Array.of(65_535),
]

function create() {
  const state = {
    arrays: [...pieces] as Flat[],
    part: Uint32Array.of(7, 8, 9, 10),
    number: -0.5,
    numbers: [1, 2 ** 53, Number.NaN],
    texts: ['', '天気', '\ud800', 'a\n"b"', '\u0000'],
  }
  return state
}

function* serialize(state: ReturnType<typeof create>, snapshot: Snapshot): Generator<void> {
  state.arrays = state.arrays.map(array => snapshot.array(array))
  yield
  state.part = snapshot.array(state.part, 2)
  state.number = snapshot.number(state.number)
  state.numbers = snapshot.numbers(state.numbers)
  state.texts = snapshot.texts(state.texts)
}

const empty = (): ReturnType<typeof create> => ({
  arrays: pieces.map(array => new (array.constructor as new () => Flat)()),
  part: new Uint32Array(),
  number: 0,
  numbers: [],
  texts: [],
})

async function write(name: string, origin: SnapshotOrigin = { of: name }): Promise<string> {
  const path = temporaryPath(`${name}.catalog`)
  expect(await writeSnapshotFile(path, origin, snapshot => serialize(create(), snapshot))).toBe(true)
  return path
}

async function read(path: string, isWanted = (_: SnapshotOrigin): boolean => true) {
  const state = empty()
  const origin = await readSnapshot(path, isWanted, snapshot => serialize(state, snapshot))
  return { origin, state }
}

describe('a snapshot in a file', () => {
  test('returns what was written, whatever its size', async () => {
    const { origin, state } = await read(await write('same'))
    expect(origin).toEqual({ of: 'same' })
    expect(state).toEqual({ ...create(), part: Uint32Array.of(7, 8, 0, 0) })
  })

  test('is readable by its owner only, and leaves no temporary file', async () => {
    const path = await write('private')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(existsSync(`${path}.new`)).toBe(false)
  })

  test('is not read if it has another label or does not exist', async () => {
    const { origin, state } = await read(await write('other', { of: 'another' }), ({ of }) => of === 'this')
    expect(origin).toBeUndefined()
    expect(state).toEqual(empty())
    expect((await read(temporaryPath('nowhere.catalog'))).origin).toBeUndefined()
  })

  test('is not read if any single bit is wrong', async () => {
    const path = await write('damaged')
    const bytes = readFileSync(path)
    for (const at of [0, 5, 4096, 4100, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const damaged = Buffer.from(bytes)
      damaged[at]! ^= 1
      writeFileSync(path, damaged)
      const { origin, state } = await read(path, ({ of }) => of === 'damaged')
      expect([at, origin]).toEqual([at, undefined])
      expect(state).toEqual(empty())
    }
  })

  test('is not read if it is truncated', async () => {
    const path = await write('short')
    for (const size of [statSync(path).size - 1, 4096, 100, 0]) {
      truncateSync(path, size)
      expect((await read(path)).origin).toBeUndefined()
    }
  })

  test('is written by one process at a time', async () => {
    const path = await write('turns')
    {
      using _ = openSnapshotFile(path)!
      expect(await writeSnapshotFile(path, {}, snapshot => serialize(create(), snapshot))).toBe(false)
      expect((await read(path)).origin).toEqual({ of: 'turns' })
    }
    expect(existsSync(`${path}.new`)).toBe(false)
    expect(await writeSnapshotFile(path, { of: 'later' }, snapshot => serialize(create(), snapshot))).toBe(
      true,
    )
    expect((await read(path)).origin).toEqual({ of: 'later' })
  })

  test('can be written by others after its writer was killed', async () => {
    const path = await write('killed')
    const file = new URL('../../../src/catalog/snapshot/new-file.ts', import.meta.url).pathname
    const script = `const file = require(${JSON.stringify(file)}).openSnapshotFile(${JSON.stringify(path)})
      require('node:fs').writeSync(file.fd, 'half of it')
      console.log('writing')
      setInterval(() => file, 1000)`
    const writer = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
    const { value } = await writer.stdout.getReader().read()
    expect(new TextDecoder().decode(value)).toBe('writing\n')
    expect(await writeSnapshotFile(path, {}, snapshot => serialize(create(), snapshot))).toBe(false)
    writer.kill('SIGKILL')
    await writer.exited
    expect(readFileSync(`${path}.new`, 'utf8')).toBe('half of it')
    expect(await writeSnapshotFile(path, { of: 'next' }, snapshot => serialize(create(), snapshot))).toBe(
      true,
    )
    expect((await read(path)).origin).toEqual({ of: 'next' })
    expect(existsSync(`${path}.new`)).toBe(false)
  })

  test('stays unchanged if writing the next one fails', async () => {
    const path = await write('fails')
    const failing = writeSnapshotFile(path, {}, () => {
      throw new Error('no more')
    })
    await expect(failing).rejects.toThrow('no more')
    expect(existsSync(`${path}.new`)).toBe(false)
    expect((await read(path)).origin).toEqual({ of: 'fails' })
  })
})
