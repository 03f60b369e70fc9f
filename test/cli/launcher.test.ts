import { expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { openFolder } from './shirube.ts'

const LAUNCHER = fileURLToPath(new URL('../../bin/bun.mjs', import.meta.url))
const TOLD = {
  BUN_JSC_forceRAMSize: '268435456',
  BUN_JSC_largeHeapGrowthFactor: '1.2',
  BUN_JSC_minEdenToOldGenerationRatio: '0.14',
  MIMALLOC_ALLOW_THP: '1',
  MIMALLOC_PURGE_DELAY: '60000',
}

/** What the runtime is told of memory. */
function toldWith(env: Record<string, string>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(([name]) => !(name in TOLD))
  const names = JSON.stringify(Object.keys(TOLD))
  const script = `console.log(JSON.stringify(${names}.map(name => [name, process.env[name]])))`
  const { stdout } = Bun.spawnSync(['node', LAUNCHER, '-e', script], {
    env: { ...Object.fromEntries(inherited), ...env },
  })
  return Object.fromEntries(JSON.parse(stdout.toString()))
}

test('the runtime is told how to keep its memory, unless an operator says otherwise', () => {
  expect(toldWith({})).toEqual(TOLD)
  const others = { BUN_JSC_largeHeapGrowthFactor: '1.5', MIMALLOC_ALLOW_THP: '0' }
  expect(toldWith(others)).toEqual({ ...TOLD, ...others })
})

test('a command that is launched says and ends as it does by itself', async () => {
  await using folder = await openFolder()
  for (const args of [['--help'], ['keys', 'create', 'one', '--scope', 'none']]) {
    const { cmd, ...options } = folder.command(args)
    const launched = Bun.spawnSync(cmd, options)
    expect({
      code: launched.exitCode,
      stdout: launched.stdout.toString(),
      stderr: launched.stderr.toString(),
    }).toEqual(await folder.run(args))
  }
})
