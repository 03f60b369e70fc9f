import { expect, test } from 'bun:test'
import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../src/runtime/clock.ts'
import { openStore } from '../../src/store/open.ts'
import { type Folder, openFolder } from './shirube.ts'

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

test('the runtime gets memory settings, unless an operator has set them', () => {
  expect(toldWith({})).toEqual(TOLD)
  const others = { BUN_JSC_largeHeapGrowthFactor: '1.5', MIMALLOC_ALLOW_THP: '0' }
  expect(toldWith(others)).toEqual({ ...TOLD, ...others })
})

/** Which of the settings reach a server that is started in a folder, as the system tells of the process. */
async function toldToServer(folder: Folder, env: Record<string, string> = {}): Promise<string[]> {
  const untold = Object.fromEntries(Object.keys(TOLD).map(name => [name, undefined]))
  const { cmd, ...options } = folder.command(['serve', '--port', '0'], env)
  const child = Bun.spawn(cmd, {
    ...options,
    env: { ...options.env, ...untold },
    stdout: 'pipe',
    stderr: 'ignore',
  })
  await child.stdout.getReader().read()
  const [inner = ''] = (await Bun.file(`/proc/${child.pid}/task/${child.pid}/children`).text()).split(' ')
  const server = inner === '' ? child.pid : Number(inner)
  const settings = (await Bun.file(`/proc/${server}/environ`).text())
    .split('\0')
    .map(each => each.split('=')[0]!)
  child.kill('SIGINT')
  await child.exited
  return Object.keys(TOLD).filter(name => settings.includes(name))
}

test.if(process.platform === 'linux')(
  'settings that help only a large catalog are not set for a small one',
  async () => {
    await using folder = await openFolder()
    expect(await toldToServer(folder)).toEqual([])
    const large = join(folder.path, 'large.db')
    await using _ = await openStore(`sqlite:${large}`, { clock: systemClock })
    truncateSync(large, 17 * 1024 * 1024)
    await folder.file('.env', `DATABASE_URL="sqlite:${large}"\n`)
    expect(await toldToServer(folder)).toEqual(Object.keys(TOLD))
    expect(await toldToServer(folder, { DATABASE_URL: 'sqlite:./small.db' })).toEqual([])
  },
)

test('a launched command has the same output and exit code as without the launcher', async () => {
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
