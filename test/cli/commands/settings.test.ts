import { afterAll, beforeAll, expect, test } from 'bun:test'
import { listSettings, SETTING_DEFAULTS, type ShownSetting } from '../../../src/app/config.ts'
import { type Folder, openFolder } from '../shirube.ts'

let folder: Folder
beforeAll(async () => {
  folder = await openFolder()
  await folder.file('.env', 'DIRECTORY_NAME=Kyoto\nRATE_LIMTI=7\nSHIRUBE_KEY=shb_something\n')
})
afterAll(() => folder[Symbol.asyncDispose]())

test('settings prints each setting, its value without secrets and where it comes from, and names unknown ones', async () => {
  const env = { DATABASE_URL: 'postgres://me:secret@db.internal/x', LOG_LEVEL: 'warn' }
  const { code, stdout, stderr } = await folder.run(['settings', '--json'], { env })
  const { settings, problems } = JSON.parse(stdout) as { settings: ShownSetting[]; problems: string[] }
  // The nodes of tests are set in the environment.
  const names = settings.map(({ name }) => name).filter(name => !name.startsWith('RPC_URL_'))
  expect(names).toEqual(Object.keys(SETTING_DEFAULTS))
  for (const [name, value, from] of [
    ['DATABASE_URL', 'postgres://db.internal/x (hidden)', 'environment'],
    ['DIRECTORY_NAME', 'Kyoto', '.env'],
    ['SHIRUBE_KEY', '(hidden)', '.env'],
    ['RATE_LIMIT', '6000', 'default'],
  ])
    expect(settings).toContainEqual(expect.objectContaining({ name, value, from }))
  // Each says what it does.
  expect(settings.filter(({ about }) => about.length < 20)).toEqual([])
  expect(problems).toEqual(['RATE_LIMTI is no setting; perhaps RATE_LIMIT was meant.'])
  expect([code, stderr]).toEqual([1, `${problems[0]}\n`])
})

test('settings shows invalid values too, and says what is wrong with them', async () => {
  const { code, stdout, stderr } = await folder.run(['settings'], { env: { TRUST_PROXY: 'yes' } })
  expect(code).toBe(1)
  expect(stdout).toMatch(/^TRUST_PROXY +yes +environment$/m)
  expect(stderr).toContain('TRUST_PROXY must be a whole number')
})

test.each([
  ['API_KEYS', 'first-key', '(hidden)'],
  ['RATES', 'rates.json', 'rates.json'],
  ['RATES', 'https://rates.example/latest?key=secret', 'https://rates.example (hidden)'],
  ['RPC_URL_BASE', 'https://node.example/v2/secret', 'https://node.example (hidden)'],
  ['RPC_URL_BASE', 'http://127.0.0.1:8545', 'http://127.0.0.1:8545'],
  ['DATABASE_URL', 'sqlite:./x.db', 'sqlite:./x.db'],
  ['DATABASE_URL', 'postgres://me:sec ret@:x/y', '(hidden)'],
])('%s=%s is shown as %s', (name, value, shown) => {
  expect(listSettings({ [name]: value }, '')).toContainEqual(
    expect.objectContaining({ name, value: shown, from: 'environment' }),
  )
})
