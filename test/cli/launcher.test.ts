// bin/shirube.mjs finds Bun wherever npm or pnpm has put it, and runs the command line on it.
import { expect, test } from 'bun:test'
import { copyFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryPath } from '../store/temporary-path.ts'
import { openFolder } from './shirube.ts'

const ROOT = join(import.meta.dir, '../..')
const { version } = await Bun.file(join(ROOT, 'package.json')).json()

/** The package in a project, with the program of this one and without Bun. */
function install(name: string): string {
  const place = temporaryPath('in a project', name, 'node_modules/shirube')
  rmSync(place, { recursive: true, force: true })
  mkdirSync(join(place, 'bin'), { recursive: true })
  copyFileSync(join(ROOT, 'bin/shirube.mjs'), join(place, 'bin/shirube.mjs'))
  symlinkSync(join(ROOT, 'src'), join(place, 'src'))
  return place
}

function put(path: string, content: string | { readonly linkTo: string }): void {
  mkdirSync(dirname(path), { recursive: true })
  rmSync(path, { force: true })
  if (typeof content === 'string') writeFileSync(path, content, { mode: 0o755 })
  else symlinkSync(content.linkTo, path)
}

/** The package `bun` with what npm unpacks: its binary is a placeholder until the install script has run. */
function putBun(modules: string, binary: string | { readonly linkTo: string }): void {
  const optionalDependencies = { '@oven/bun-foreign': '1', '@oven/bun-one': '1' }
  put(join(modules, 'bun/package.json'), JSON.stringify({ name: 'bun', optionalDependencies }))
  put(join(modules, 'bun/bin/bun.exe'), binary)
}

const PLACEHOLDER = 'echo "Bun was not installed"; exit 1\n'
const BUN = { linkTo: process.execPath }

const PLACES: Record<string, (modules: string, shirube: string) => void> = {
  'in the package': (_, shirube) => putBun(join(shirube, 'node_modules'), BUN),
  'beside the package': modules => putBun(modules, BUN),
  'where its install script was skipped': modules => {
    putBun(modules, PLACEHOLDER)
    put(join(modules, '@oven/bun-one/bin/bun'), BUN)
  },
  'among builds for other machines': modules => {
    putBun(modules, PLACEHOLDER)
    put(join(modules, '@oven/bun-foreign/bin/bun'), 'no program of this machine')
    put(join(modules, '@oven/bun-one/bin/bun'), BUN)
  },
  'behind links, as pnpm lays it out': modules => {
    const kept = join(modules, '.pnpm/bun@1/node_modules')
    putBun(kept, PLACEHOLDER)
    put(join(kept, '@oven/bun-one/bin/bun'), BUN)
    put(join(modules, 'bun'), { linkTo: join(kept, 'bun') })
  },
}

test.each(Object.keys(PLACES))('Bun is found %s', place => {
  const shirube = install(place)
  PLACES[place]!(dirname(shirube), shirube)
  const link = join(shirube, 'a link')
  put(link, { linkTo: join(shirube, 'bin/shirube.mjs') })
  const { stdout, stderr } = Bun.spawnSync(['node', link, '--version'])
  expect({ stdout: stdout.toString(), stderr: stderr.toString() }).toEqual({
    stdout: `${version}\n`,
    stderr: '',
  })
})

test('where Bun is nowhere, the launcher says so', () => {
  const shirube = install('without')
  putBun(dirname(shirube), PLACEHOLDER)
  const { exitCode, stderr } = Bun.spawnSync(['node', join(shirube, 'bin/shirube.mjs'), '--version'])
  expect(exitCode).toBe(1)
  expect(stderr.toString()).toStartWith('Bun is not installed beside this package.')
})

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
