// The package as others get it: packed from a copy of the project, and laid out where npm would install it.
import { existsSync } from 'node:fs'
import { cp, mkdir, realpath, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dir, '..')
/** What is packed, and what it is built of. */
const NEEDED = [
  ...['bin', 'data', 'docs', 'scripts', 'src', 'package.json', 'openapi.json', 'tsconfig.json'],
  ...['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'README.ja.md'],
  ...['shirube.service', '.env.example'],
]

export type Packed = {
  readonly tarball: string
  /** Where it is installed: what it needs lies beside it, not inside. */
  readonly place: string
  readonly files: readonly string[]
  /** Installs the package that pays beside it. */
  readonly addBuyer: () => Promise<void>
}

export async function installPacked(folder: string): Promise<Packed> {
  const copy = join(folder, 'project')
  await mkdir(copy, { recursive: true })
  for (const name of NEEDED)
    await cp(join(ROOT, name), join(copy, name), {
      recursive: true,
      // Who works in the checkout may keep a catalog there.
      filter: path => !/\.db(\.|-|$)/.test(path),
    })
  await symlink(await realpath(join(ROOT, 'node_modules')), join(copy, 'node_modules'))
  run(['npm', 'pack', '--pack-destination', folder], copy)
  const { version, dependencies } = await Bun.file(join(copy, 'package.json')).json()
  const tarball = join(folder, `shirube-${version}.tgz`)
  const files = run(['tar', 'tzf', tarball], folder).trim().split('\n')
  const modules = join(folder, 'installed/node_modules')
  const place = join(modules, 'shirube')
  await mkdir(place, { recursive: true })
  run(['tar', 'xzf', tarball, '--strip-components=1', '-C', place], folder)
  const link = async (names: object) => {
    for (const name of Object.keys(names).filter(name => !existsSync(join(modules, name)))) {
      await mkdir(dirname(join(modules, name)), { recursive: true })
      await symlink(await realpath(join(ROOT, 'node_modules', name)), join(modules, name))
    }
  }
  await link(dependencies)
  return {
    tarball,
    place,
    files: files.map(path => path.replace(/^package\//, '')),
    async addBuyer() {
      const buyer = join(modules, 'shirube-buyer')
      run(['npm', 'pack', '--pack-destination', folder], join(ROOT, 'packages/buyer'))
      await mkdir(buyer)
      run(
        ['tar', 'xzf', join(folder, `shirube-buyer-${version}.tgz`), '--strip-components=1', '-C', buyer],
        folder,
      )
      const { dependencies } = await Bun.file(join(buyer, 'package.json')).json()
      await link(dependencies)
    },
  }
}

function run(cmd: readonly string[], cwd: string): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync([...cmd], { cwd })
  if (exitCode !== 0) throw new Error(`${cmd.join(' ')} ended with ${exitCode}: ${stdout}${stderr}`)
  return stdout.toString()
}
