import { expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'

const LAUNCHER = fileURLToPath(new URL('../../bin/bun.mjs', import.meta.url))
const NAME = 'BUN_JSC_largeHeapGrowthFactor'

function growthFactor(env: Record<string, string>): string {
  const { [NAME]: _, ...inherited } = process.env
  const { stdout } = Bun.spawnSync(['node', LAUNCHER, '-e', `console.log(process.env.${NAME})`], {
    env: { ...inherited, ...env },
  })
  return stdout.toString().trim()
}

test('the runtime is told to collect garbage before it piles up, unless an operator says otherwise', () => {
  expect(growthFactor({})).toBe('1.2')
  expect(growthFactor({ [NAME]: '1.5' })).toBe('1.5')
})
