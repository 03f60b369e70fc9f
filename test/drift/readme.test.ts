import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { COMMANDS } from '../../src/cli/commands.ts'
import { SETTING_DEFAULTS } from '../../src/config.ts'
import { CHILD_TIMEOUT_MS, type Folder, openFolder, type Serving } from '../cli/shirube.ts'

setDefaultTimeout(CHILD_TIMEOUT_MS)

const read = (path: string) => Bun.file(new URL(`../../${path}`, import.meta.url)).text()
const readme = await read('README.md')
const lines = [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
  block.replaceAll('\\\n', ' ').split('\n'),
)
const curls = lines.filter(line => line.startsWith('curl '))
/** Where a `serve` without settings listens; the lines are run against a server on a free port instead. */
const STANDARD_ADDRESS = `http://127.0.0.1:${SETTING_DEFAULTS.PORT}`

describe('The README', () => {
  test('has curl lines for every read and for a registration', () => {
    for (const path of [
      '/api/services?',
      '/api/catalog/search',
      '/api/services/search/intent',
      '/api/export',
      '-X POST',
    ]) {
      expect(curls.some(line => line.includes(path))).toBe(true)
    }
    expect(curls.every(line => line.includes(STANDARD_ADDRESS))).toBe(true)
  })

  // A machine with nothing but npm may have no curl.
  describe.skipIf(Bun.which('curl') === null)('run with curl', () => {
    let folder: Folder
    let serving: Serving
    beforeAll(async () => {
      folder = await openFolder()
      serving = await folder.serve(['--sample'])
    })
    afterAll(async () => {
      await serving[Symbol.asyncDispose]()
      await folder[Symbol.asyncDispose]()
    })

    test.each(curls)('answers %s', async line => {
      const [key = ''] = /shb_\w+/.exec(serving.stdout()) ?? []
      const command = line
        .replaceAll(STANDARD_ADDRESS, serving.url)
        .replace(/^curl/, "curl -sS -w '\\n%{http_code}'")
      const child = Bun.spawn(['sh', '-c', command], {
        env: { ...process.env, API_KEY: key },
        stdout: 'pipe',
      })
      const answer = await child.stdout.text()
      const [, body = '', status] = /^([\s\S]*)\n(\d+)$/.exec(answer) ?? []
      expect([status, body]).toEqual([
        line.includes('-X POST') ? '201' : '200',
        expect.stringMatching(/^[[{]/),
      ])
      const value = JSON.parse(body)
      const found = Array.isArray(value) ? value : (value.results ?? value.endpoints ?? [value])
      expect(found.length).toBeGreaterThan(0)
    })
  })

  test('names only npm scripts and commands that exist', async () => {
    const { scripts } = JSON.parse(await read('package.json'))
    const named = [...readme.matchAll(/npm (?:run (?:-s )?([\w:-]+)|(start|test)\b)/g)].map(
      ([, a, b]) => a ?? b,
    )
    expect(named).toContain('shirube')
    for (const script of named) expect(Object.keys(scripts)).toContain(script!)
    const words = [...readme.matchAll(/npm run -s shirube -- (\w+)(?: (\w+))?/g)]
    expect(words.length).toBeGreaterThan(0)
    for (const [, first, second] of words) {
      expect(COMMANDS.some(({ name }) => name === first || name === `${first} ${second}`)).toBe(true)
    }
  })

  test('links only to files that exist', async () => {
    const targets = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)].map(([, target]) => target!)
    expect(targets.length).toBeGreaterThan(0)
    for (const target of targets) {
      expect([target, await Bun.file(new URL(`../../${target}`, import.meta.url)).exists()]).toEqual([
        target,
        true,
      ])
    }
  })
})

test('The lock file holds no address of a registry', async () => {
  const lock = await read('package-lock.json')
  expect(lock).not.toContain('"resolved"')
  expect(JSON.parse(lock).packages[''].dependencies).toEqual(
    JSON.parse(await read('package.json')).dependencies,
  )
})
