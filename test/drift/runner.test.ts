// What all tests share and fails is said once, in one line, and fails once.
import { expect, test } from 'bun:test'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Folder, Serving } from '../cli/shirube.ts'
import { createRunner } from './run-document.ts'

const ROOT = join(import.meta.dir, '../..')

async function runTests(file: string, changed: Readonly<Record<string, string>>): Promise<string[]> {
  const { SHIRUBE_TEST_POSTGRES: _, ...inherited } = process.env
  const run = Bun.spawn([process.execPath, 'scripts/test.ts', file], {
    cwd: ROOT,
    env: { ...inherited, ...changed },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  const text = await run.stdout.text()
  expect(await run.exited).toBe(1)
  return text.trimEnd().split('\n').slice(-2)
}

test('a temporary folder that is not there', async () => {
  const [reason, sum] = await runTests('test/domain/text', { TMPDIR: '/nowhere/at/all' })
  expect(reason).toStartWith('The temporary folder /nowhere/at/all cannot be used:')
  expect(sum).toBe('0 passed, 1 failed')
})

test('a PostgreSQL that does not start', async () => {
  // Its sockets lie there too, and their paths may not be so long.
  const base = await mkdtemp(join(tmpdir(), 'shirube-runner-'))
  const folder = join(base, 'x'.repeat(100))
  await mkdir(folder)
  await Bun.$`chmod -R 777 ${base}`
  const [reason, sum] = await runTests('test/store/postgres-trouble.test.ts', { TMPDIR: folder })
  expect(reason).toStartWith('PostgreSQL does not start:')
  expect(sum).toBe('0 passed, 1 failed')
  await rm(base, { recursive: true, force: true })
})

test('a browser that does not start', async () => {
  const [reason, sum] = await runTests('test/web/layout.test.ts', { SHIRUBE_TEST_CHROMIUM: '/bin/false' })
  expect(reason).toStartWith('Chromium does not start:')
  expect(sum).toBe('0 passed, 1 failed')
})

test('a directory whose port contains the digits of another is asked at its own', async () => {
  const serving = { url: 'http://127.0.0.1:40213', stdout: () => '' } as Serving
  const { adapt } = createRunner({ serving, folder: { path: '/tmp' } as Folder })
  expect(await adapt('curl http://127.0.0.1:4020/api/export')).toBe('curl http://127.0.0.1:40213/api/export')
})
