import { expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { tryLock } from '../../src/runtime/file-lock.ts'
import { temporaryPath } from '../store/temporary-path.ts'

const SOURCE = fileURLToPath(import.meta.resolve('../../src/runtime/file-lock.ts'))

function isFreeForAnother(path: string): boolean {
  const script = `console.log(require(${JSON.stringify(SOURCE)}).tryLock(process.argv[1]) !== undefined)`
  return Bun.spawnSync([process.execPath, '-e', script, path]).stdout.toString().trim() === 'true'
}

test('a process that has the lock keeps it when it requests it again', () => {
  const path = temporaryPath('a.lock')
  const lock = tryLock(path)
  expect(lock).toBeDefined()
  expect(isFreeForAnother(path)).toBe(false)
  expect(tryLock(path)).toBeUndefined()
  expect(isFreeForAnother(path)).toBe(false)
  lock![Symbol.dispose]()
  expect(isFreeForAnother(path)).toBe(true)
})
