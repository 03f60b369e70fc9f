// Every code block of the README and of docs/ is run against a real directory; every link and name in them leads somewhere.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { dirname, join } from 'node:path'
import { Glob } from 'bun'
import { COMMANDS } from '../../src/cli/syntax/commands.ts'
import { type Folder, openFolder, type Serving } from '../cli/shirube.ts'
import { call, connectOverHttp, connectOverStdio } from '../mcp/connect.ts'
import { blocksOf, createRunner, kindOf, linesOf, readDocument } from './run-document.ts'

const root = new URL('../..', import.meta.url).pathname
const paths = ['README.md', 'CONTRIBUTING.md', ...[...new Glob('docs/*.md').scanSync(root)].sort()]
const documents = await Promise.all(paths.map(async path => ({ path, text: await readDocument(path) })))

/** The commands work on the database that is served. */
const SAMPLE = 'sqlite:./data/sample.db'

/** One directory for the readers of all documents. */
let folder: Folder
let serving: Serving
beforeAll(async () => {
  folder = await openFolder({
    PROBE: 'on',
    ALLOW_PRIVATE_ENDPOINTS: 'on',
    LOG_LEVEL: 'warn',
    RATE_LIMIT: '0',
    PUBLIC_URL: 'https://directory.example',
    DATABASE_URL: SAMPLE,
  })
  serving = await folder.serve(['--sample'])
})
afterAll(async () => {
  await serving[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

describe.each(documents)('$path', ({ path, text }) => {
  const blocks = blocksOf(text)
  const lines = blocks.filter(({ language }) => language === 'sh').flatMap(linesOf)
  const programs = blocks.filter(({ language }) => ['ts', 'js'].includes(language))
  const configs = blocks.filter(({ language, text }) => language === 'json' && text.includes('mcpServers'))

  test('contains only runnable kinds of code blocks', () => {
    const languages = blocks.map(({ language }) => language)
    expect(languages.filter(language => !['sh', 'ts', 'js', 'json', 'nginx', ''].includes(language))).toEqual(
      [],
    )
    expect(lines.filter(line => kindOf(line) === undefined)).toEqual([])
  })

  test('names only npm scripts, commands and files that exist', async () => {
    const { scripts } = JSON.parse(await readDocument('package.json'))
    for (const [, a, b] of text.matchAll(/npm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/g))
      expect(Object.keys(scripts)).toContain(a ?? b!)
    for (const [, first, second] of text.matchAll(/npm run -s shirube -- (\w+)(?: (\w+))?/g))
      expect(COMMANDS.some(({ name }) => name === first || name === `${first} ${second}`)).toBe(true)
    const files = lines.flatMap(
      line => line.match(/(?<![\w/])(model|scripts|bench|bin|test)\/[\w./-]+\w/g) ?? [],
    )
    for (const file of files) expect([file, await Bun.file(join(root, file)).exists()]).toEqual([file, true])
  })

  test('links only to files that exist', async () => {
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)].map(([, target]) => target!)
    for (const target of targets) {
      const exists = await Bun.file(join(root, dirname(path), target)).exists()
      expect([target, exists]).toEqual([target, true])
    }
  })

  const run = lines.filter(line => kindOf(line) !== 'aside')
  // What a translation runs is what its original runs: readme.test.ts compares them.
  if (path.endsWith('.ja.md') || run.length + programs.length + configs.length === 0) return

  // A machine with nothing but npm may have no curl.
  describe.skipIf(Bun.which('curl') === null)('as its reader runs it', () => {
    let runner: ReturnType<typeof createRunner>
    beforeAll(() => {
      runner = createRunner({ serving, folder })
    })
    afterAll(() => runner.stop())

    // In their order: a line may build on those before it.
    for (const [i, line] of run.entries()) {
      test(`line ${i + 1}: ${line.slice(0, 120)}`, async () => {
        const { ok, output } = await runner.run(line)
        expect([ok, ok ? '' : output]).toEqual([true, ''])
      })
    }

    for (const [i, { text }] of programs.entries()) {
      test(`program ${i + 1}`, async () => {
        const { ok, output } = await runner.runProgram(text)
        expect([ok, ok ? '' : output]).toEqual([true, ''])
      })
    }

    for (const [i, { text }] of configs.entries()) {
      test(`configuration ${i + 1}, with every server in it`, async () => {
        const { mcpServers } = JSON.parse(await runner.adapt(text)) as { mcpServers: Record<string, Server> }
        expect(Object.keys(mcpServers).length).toBeGreaterThan(0)
        for (const { url, command, args = [], env = {} } of Object.values(mcpServers)) {
          await using client =
            url === undefined
              ? await connectOverStdio(args.slice(2), {
                  env: { ...env, DATABASE_URL: SAMPLE },
                  cwd: folder.path,
                })
              : await connectOverHttp(url.replace(/\/mcp$/, ''))
          if (url === undefined)
            expect([command, ...args.slice(0, 2)]).toEqual(['node', join(root, 'bin/shirube.mjs'), 'mcp'])
          const { content } = await call(client, 'find_service', { q: 'weather forecast', limit: 1 })
          expect(content.results).toHaveLength(1)
        }
      })
    }
  })
})

type Server = {
  readonly url?: string
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Record<string, string>
}
