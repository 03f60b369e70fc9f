import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { COMMAND_GROUPS, COMMANDS } from '../../../src/cli/syntax/commands.ts'
import { optionsOf } from '../../../src/cli/syntax/parse-line.ts'
import { LAUNCHER } from '../../program.ts'
import { type Folder, openFolder } from '../shirube.ts'

describe('The command line', () => {
  let folder: Folder
  beforeAll(async () => {
    folder = await openFolder()
  })
  afterAll(() => folder[Symbol.asyncDispose]())

  test('lists every command for help, or without a command', async () => {
    const { code, stdout, stderr } = await folder.run(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const { name, summary } of COMMANDS) {
      expect(stdout).toContain(`  ${name}`)
      expect(stdout.replace(/\s+/g, ' ')).toContain(summary)
    }
    expect((await folder.run([])).stdout).toBe(stdout)
    expect((await folder.run(['help'])).stdout).toBe(stdout)
  })

  test.each(COMMANDS.map(({ name }) => name))('%s takes --help and names all its options', async name => {
    const { code, stdout } = await folder.run([name, '--help'])
    expect(code).toBe(0)
    expect(stdout).toStartWith(`Usage: shirube ${name}`)
    const options = await optionsOf(COMMANDS.find(command => command.name === name)!)
    for (const option of Object.keys(options)) expect(stdout).toContain(`--${option}`)
  })

  test('groups the commands by their users', async () => {
    const { stdout } = await folder.run(['--help'])
    const titles = [...stdout.matchAll(/^(\S.*):\n/gm)].map(([, title]) => title)
    expect(titles).toEqual(COMMAND_GROUPS.map(({ title }) => title))
  })

  test.each([
    ['list', 'One of verified, unverified, inactive.'],
    ['list', 'One of price, trustScore, usdPrice, latency, name.'],
  ])('%s --help names the values that an option takes: %s', async (name, values) => {
    const { stdout } = await folder.run([name, '--help'])
    expect(stdout.replace(/\s+/g, ' ')).toContain(values)
  })

  test('does not repeat values that a description names', async () => {
    const { stdout } = await folder.run(['call', '--help'])
    expect(stdout).toContain('snippet: typescript, python, curl, mcp.\n')
  })

  test('accepts help as a command', async () => {
    const asked = await Promise.all([folder.run(['help', 'keys']), folder.run(['keys', 'create', '-h'])])
    expect(asked[0]!.stdout).toBe(asked[1]!.stdout)
  })

  test('prints its version', async () => {
    const { version } = await Bun.file(new URL('../../../package.json', import.meta.url)).json()
    for (const flag of ['--version', '-v', '-V'])
      expect((await folder.run([flag])).stdout).toBe(`${version}\n`)
  })

  test.each([
    [['lst'], 'There is no command "lst". Did you mean "list"?'],
    [['keys'], '"keys" needs <create | list | revoke>.'],
    [['kyes'], 'There is no command "kyes". Did you mean "keys"?'],
    [['keys', 'creat', 'x'], 'There is no command "keys creat". Did you mean "keys create"?'],
    [
      ['export', 'c.parquet'],
      'A file .parquet cannot be written: name it .json or .ndjson, or pass --format.',
    ],
    [['--port', '1'], 'Begin with a command'],
    [['list', '--categry', 'x'], '"list" has no option --categry. Did you mean --category?'],
    [['list', '-c', 'x'], '"list" has no option -c.'],
    [['frobnicate'], 'There is no command "frobnicate".\n'],
    [['list', '--frobnicate'], '"list" has no option --frobnicate.\n'],
    [['keys', 'frobnicate'], 'There is no command "keys frobnicate".\n'],
    [['list', 'x', 'y'], '"list" does not understand "x". Did you mean --query "x y"?'],
    [['show', 'svc_a', 'x'], '"show" does not understand "x".'],
    [['list', '--limit'], '--limit needs a value: --limit <value>.'],
    [['list', '--limit', '--json'], '--limit needs a value'],
    [['list', '--json=yes'], '--json takes no value.'],
    [['list', '--limit', '0', '--status', 'good'], '--limit must be a whole number of at least 1.'],
    [['list', '--max-price-per-request', 'x'], '--max-price-per-request must be a decimal amount'],
    [['call', 'svc_a', '--payer', '0x1'], '--payer needs --report.'],
    [['call', 'svc_a', '--max', '1'], '--max needs --pay'],
    [['purchase'], 'There is no command "purchase".'],
    [['search', ' '], 'What to look for must not be empty.'],
    [['show'], '"show" needs <id>.'],
    [
      ['keys', 'create', 'x', '--scope', 'all'],
      '--scope takes register and admin, separated by a comma, not "all".',
    ],
    [['keys', 'create', 'x', '--expires', '90'], '--expires needs a time like 12h, 90d or 8w, not "90".'],
    [['keys', 'create', 'x', '--expires', '0d'], '--expires needs a time'],
    [['serve', '--port', 'x'], '--port must be a whole number from 0 to 65535, not "x".'],
    [['list', '--url', 'x'], '--url must be an absolute http or https address'],
  ])('%j is not understood: exit code 2 and a sentence', async (args, sentence) => {
    const { code, stdout, stderr } = await folder.run(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
  })

  test('reads the .env file of its folder, and the environment before it', async () => {
    await folder.file('.env', 'METRICS=everyone\nLOG_LEVEL=loud\n')
    const { code, stderr } = await folder.run(['keys', 'list'], { env: { LOG_LEVEL: 'quiet' } })
    expect(code).toBe(2)
    expect(stderr).toBe(
      'LOG_LEVEL must be one of silent, error, warn, info, debug, not "quiet".\n' +
        'METRICS must be one of local, open, off, not "everyone".\n',
    )
  })

  test('ends quietly when its reader closes the pipe', async () => {
    await using other = await openFolder()
    await other.run(['import', '-'], { stdin: bodies(3000) })
    const script = `node ${LAUNCHER} export | head -c 10`
    const child = Bun.spawn(['sh', '-c', script], { cwd: other.path, stdout: 'pipe', stderr: 'pipe' })
    expect([await child.stdout.text(), await child.stderr.text(), await child.exited]).toEqual([
      '{"version"',
      '',
      0,
    ])
  })
})

function bodies(count: number): string {
  const body = {
    name: 'One of many',
    description: 'A service.',
    endpoint: 'https://many.example',
    category: 'data',
    pricing: { currency: 'USDC', pricePerRequest: '0.01' },
    x402Config: { paymentAddress: '0x7aA3B0D047d135f43e8699E07783a548819BC25c', network: 'base' },
  }
  return Array.from({ length: count }, (_, i) => JSON.stringify({ ...body, name: `${body.name} ${i}` })).join(
    '\n',
  )
}
