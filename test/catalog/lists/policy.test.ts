import { afterAll, expect, spyOn, test } from 'bun:test'
import { Catalog } from '../../../src/catalog/catalog.ts'
import { parseListQuery } from '../../../src/domain/queries/queries.ts'
import { SortedSlots } from '../../../src/memory/sorted-slots.ts'
import { entry } from '../../entries.ts'

let visited = 0
const scan = SortedSlots.prototype.scan
const spy = spyOn(SortedSlots.prototype, 'scan').mockImplementation(function (
  this: SortedSlots,
  from: number,
  step: 1 | -1,
  visit: (slot: number) => boolean,
) {
  scan.call(this, from, step, slot => {
    visited++
    return visit(slot)
  })
})
afterAll(() => spy.mockRestore())

/** Two of three are verified, in both categories and at every price. */
const ENTRIES = Array.from({ length: 1_200 }, (_, i) =>
  entry(
    {
      name: `Service ${i}`,
      category: i % 2 === 0 ? 'ai' : 'data',
      endpoint: `https://api${i}.shop.test/`,
      pricing: { currency: 'USDC', pricePerRequest: (((i * 7) % 1_200) / 10_000).toFixed(4), freeQuota: 0 },
    },
    { standing: { status: i % 3 === 0 ? 'unverified' : 'verified' } },
  ),
)

test.each([
  {},
  { sortOrder: 'asc' },
  { sortBy: 'price' },
  { sortBy: 'price', sortOrder: 'desc' },
  { sortBy: 'trustScore' },
])('under a policy, a list in the order %j with another bound is not counted one by one', order => {
  const catalog = new Catalog()
  catalog.apply(
    ENTRIES.map((each, i) => ({ seq: i + 1, objectSeq: i + 1, id: each.id, entry: each }) as never),
  )
  const view = catalog.under({ levels: ['verified'] })
  const read = (of: Catalog, maxPricePerRequest: string) => {
    const before = visited
    of.list(parseListQuery({ category: 'ai', maxPricePerRequest, ...order }))
    return visited - before
  }
  // The first list reads what the policy allows of the category, once for all bounds.
  read(view, '0.1')
  for (const bound of ['0.06', '0.08', '0.09']) {
    const [open, own] = [read(catalog, bound), read(view, bound)]
    expect(open).toBeLessThan(100)
    expect(own).toBeLessThan(2 * open)
  }
})
