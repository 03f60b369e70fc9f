// What is loaded before a line is understood: everything that is typed waits for it.
import { expect, test } from 'bun:test'
import { dirname, join, relative } from 'node:path'

const SRC = join(import.meta.dir, '../../src')
const STATIC = /^(?:import|export)\s(?!type\b)[^;'"]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm

/** The files and packages that an import of the file loads, whatever is done with it. */
async function loadedBy(file: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(file)) return found
  found.add(file)
  for (const [, from, bare] of (await Bun.file(file).text()).matchAll(STATIC)) {
    const name = (from ?? bare)!
    if (name.startsWith('.')) await loadedBy(join(dirname(file), name), found)
    else found.add(name)
  }
  return found
}

test('the help and the version load nothing but the command line', async () => {
  const loaded = [...(await loadedBy(join(SRC, 'cli/main.ts')))]
  const packages = loaded.filter(name => !name.startsWith(SRC))
  expect(packages.filter(name => !name.startsWith('node:'))).toEqual([])
  const files = loaded.filter(name => name.startsWith(SRC)).map(name => relative(SRC, name))
  expect(files.filter(file => !/^cli\/|^domain\/(nearest|unseen)\.ts$/.test(file))).toEqual([])
})
