// A copy of the sources to which a test adds something, to see what it takes: which files, and which of them the compiler asks for.
import { expect } from 'bun:test'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** @param before a text that the file has once; the addition is put before it */
export type Addition = { readonly file: string; readonly before: string; readonly text: string }

export type CopiedSources = AsyncDisposable & {
  readonly path: string
  add(additions: readonly Addition[]): Promise<void>
  /**
   * The files in which the compiler finds fault.
   * @param include what is compiled, with all that it imports
   */
  compile(include: readonly string[]): Promise<readonly string[]>
}

const ROOT = join(import.meta.dir, '../..')

export const filesOf = (additions: readonly Addition[]): string[] =>
  [...new Set(additions.map(({ file }) => file))].sort()

export async function copySources(): Promise<CopiedSources> {
  const path = await mkdtemp(join(tmpdir(), 'shirube-added-'))
  for (const part of ['src', 'bin', 'package.json'])
    await cp(join(ROOT, part), join(path, part), { recursive: true })
  for (const part of ['node_modules', 'data']) await symlink(join(ROOT, part), join(path, part))

  return {
    path,

    async add(additions) {
      for (const { file, before, text } of additions) {
        const target = join(path, 'src', file)
        const source = await Bun.file(target).text()
        expect(source.split(before)).toHaveLength(2)
        await Bun.write(
          target,
          source.replace(before, () => text + before),
        )
      }
    },

    async compile(include) {
      const config = await Bun.file(join(ROOT, 'tsconfig.json')).json()
      await Bun.write(join(path, 'tsconfig.json'), JSON.stringify({ ...config, include }))
      // Several threads would look at the same types again, each for itself.
      const options = ['--noEmit', '--singleThreaded', '--pretty', 'false']
      const compiler = Bun.spawn([join(ROOT, 'node_modules/.bin/tsc'), ...options], {
        cwd: path,
        stdout: 'pipe',
      })
      const faults = await compiler.stdout.text()
      return [...new Set([...faults.matchAll(/^src\/([^(\n]+)\(/gm)].map(([, file]) => file!))].sort()
    },

    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}
