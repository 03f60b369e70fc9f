// What is read of a request before it is counted takes as long as it is, whatever is in it.
import { expect, test } from 'bun:test'
import { LIST_OPERATIONS } from '../../../src/directory/lists.ts'
import { readParameters } from '../../../src/http/pipeline/request.ts'
import { createPages } from '../../../src/web/pages.ts'

/** Of a character, in the quickest of several runs: other work on the machine only adds to it. */
function timeOf(text: string, read: (text: string) => unknown): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 5; i++) {
    const began = Bun.nanoseconds()
    read(text)
    least = Math.min(least, Bun.nanoseconds() - began)
  }
  return least / text.length
}

type Cost = (request: { readonly url: string }) => number
const costOfList: Cost = LIST_OPERATIONS.list.cost
const costOfHome = createPages({} as never).pages.find(({ path }) => path === '/')!.cost as Cost

test.each<[number, string]>([
  [1, '?category=weather&chain=base&status=verified'],
  [1, '?maxPricePerRequest=1&sortBy=price'],
  [1, '?maxUsdPrice=1&sortBy=usdPrice'],
  [10, '?maxPricePerRequest=1'],
  [10, '?maxUsdPrice=1&sortBy=price'],
  [10, '?category=weather&level=paid'],
  [10, '?%6cevel=paid'],
  [4, '?query=weather'],
])('a list costs %d with %s', (cost, url) => {
  expect(costOfList({ url })).toBe(cost)
})

test.each<[string, number, (text: string) => unknown]>([
  ['?', 16_000, url => costOfList({ url })],
  ['?', 16_000, url => costOfHome({ url })],
  ['&', 64_000, readParameters],
])('%s takes no longer among %d', (part, count, read) => {
  const [short, long] = [part.repeat(128), part.repeat(count)]
  for (let i = 0; i < 50; i++) read(short)
  expect(timeOf(long, read)).toBeLessThan(20 * timeOf(short, read))
})
