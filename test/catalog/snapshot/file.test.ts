import { describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { openDraft } from '../../../src/catalog/snapshot/draft.ts'
import { type ImageLabel, readImage } from '../../../src/catalog/snapshot/file.ts'
import type { Flat, Image } from '../../../src/memory/snapshot.ts'
import { temporaryPath } from '../../store/temporary-path.ts'
import { writeImage } from '../write-image.ts'

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

function* carry(state: ReturnType<typeof create>, image: Image): Generator<void> {
  state.arrays = state.arrays.map(array => image.array(array))
  yield
  state.part = image.array(state.part, 2)
  state.number = image.number(state.number)
  state.numbers = image.numbers(state.numbers)
  state.texts = image.texts(state.texts)
}

const empty = (): ReturnType<typeof create> => ({
  arrays: pieces.map(array => new (array.constructor as new () => Flat)()),
  part: new Uint32Array(),
  number: 0,
  numbers: [],
  texts: [],
})

async function write(name: string, label: ImageLabel = { of: name }): Promise<string> {
  const path = temporaryPath(`${name}.catalog`)
  expect(await writeImage(path, label, image => carry(create(), image))).toBe(true)
  return path
}

async function read(path: string, isWanted = (_: ImageLabel): boolean => true) {
  const state = empty()
  const label = await readImage(path, isWanted, image => carry(state, image))
  return { label, state }
}

describe('an image in a file', () => {
  test('gives back what was put in, small and large', async () => {
    const { label, state } = await read(await write('same'))
    expect(label).toEqual({ of: 'same' })
    expect(state).toEqual({ ...create(), part: Uint32Array.of(7, 8, 0, 0) })
  })

  test('is for its owner alone, and leaves no draft behind', async () => {
    const path = await write('private')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(existsSync(`${path}.new`)).toBe(false)
  })

  test('is not read where it is of something else, or not there', async () => {
    const { label, state } = await read(await write('other', { of: 'another' }), ({ of }) => of === 'this')
    expect(label).toBeUndefined()
    expect(state).toEqual(empty())
    expect((await read(temporaryPath('nowhere.catalog'))).label).toBeUndefined()
  })

  test('is not read where a single bit is wrong, wherever it is', async () => {
    const path = await write('damaged')
    const bytes = readFileSync(path)
    for (const at of [0, 5, 4096, 4100, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const damaged = Buffer.from(bytes)
      damaged[at]! ^= 1
      writeFileSync(path, damaged)
      const { label, state } = await read(path, ({ of }) => of === 'damaged')
      expect([at, label]).toEqual([at, undefined])
      expect(state).toEqual(empty())
    }
  })

  test('is not read where its end is missing', async () => {
    const path = await write('short')
    for (const size of [statSync(path).size - 1, 4096, 100, 0]) {
      truncateSync(path, size)
      expect((await read(path)).label).toBeUndefined()
    }
  })

  test('is written by one at a time', async () => {
    const path = await write('turns')
    {
      using _ = openDraft(path)!
      expect(await writeImage(path, {}, image => carry(create(), image))).toBe(false)
      expect((await read(path)).label).toEqual({ of: 'turns' })
    }
    expect(existsSync(`${path}.new`)).toBe(false)
    expect(await writeImage(path, { of: 'later' }, image => carry(create(), image))).toBe(true)
    expect((await read(path)).label).toEqual({ of: 'later' })
  })

  test('stands in nobody’s way when its writer is killed', async () => {
    const path = await write('killed')
    const draft = new URL('../../../src/catalog/snapshot/draft.ts', import.meta.url).pathname
    const script = `const draft = require(${JSON.stringify(draft)}).openDraft(${JSON.stringify(path)})
      require('node:fs').writeSync(draft.fd, 'half of it')
      console.log('writing')
      setInterval(() => draft, 1000)`
    const writer = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
    const { value } = await writer.stdout.getReader().read()
    expect(new TextDecoder().decode(value)).toBe('writing\n')
    expect(await writeImage(path, {}, image => carry(create(), image))).toBe(false)
    writer.kill('SIGKILL')
    await writer.exited
    expect(readFileSync(`${path}.new`, 'utf8')).toBe('half of it')
    expect(await writeImage(path, { of: 'next' }, image => carry(create(), image))).toBe(true)
    expect((await read(path)).label).toEqual({ of: 'next' })
    expect(existsSync(`${path}.new`)).toBe(false)
  })

  test('stays what it was when writing the next one fails', async () => {
    const path = await write('fails')
    const failing = writeImage(path, {}, () => {
      throw new Error('no more')
    })
    await expect(failing).rejects.toThrow('no more')
    expect(existsSync(`${path}.new`)).toBe(false)
    expect((await read(path)).label).toEqual({ of: 'fails' })
  })
})
