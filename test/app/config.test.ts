import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { ConfigError, readConfig } from '../../src/app/config.ts'
import { temporaryPath } from '../store/temporary-path.ts'

/** It is read with the settings. */
const ASSETS = temporaryPath('assets.json')
writeFileSync(ASSETS, '{}')

function problemsOf(env: Record<string, string>, flags = {}): readonly string[] {
  try {
    readConfig(env, flags)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('Config', () => {
  test('has a default for everything', () => {
    expect(readConfig({})).toEqual({
      port: 4020,
      hosts: ['127.0.0.1', '::1'],
      apiKeys: [],
      logLevel: 'info',
      trustProxy: 0,
      strictAddresses: false,
      metrics: 'local',
      databaseUrl: 'sqlite:./data/shirube.db',
      backupFolder: undefined,
      rates: undefined,
      directoryName: 'Shirube',
      publicUrl: undefined,
      securityContact: undefined,
      catalog: 'all',
      probe: true,
      webhooks: true,
      allowPrivateEndpoints: false,
      rpcUrls: {},
      publicChains: expect.arrayContaining(['eip155:8453', 'eip155:137']),
      assetsFile: undefined,
      facilitatorsFile: undefined,
      buyerKeyFile: undefined,
      budget: { perCall: 10_000, perService: 50_000, perHost: 250_000, perDay: 0 },
      askAbove: 0,
      ledgerFile: join(homedir(), '.config/shirube/ledger.db'),
      rateLimit: 6000,
      url: 'http://127.0.0.1:4020',
      key: undefined,
      unknown: [],
    })
  })

  test('uses the default for an empty or blank value', () => {
    expect(readConfig({ PORT: '', PROBE: ' ', HOST: '', API_KEYS: '', PUBLIC_URL: '' })).toEqual(
      readConfig({}),
    )
  })

  test('names variables that look like settings, and no others', () => {
    const env = {
      RATE_LIMTI: '1',
      LOGLEVEL: 'debug',
      PUBLIC_ULR: 'x',
      PATH: '/bin',
      HOSTNAME: 'x',
      NAME: 'x',
      TERM: 'x',
    }
    expect(readConfig(env).unknown).toEqual([
      'RATE_LIMTI is no setting; perhaps RATE_LIMIT was meant',
      'LOGLEVEL is no setting; perhaps LOG_LEVEL was meant',
      'PUBLIC_ULR is no setting; perhaps PUBLIC_URL was meant',
    ])
  })

  test('is frozen', () => {
    const config = readConfig({ API_KEYS: 'first-key' })
    expect(Object.isFrozen(config)).toBe(true)
    expect(Object.isFrozen(config.apiKeys)).toBe(true)
    expect(Object.isFrozen(config.hosts)).toBe(true)
  })

  test('reads every setting', () => {
    const config = readConfig({
      PORT: '0',
      HOST: '0.0.0.0',
      API_KEYS: 'first-key, second-key ,,first-key',
      LOG_LEVEL: 'debug',
      TRUST_PROXY: '2',
      STRICT_ADDRESSES: 'on',
      METRICS: 'open',
      DATABASE_URL: 'sqlite::memory:',
      BACKUP_FOLDER: '/var/backups/shirube',
      RATES: 'https://rates.example/latest.json?base=USD',
      DIRECTORY_NAME: '標 of Kyoto',
      PUBLIC_URL: 'https://directory.example/x402//',
      SECURITY_CONTACT: 'mailto:security@directory.example',
      CATALOG: 'approved',
      PROBE: 'off',
      WEBHOOKS: 'off',
      ALLOW_PRIVATE_ENDPOINTS: 'on',
      RPC_URL_BASE: 'http://node.internal:8545/v2/key?a=b',
      RPC_URL_BASE_SEPOLIA: 'https://user:password@node.example',
      RPC_URL_POLYGON: ' ',
      RPC_URL_SOLANA: 'http://node.internal:8899',
      ASSETS,
      FACILITATORS: '/etc/shirube/facilitators.json',
      BUYER_KEY_FILE: '/etc/shirube/buyer.key',
      BUDGET_PER_CALL: '0.0025',
      BUDGET_PER_SERVICE: '1',
      BUDGET_PER_HOST: '2.5',
      BUDGET_PER_DAY: '0.0000001',
      LEDGER_FILE: '/home/me/spent.db',
      RATE_LIMIT: '0',
      SHIRUBE_URL: 'https://other.example/',
      SHIRUBE_KEY: 'shb_something',
    })
    expect(config).toEqual({
      port: 0,
      hosts: ['0.0.0.0'],
      apiKeys: ['first-key', 'second-key'],
      logLevel: 'debug',
      trustProxy: 2,
      strictAddresses: true,
      metrics: 'open',
      databaseUrl: 'sqlite::memory:',
      backupFolder: '/var/backups/shirube',
      rates: 'https://rates.example/latest.json?base=USD',
      directoryName: '標 of Kyoto',
      publicUrl: 'https://directory.example/x402',
      securityContact: 'mailto:security@directory.example',
      catalog: 'approved',
      probe: false,
      webhooks: false,
      allowPrivateEndpoints: true,
      rpcUrls: {
        'eip155:8453': 'http://node.internal:8545/v2/key?a=b',
        'eip155:84532': 'https://user:password@node.example',
        'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'http://node.internal:8899',
      },
      publicChains: expect.not.arrayContaining(['eip155:8453']),
      assetsFile: ASSETS,
      facilitatorsFile: '/etc/shirube/facilitators.json',
      buyerKeyFile: '/etc/shirube/buyer.key',
      budget: { perCall: 2_500, perService: 1_000_000, perHost: 2_500_000, perDay: 1 },
      askAbove: 0,
      ledgerFile: '/home/me/spent.db',
      rateLimit: 0,
      url: 'https://other.example',
      key: 'shb_something',
      unknown: [],
    })
  })

  test('reads caps in dollars', () => {
    for (const BUDGET_PER_DAY of ['-1', '1e3', 'five', '1,000', '1000001'])
      expect(problemsOf({ BUDGET_PER_DAY })).toEqual([
        `BUDGET_PER_DAY must be an amount of dollars up to a million, like 0.01, not "${BUDGET_PER_DAY}".`,
      ])
  })

  test('prefers the key file, caps and ledger given as flags', () => {
    const flags = {
      'key-file': '/me/key',
      'per-call': '0.5',
      'per-day': '2',
      'ask-above': '0.1',
      ledger: 'x.db',
    }
    const config = readConfig({ BUYER_KEY_FILE: 'another', XDG_CONFIG_HOME: '/me/conf' }, flags)
    expect(config).toMatchObject({
      buyerKeyFile: '/me/key',
      budget: { perCall: 500_000, perDay: 2_000_000 },
      askAbove: 100_000,
      ledgerFile: 'x.db',
    })
    expect(readConfig({ XDG_CONFIG_HOME: '/me/conf' }).ledgerFile).toBe('/me/conf/shirube/ledger.db')
    expect(problemsOf({}, { 'per-call': 'much' })).toEqual([
      '--per-call must be an amount of dollars up to a million, like 0.01, not "much".',
    ])
  })

  test('refuses a node of an unsupported network, and an invalid address without repeating it', () => {
    expect(
      problemsOf({
        RPC_URL_BAES: 'http://127.0.0.1:8545',
        RPC_URL_STELLAR: 'http://127.0.0.1:8545',
        RPC_URL_BASE: 'wss://node.example/secret',
      }),
    ).toEqual([
      expect.stringMatching(/^RPC_URL_BAES names no EVM or Solana network .* nearest is RPC_URL_BASE\.$/),
      expect.stringMatching(/^RPC_URL_STELLAR names no EVM or Solana network/),
      'RPC_URL_BASE must be an absolute http or https address of a JSON-RPC node, or off.',
    ])
  })

  test('prefers flags to the environment', () => {
    const env = { PORT: '5000', SHIRUBE_URL: 'http://a.example', SHIRUBE_KEY: 'key-of-env' }
    const config = readConfig(env, { port: '5001', url: 'http://b.example', key: 'key-of-flag' })
    expect([config.port, config.url, config.key]).toEqual([5001, 'http://b.example', 'key-of-flag'])
  })

  test('queries the port that it would serve on', () => {
    expect(readConfig({ PORT: '5000' }).url).toBe('http://127.0.0.1:5000')
    expect(readConfig({ PORT: '0' }).url).toBe('http://127.0.0.1:4020')
  })

  test('names the flag, not the variable, when the flag is wrong', () => {
    expect(problemsOf({}, { port: 'x' })).toEqual(['--port must be a whole number from 0 to 65535, not "x".'])
    expect(problemsOf({}, { port: '' })).toHaveLength(1)
  })

  test.each([
    ['localhost', ['127.0.0.1', '::1']],
    ['::', ['::']],
    ['[::1]', ['::1']],
    ['my-host.internal', ['my-host.internal']],
    ['192.168.1.4', ['192.168.1.4']],
  ])('takes HOST %s', (host, hosts) => {
    expect(readConfig({ HOST: host }).hosts).toEqual(hosts)
  })

  test.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['HOST', '0.0.0.0:80'],
    ['HOST', '1.2.3'],
    ['HOST', 'http://a'],
    ['LOG_LEVEL', 'INFO'],
    ['TRUST_PROXY', 'true'],
    ['STRICT_ADDRESSES', 'true'],
    ['PROBE', 'ON'],
    ['METRICS', 'on'],
    ['DATABASE_URL', './data/x.db'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'mysql://a/b'],
    ['DIRECTORY_NAME', 'a\u0007b'],
    ['SECURITY_CONTACT', 'security@directory.example'],
    ['SECURITY_CONTACT', 'https://a.example/\nContact: mailto:thief@a.example'],
    ['PUBLIC_URL', 'directory.example'],
    ['PUBLIC_URL', 'ftp://directory.example'],
    ['PUBLIC_URL', 'https://a.example/?q=1'],
    ['RATE_LIMIT', '1e3'],
    ['SHIRUBE_URL', '127.0.0.1:4020'],
    ['SHIRUBE_KEY', 'two words'],
  ])('refuses %s=%s and names it', (name, value) => {
    const problems = problemsOf({ [name]: value })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toStartWith(`${name} must be`)
  })

  test('reports all problems at once', () => {
    const problems = problemsOf({ PORT: 'x', PROBE: 'yes', METRICS: 'all', API_KEYS: 'short' })
    expect(problems.map(problem => problem.split(' ')[0])).toEqual(['PORT', 'API_KEYS', 'PROBE', 'METRICS'])
  })

  test('never prints a secret', () => {
    const [keys] = problemsOf({ API_KEYS: `good-enough,tiny,${'long'.repeat(40)}` })
    expect(keys).toContain('keys 2, 3 are not')
    expect(keys).not.toMatch(/tiny|longlong|good-enough/)
    expect(problemsOf({ DATABASE_URL: 'pg://me:secret@host/db' })[0]).not.toContain('secret')
    expect(problemsOf({ SHIRUBE_KEY: 'my secret' })[0]).not.toContain('secret')
  })
})

test('Public nodes are for EVM networks with known assets, without a node or off, that are not for tests', () => {
  const chainsOf = (env: Record<string, string>) => readConfig(env).publicChains
  const all = chainsOf({})
  expect(all).toContain('eip155:8453')
  for (const id of ['eip155:84532', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp']) expect(all).not.toContain(id)
  const without = all.filter(id => id !== 'eip155:8453')
  expect(chainsOf({ RPC_URL_BASE: 'off' })).toEqual(without)
  expect(chainsOf({ RPC_URL_BASE: 'http://127.0.0.1:8545' })).toEqual(without)
  expect(readConfig({ RPC_URL_BASE: 'off' }).rpcUrls).toEqual({})
  expect(chainsOf({ RPC_URL_PUBLIC: 'off' })).toEqual([])
  expect(problemsOf({ RPC_URL_PUBLIC: 'http://127.0.0.1' })).toEqual([
    'RPC_URL_PUBLIC must be off, or empty.',
  ])
})
