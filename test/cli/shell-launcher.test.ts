// bin/shirube, the launcher that needs no Node.js: it finds Bun wherever npm or pnpm has put it, and makes room for it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmodSync, copyFileSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryPath } from '../store/temporary-path.ts'
import { type Folder, openFolder } from './shirube.ts'

const ROOT = join(import.meta.dir, '../..')
const SHELL = join(ROOT, 'bin/shirube')
const NODE = join(ROOT, 'bin/shirube.mjs')
const { version } = await Bun.file(join(ROOT, 'package.json')).json()

const TOLD = /^(BUN_JSC_(forceRAMSize|largeHeapGrowthFactor|minEdenToOldGenerationRatio)|MIMALLOC_\w+)=/

let folder: Folder
beforeAll(async () => {
  folder = await openFolder()
})
afterAll(() => folder[Symbol.asyncDispose]())

function run(cmd: readonly string[], cwd = folder.path) {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...cmd], { cwd, env: folder.command([]).env })
  return { code: exitCode, stdout: stdout.toString(), stderr: stderr.toString() }
}

/** A copy of the package in a folder of that name, with the program of this one and without Bun. */
function install(...names: readonly string[]): string {
  const place = temporaryPath('in a project', ...names)
  rmSync(place, { recursive: true, force: true })
  mkdirSync(join(place, 'bin'), { recursive: true })
  for (const file of ['shirube', 'shirube.mjs', 'bun.mjs'])
    copyFileSync(join(ROOT, 'bin', file), join(place, 'bin', file))
  symlinkSync(join(ROOT, 'src'), join(place, 'src'))
  return place
}

function put(path: string, content: string | { readonly linkTo: string }): void {
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  if (typeof content === 'string') writeFileSync(path, content)
  else symlinkSync(content.linkTo, path)
}

const PLACEHOLDER = 'echo "Bun was not installed"; exit 1\n'
const BUN = { linkTo: process.execPath }

/** Larger than any placeholder, and of another machine. */
function putForeign(path: string): void {
  put(path, 'no program of this machine')
  truncateSync(path, 2_000_000)
  chmodSync(path, 0o755)
}

test.if(process.platform !== 'win32')(
  'a command says and ends as it does by the launcher for Node.js',
  () => {
    for (const args of [
      ['--help'],
      ['--version'],
      ['keys', 'create', 'one two', '--scope', 'none'],
      ['nothing'],
    ])
      expect(run([SHELL, ...args])).toEqual(run(['node', NODE, ...args]))
  },
)

test.if(process.platform !== 'win32')('Bun is found wherever it lies', () => {
  const places: Record<string, (project: string, shirube: string) => void> = {
    'in the package': (_, shirube) => put(join(shirube, 'node_modules/bun/bin/bun.exe'), BUN),
    'beside the package': project => put(join(project, 'node_modules/bun/bin/bun.exe'), BUN),
    'where its install script was skipped': project => {
      put(join(project, 'node_modules/bun/bin/bun.exe'), PLACEHOLDER)
      put(join(project, 'node_modules/@oven/bun-one/bin/bun'), BUN)
    },
    'among builds for other machines': project => {
      put(join(project, 'node_modules/bun/bin/bun.exe'), PLACEHOLDER)
      putForeign(join(project, 'node_modules/@oven/a-foreign/bin/bun'))
      put(join(project, 'node_modules/@oven/bun-one/bin/bun'), BUN)
    },
    'behind links, as pnpm lays it out': project => {
      const kept = join(project, 'node_modules/.pnpm/bun@1/node_modules')
      put(join(kept, 'bun/bin/bun.exe'), PLACEHOLDER)
      put(join(kept, '@oven/bun-one/bin/bun'), BUN)
      put(join(project, 'node_modules/bun'), { linkTo: join(kept, 'bun') })
    },
  }
  for (const [place, lay] of Object.entries(places)) {
    const name = place.replaceAll(/\W+/g, ' ')
    const shirube = install(name, 'node_modules', 'shirube')
    const project = join(shirube, '../..')
    lay(project, shirube)
    const link = join(project, 'a link')
    put(link, { linkTo: '.a second one' })
    put(join(project, '.a second one'), { linkTo: join(shirube, 'bin/shirube') })
    for (const started of [[join(shirube, 'bin/shirube')], [link], ['sh', './a link']])
      expect({ place, ...run([...started, '--version'], project) }).toEqual({
        place,
        code: 0,
        stdout: `${version}\n`,
        stderr: '',
      })
  }
})

