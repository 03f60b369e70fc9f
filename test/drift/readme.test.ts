import { describe, expect, test } from 'bun:test'
import { SETTING_DEFAULTS } from '../../src/app/config.ts'
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

test('The lock file holds no address of a registry', async () => {
  const lock = await readDocument('package-lock.json')
  // A folder of the project is linked by its path.
  expect(lock).not.toMatch(/"resolved": "(?!packages\/)/)
  expect(JSON.parse(lock).packages[''].dependencies).toEqual(
    JSON.parse(await readDocument('package.json')).dependencies,
  )
})
