import { expect, test } from 'bun:test'
import { digestOf, digestOfSources } from './contract-sources.mjs'

test('the compiled contracts are as they were compiled, from these sources by this compiler', async () => {
  const text = await Bun.file(`${import.meta.dir}/contracts.ndjson`).text()
  const [made, ...lines] = text.trimEnd().split('\n')
  expect(JSON.parse(made!)).toEqual({ sources: digestOfSources(), contracts: digestOf(lines) })
})
