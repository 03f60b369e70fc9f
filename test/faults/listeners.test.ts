// Thousands listen while the catalog changes, and nobody misses anything.
import { expect, test } from 'bun:test'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')

test('2,000 open event streams get every event while 50 entries a second change', async () => {
  const child = Bun.spawn([process.execPath, 'bench/main.ts', 'events', '2000', '50', '3'], {
    cwd: ROOT,
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [told, wrong, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  expect([code, code === 0 ? '' : told + wrong]).toEqual([0, ''])
  expect(told).toContain('2000 streams')
  expect(told).toMatch(/[^\d]0 missing/)
})
