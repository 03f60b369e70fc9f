import { expect, test } from 'bun:test'
import { parseListQuery } from '../../src/domain/queries/queries.ts'
import { entry } from '../entries.ts'
import { open } from './listings.ts'

test('in the order by latency an entry moves with its next answers', () => {
  const measured = (name: string, latencyMs: number) => ({ ...entry({ name }), latencyMs })
  const unmeasured = entry({ name: 'never' })
  const catalog = open(measured('slow', 2_400), unmeasured, measured('fast', 41))
  const names = () =>
    catalog
      .list(parseListQuery({ sortBy: 'latency' }))
      .services.decode()
      .map(({ name }) => name)
  expect(names()).toEqual(['fast', 'slow', 'never'])
  const entryNow = { ...unmeasured, latencyMs: 35 }
  catalog.apply([{ seq: 10, objectSeq: 10, id: unmeasured.id, entry: entryNow }])
  expect(names()).toEqual(['never', 'fast', 'slow'])
  expect(catalog.latency(unmeasured.id)).toBe(35)
})
