// The program, for tests that start it in a process of its own. `npm test` builds it once for all files, as it is published: it then
// starts with two thirds of the work. A file that is run alone takes the source.
import { existsSync } from 'node:fs'
import { cp, mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'

const CHECKOUT = join(import.meta.dir, '..')
/** Where a test process finds what was built for the whole run. */
const PLACE = 'SHIRUBE_TEST_PROGRAM'
const root = process.env[PLACE] ?? CHECKOUT

export const LAUNCHER = join(root, 'bin/shirube.mjs')
/** What a command does is the same without the launcher, which takes half of its time. */
export const MAIN = ['src/cli/main.ts', 'dist/cli/main.js'].map(path => join(root, path)).find(existsSync)!

/** Builds it into a folder, for the processes that are started with this environment. */
export async function buildProgram(folder: string): Promise<Readonly<Record<string, string>>> {
  await mkdir(folder, { recursive: true })
  const build = Bun.spawn([process.execPath, 'scripts/build-server.ts', join(folder, 'dist')], {
    cwd: CHECKOUT,
    stdout: 'ignore',
    stderr: 'inherit',
  })
  if ((await build.exited) !== 0) throw new Error('The program cannot be built.')
  // Whatever asks where it lies itself must lie there.
  for (const name of ['bin', 'package.json'])
    await cp(join(CHECKOUT, name), join(folder, name), { recursive: true })
  for (const name of ['data', 'docs', 'node_modules', 'openapi.json', 'CHANGELOG.md'])
    await symlink(join(CHECKOUT, name), join(folder, name))
  return { [PLACE]: folder }
}