test.if(process.platform !== 'win32')('where Bun is nowhere, both launchers say so', () => {
  const shirube = install('without', 'node_modules', 'shirube')
  put(join(shirube, '../bun/bin/bun.exe'), PLACEHOLDER)
  const said = run([join(shirube, 'bin/shirube'), '--version'])
  expect(said).toEqual(run(['node', join(shirube, 'bin/shirube.mjs'), '--version']))
  expect(said.code).toBe(1)
  expect(said.stderr).toStartWith(`Bun is not installed beside this package (${shirube}).`)
})

test.if(process.platform === 'linux')(
  'a server takes the place of the shell, and gets its signals',
  async () => {
    const { env, cwd } = folder.command([])
    await using child = Bun.spawn([SHELL, 'serve', '--port', '0'], {
      cwd,
      env,
      stdout: 'pipe',
      stderr: 'ignore',
    })
    await child.stdout.getReader().read()
    const read = (file: string) => Bun.file(`/proc/${child.pid}/${file}`).text()
    const [program] = (await read('cmdline')).split('\0')
    const children = await read(`task/${child.pid}/children`)
    child.kill('SIGTERM')
    expect({ program, children, code: await child.exited }).toEqual({
      program: expect.stringContaining('bun'),
      children: '',
      code: 0,
    })
  },
)

test.if(process.platform !== 'win32')(
  'both launchers distinguish a large catalog from a small one',
  async () => {
    const shirube = install('told', 'node_modules', 'shirube')
    const bun = join(shirube, 'node_modules/bun/bin/bun.exe')
    put(bun, '#!/bin/sh\nenv\nexit\n')
    truncateSync(bun, 2_000_000)
    chmodSync(bun, 0o755)
    const { cwd, env } = folder.command([])
    const own = Object.entries(env).filter(([name]) => !TOLD.test(`${name}=`))
    const toldBy = (launcher: readonly string[], given: Record<string, string>): string[] =>
      Bun.spawnSync([...launcher], { cwd, env: { ...Object.fromEntries(own), ...given } })
        .stdout.toString()
        .split('\n')
        .filter(line => TOLD.test(line))
        .sort()

    const large = await folder.file('a large.db', '')
    truncateSync(large, 17 * 1024 * 1024)
    const all = [
      'BUN_JSC_forceRAMSize=268435456',
      'BUN_JSC_largeHeapGrowthFactor=1.2',
      'BUN_JSC_minEdenToOldGenerationRatio=0.14',
      'MIMALLOC_ALLOW_THP=1',
      'MIMALLOC_PURGE_DELAY=60000',
    ]
    const cases: [env: Record<string, string>, file: string, told: readonly string[]][] = [
      [{}, '', []],
      [{ DATABASE_URL: 'postgres://somewhere/else' }, '', all],
      [{ DATABASE_URL: ` sqlite:${large} ` }, '', all],
      [
        { DATABASE_URL: 'sqlite:./a large.db', MIMALLOC_ALLOW_THP: '0', BUN_JSC_forceRAMSize: '' },
        '',
        ['BUN_JSC_forceRAMSize=', ...all.slice(1, 3), 'MIMALLOC_ALLOW_THP=0', all[4]!],
      ],
      [{}, `# DATABASE_URL=sqlite:no\nexport DATABASE_URL = "sqlite:${large}" # the large one\n`, all],
      [{ DATABASE_URL: 'sqlite:./small.db' }, `DATABASE_URL='sqlite:${large}'\n`, []],
      [{ DATABASE_URL: ' ' }, 'DATABASE_URL=sqlite:./small.db # a small one\n', []],
    ]
    for (const [given, file, told] of cases) {
      await folder.file('.env', file)
      for (const launcher of [[join(shirube, 'bin/shirube')], ['node', join(shirube, 'bin/shirube.mjs')]])
        expect({ launcher, given, file, told: toldBy(launcher, given) }).toEqual({
          launcher,
          given,
          file,
          told: [...told],
        })
    }
  },
)
