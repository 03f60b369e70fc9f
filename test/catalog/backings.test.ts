// Which entry speaks for an endpoint, however many list it.
import { expect, test } from 'bun:test'
import { Catalog } from '../../src/catalog/catalog.ts'
import type { Entry } from '../../src/domain/service.ts'
import { entry } from '../entries.ts'

const WALLET = `0x${'ab'.repeat(20)}`
let seq = 0
const apply = (catalog: Catalog, ...entries: readonly Entry[]) =>
  catalog.apply(entries.map(each => ({ seq: ++seq, objectSeq: seq, id: each.id, entry: each })))

test('the claimed entry represents its endpoint, even if thousands of strangers list it before and after', () => {
  const catalog = new Catalog()
  const stranger = () => ({ ...entry({ name: `Copy ${++seq}` }), owner: `key_${seq}` })
  const own: Entry = {
    ...entry(
      { name: 'Original', x402Config: { paymentAddress: WALLET, network: 'base' } },
      { standing: { status: 'verified' } },
    ),
    owner: `eip155:${WALLET}`,
  }
  const copies = Array.from({ length: 5_000 }, stranger)
  apply(catalog, ...copies.slice(0, 2_500), own, ...copies.slice(2_500))
  for (const { id } of [copies[0]!, copies[2_500]!, copies.at(-1)!])
    expect(catalog.backing(id)!.representative).toEqual({ id: own.id, name: 'Original' })
  expect(catalog.backing(own.id)!.representative).toBeNull()

  // What it was seen to pay is what counts: where that is gone, nobody speaks.
  apply(catalog, { ...own, standing: { ...own.standing, status: 'unverified' } })
  expect(catalog.backing(copies[0]!.id)!.representative).toBeNull()
  apply(catalog, own)
  expect(catalog.backing(copies[0]!.id)!.representative).toEqual({ id: own.id, name: 'Original' })
  catalog.apply([{ seq: ++seq, objectSeq: seq, id: own.id, entry: null }])
  expect(catalog.backing(copies[0]!.id)!.representative).toBeNull()
})
