// The package as others get it: packed, installed into a project of theirs, and started from there.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { SETTING_DEFAULTS } from '../../src/app/config.ts'

const ROOT = join(import.meta.dir, '../..')
const PATIENCE_MS = 200_000
type Manifest = { readonly version: string; readonly dependencies: Readonly<Record<string, string>> }
const manifest = (await Bun.file(join(ROOT, 'package.json')).json()) as Manifest

describe('the package', () => {
  let folder: string
  let files: readonly string[]

  /** As npm lays it out: what the package needs lies beside it, not inside. */
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'shirube-package-')))
    const pack = ['npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder]
    const [packed] = JSON.parse(run(pack, ROOT)) as [{ filename: string; files: { path: string }[] }]
    files = packed.files.map(({ path }) => path)
    const place = join(folder, 'node_modules/shirube')
    await Bun.write(join(place, '.keep'), '')
    run(['tar', 'xzf', join(folder, packed.filename), '--strip-components=1', '-C', place], folder)
    for (const name of Object.keys(manifest.dependencies)) {
      await Bun.write(join(dirname(join(folder, 'node_modules', name)), '.keep'), '')
      await symlink(await realpath(join(ROOT, 'node_modules', name)), join(folder, 'node_modules', name))
    }
  }, PATIENCE_MS)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const environment = () => ({
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in SETTING_DEFAULTS))),
    PROBE: 'off',
    LOG_LEVEL: 'warn',
  })

  function run(cmd: readonly string[], cwd: string): string {
    const { exitCode, stdout, stderr } = Bun.spawnSync([...cmd], { cwd, env: environment() })
    if (exitCode !== 0) throw new Error(`${cmd.join(' ')} ended with ${exitCode}: ${stderr}`)
    return stdout.toString()
  }

  test.each(['node', process.execPath])('runs where %s starts it, with Bun beside it', runtime => {
    const launcher = join(folder, 'node_modules/shirube/bin/shirube.mjs')
    expect(run([runtime, launcher, '--version'], folder)).toBe(`${manifest.version}\n`)
  })

  test('serves its sample catalog from there', async () => {
    const launcher = join(folder, 'node_modules/shirube/bin/shirube.mjs')
    await using child = Bun.spawn(['node', launcher, 'serve', '--port', '0', '--sample'], {
      cwd: folder,
      env: environment(),
      stdout: 'pipe',
      stderr: 'inherit',
      timeout: PATIENCE_MS,
    })
    let said = ''
    for await (const bytes of child.stdout) {
      said += new TextDecoder().decode(bytes)
      if (said.includes('\n')) break
    }
    const url = /listening: (\S+)/.exec(said)?.[1]
    while (!(await fetch(`${url}/readyz`)).ok) await Bun.sleep(10)
    expect((await fetch(`${url}/api/services`)).headers.get('x-total-count')).toBe('64')
    expect((await fetch(`${url}/style.css`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await child.exited).toBe(0)
  })

  test('holds what runs and what tells about it, and nothing else', () => {
    for (const path of ['LICENSE', 'README.md', 'bin/shirube.mjs', 'data/embedding.bin', 'data/NOTICE'])
      expect(files).toContain(path)
    const known = /^(bin|data|dist|docs|src)\/|^(package\.json|openapi\.json|[A-Z]+(\.md)?)$/
    expect(files.filter(path => !known.test(path) || /\.(db|test\.ts)/.test(path))).toEqual([])
  })
})

test('nothing but bin, dependencies and scripts that are there is promised', async () => {
  const { exports, bin } = (await Bun.file(join(ROOT, 'package.json')).json()) as {
    exports: Record<string, string | Record<string, string>>
    bin: Record<string, string>
  }
  const named = Object.values(exports).flatMap(each =>
    typeof each === 'string' ? each : Object.values(each),
  )
  // What is built is there when it is packed: the build of the client has its own test.
  for (const path of [...named, ...Object.values(bin)].filter(path => !path.startsWith('./dist/')))
    expect(await Bun.file(join(ROOT, path)).exists()).toBe(true)
})
