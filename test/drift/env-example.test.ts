import { expect, test } from 'bun:test'
import { readConfig, SETTING_DEFAULTS } from '../../src/config.ts'

const text = await Bun.file(new URL('../../.env.example', import.meta.url)).text()
const example = Object.fromEntries(
  text
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
)

test('.env.example lists every setting with its default, and nothing else', () => {
  expect(example).toEqual(SETTING_DEFAULTS)
})

test('.env.example as it stands gives the default configuration', () => {
  expect(readConfig(example)).toEqual(readConfig({}))
})

test('every setting of .env.example has a comment above it', () => {
  const lines = text.split('\n')
  const bare = lines.filter((line, i) => /^[A-Z]/.test(line) && !lines[i - 1]?.startsWith('# '))
  expect(bare).toEqual([])
})
