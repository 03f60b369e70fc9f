import { expect, test } from 'bun:test'
import { RPC_URL_PREFIX, readConfig, SETTING_DEFAULTS } from '../../src/app/config.ts'

const text = await Bun.file(new URL('../../.env.example', import.meta.url)).text()
const example = Object.fromEntries(
  text
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
)

/** Settings that there is one of for each network: the example shows some of them, empty. */
const networks = Object.keys(example).filter(name => name.startsWith(RPC_URL_PREFIX))

test('.env.example lists every setting with its default, and nothing else', () => {
  const others = Object.entries(example).filter(([name]) => !networks.includes(name))
  expect(Object.fromEntries(others)).toEqual(SETTING_DEFAULTS)
})

test('.env.example shows how to name the node of a network, with names that are read', () => {
  const shown = (text.match(new RegExp(`${RPC_URL_PREFIX}[A-Z_]+\\b`, 'g')) ?? []).filter(
    name => name !== 'RPC_URL_PUBLIC',
  )
  expect(networks).not.toEqual([])
  const named = Object.fromEntries(shown.map(name => [name, 'http://127.0.0.1:8545']))
  expect(Object.keys(readConfig(named).rpcUrls)).toHaveLength(new Set(shown).size)
})

test('.env.example unchanged gives the default configuration', () => {
  expect(readConfig(example)).toEqual(readConfig({}))
})

test('every setting of .env.example has a comment above it', () => {
  const lines = text.split('\n')
  const bare = lines.filter((line, i) => /^[A-Z]/.test(line) && !lines[i - 1]?.startsWith('# '))
  expect(bare).toEqual([])
})

test('there are at most 30 settings', () => {
  expect(Object.keys(example).length).toBeLessThanOrEqual(30)
})
