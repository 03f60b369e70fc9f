import { expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeStamp } from '../../../src/catalog/snapshot/code-stamp.ts'
import { temporaryPath } from '../../store/temporary-path.ts'

const root = temporaryPath('stamped')

function write(file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

test.each([
  'src/memory/arena.ts',
  'src/search/deep/postings.ts',
  'src/domain/ids.ts',
  'data/words.txt',
  'data/rows.bin',
])('a change of %s changes the stamp', file => {
  rmSync(root, { recursive: true, force: true })
  write('src/catalog/catalog.ts', 'catalog')
  const without = codeStamp(root, 'src')
  write(file, 'one')
  const one = codeStamp(root, 'src')
  write(file, 'two')
  const two = codeStamp(root, 'src')
  expect(new Set([without, one, two]).size).toBe(3)
  write(file, 'one')
  expect(codeStamp(root, 'src')).toBe(one)
})

test('files that do not affect the catalog do not change the stamp', () => {
  rmSync(root, { recursive: true, force: true })
  write('src/catalog/catalog.ts', 'catalog')
  const stamp = codeStamp(root, 'src')
  write('src/http/server.ts', 'server')
  write('README.md', 'words')
  expect(codeStamp(root, 'src')).toBe(stamp)
})

test('for a built package, every chunk counts, and its source does not', () => {
  rmSync(root, { recursive: true, force: true })
  write('dist/chunks/main-1.js', 'catalog and others')
  const stamp = codeStamp(root, 'dist')
  write('src/catalog/catalog.ts', 'catalog')
  expect(codeStamp(root, 'dist')).toBe(stamp)
  write('dist/chunks/store-2.js', 'store')
  expect(codeStamp(root, 'dist')).not.toBe(stamp)
})
