// What is loaded before a line is understood, and before a server listens: everybody waits for it.
import { expect, test } from 'bun:test'
import { dirname, join, relative } from 'node:path'

const SRC = join(import.meta.dir, '../../src')
const STATIC = /^(?:import|export)\s(?!type\b)[^;'"]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm

const importsOf = async (file: string): Promise<string[]> =>
  [...(await Bun.file(file).text()).matchAll(STATIC)].map(([, from, bare]) => (from ?? bare)!)

const packagesOf = async (file: string): Promise<string[]> =>
  (await importsOf(file)).filter(name => !/^(\.|node:|bun)/.test(name))

/** The files and packages that an import of the file loads, whatever is done with it. */
async function loadedBy(file: string, found = new Set<string>()): Promise<Set<string>> {
  if (found.has(file)) return found
  found.add(file)
  for (const name of await importsOf(file)) {
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
  expect(
    files.filter(file => !/^cli\/|^runtime\/clock\.ts$|^domain\/text\/(nearest|invisible)\.ts$/.test(file)),
  ).toEqual([])
})

test('no client of databases, chains, payments or MCP is loaded before it is needed', async () => {
  for (const file of ['app/server.ts', 'app/operator.ts']) {
    const loaded = await loadedBy(join(SRC, file))
    // The snippets hold imports of who copies them.
    const packages = await Promise.all(
      [...loaded].filter(name => name.startsWith(SRC) && !name.includes('/domain/call/')).map(packagesOf),
    )
    expect([...new Set(packages.flat())].sort()).toEqual(['zod'])
  }
})

test('a server loads no page before one is requested', async () => {
  const loaded = await loadedBy(join(SRC, 'app/server.ts'))
  const pages = [...loaded].filter(name => name.startsWith(join(SRC, 'web/')))
  expect(pages.map(name => relative(SRC, name)).sort()).toEqual(['web/page.ts', 'web/pages.ts'])
})

test('a command of the operator loads code for probing, searching, syncing and buying only when needed', async () => {
  const loaded = [...(await loadedBy(join(SRC, 'cli/commands/keys.ts')))].map(name => relative(SRC, name))
  expect(loaded.filter(name => /^(probe|search|catalog|sync|buyer|chain|web|http)\//.test(name))).toEqual([])
})
