import { describe, expect, test } from 'bun:test'
import { SETTING_DEFAULTS } from '../../src/app/config.ts'
import { openFolder } from '../cli/shirube.ts'
import { freePort } from '../free-port.ts'
import { probeNow } from '../probe-now.ts'
import { blocksOf, linesOf, readDocument } from './run-document.ts'

const curls = blocksOf(await readDocument('README.md'))
  .filter(({ language }) => language === 'sh')
  .flatMap(linesOf)
  .filter(line => line.startsWith('curl '))

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
  })

  test('asks a directory where it listens without settings', () => {
    const address = `http://127.0.0.1:${SETTING_DEFAULTS.PORT}`
    expect(curls.every(line => line.includes(address))).toBe(true)
  })
})

test.each([
  ['README.md', 'README.ja.md'],
  ['docs/providers.md', 'docs/providers.ja.md'],
  ['docs/operating.md', 'docs/operating.ja.md'],
])('%s has the code, sections and links of its Japanese version', async (original, translation) => {
  const outlineOf = async (path: string) => {
    const text = await readDocument(path)
    return {
      blocks: blocksOf(text),
      sections: [...text.matchAll(/^#+ /gm)].map(([level]) => level),
      links: new Set([...text.matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link!.replace('.ja.md', '.md'))),
    }
  }
  expect(await outlineOf(translation)).toEqual(await outlineOf(original))
})

const guide = await readDocument('docs/providers.md')

test('The merchant of the guide for providers becomes verified, and inactive once it has ended', async () => {
  const port = String(await freePort())
  const [, script = ''] = /^node -e '([^']+)' &$/m.exec(guide.replaceAll('4021', port)) ?? []
  const [, body = ''] =
    /-H 'Idempotency-Key: tides-1' -d '(\{[^']+\})'/.exec(guide.replaceAll('4021', port)) ?? []
  await using folder = await openFolder({ ALLOW_PRIVATE_ENDPOINTS: 'on', PROBE: 'on' })
  const { stdout: key } = await folder.run(['keys', 'create', 'mine'])
  await using serving = await folder.serve()
  const env = { SHIRUBE_URL: serving.url, SHIRUBE_KEY: key.trim() }
  const merchant = Bun.spawn(['node', '-e', script], { stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined))) await Bun.sleep(20)
    const { stdout } = await folder.run(['register', '-', '--json'], { stdin: body, env })
    const { id } = JSON.parse(stdout) as { id: string }
    const statusOf = async () => (await fetch(`${serving.url}/api/services/${id}/status`)).json()
    const until = async (status: string) => {
      while (((await statusOf()) as { status: string }).status !== status) await Bun.sleep(20)
    }
    await until('verified')
    expect((await folder.run(['show', id], { env })).stdout).toContain('verified')
    const terms = await (await fetch(`${serving.url}/api/services/${id}/terms`)).json()
    expect(terms).toMatchObject({ payableByDefaultClient: true, notes: [] })
    merchant.kill()
    await merchant.exited
    for (let i = 0; i < 3; i++) await probeNow(`sqlite:${folder.path}/data/shirube.db`, id)
    await until('inactive')
  } finally {
    merchant.kill()
  }
})
