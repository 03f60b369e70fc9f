import { expect, test } from 'bun:test'
import { HashedTexts } from '../../src/memory/hash-table.ts'

const address = (number: number) => `0x${number.toString(16).padStart(40, '0')}`

test('The slots of an address are found after thousands of writes, moves and releases', () => {
  const payees = new HashedTexts()
  const model = new Map<number, string>()
  let state = 11
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let step = 0; step < 20_000; step++) {
    const slot = random(6_000)
    if (random(4) === 0) {
      payees.release(slot)
      model.delete(slot)
    } else {
      const payee = address(random(900))
      payees.write(slot, payee)
      model.set(slot, payee)
    }
  }
  expect(model.size).toBeGreaterThan(2_048)
  const wanted = Map.groupBy(model.keys(), slot => model.get(slot)!)
  for (let number = 0; number < 910; number++) {
    const found = payees.findSome(payees.words(address(number)), 10_000)
    expect(found.sort((a, b) => a - b)).toEqual((wanted.get(address(number)) ?? []).sort((a, b) => a - b))
  }
})

test('the slots of an address with too many entries are not enumerated', () => {
  const payees = new HashedTexts()
  for (let slot = 0; slot < 50; slot++) payees.write(slot, address(1))
  payees.write(50, address(2))
  expect(payees.findSome(payees.words(address(1)), 60)).toHaveLength(50)
})

test('one very frequent text does not slow down the lookup of others', () => {
  const payees = new HashedTexts()
  let slot = 0
  for (let number = 0; number < 3_000; number++) payees.write(slot++, address(number))
  // By chance some of the others share a list of the table with one of these.
  for (let crowd = 0; crowd < 40; crowd++)
    for (let i = 0; i < 300; i++) payees.write(slot++, address(10_000 + crowd))
  for (let number = 0; number < 3_000; number++) {
    expect(payees.of(address(number), 200)).toEqual([number])
    expect(payees.findSome(payees.words(address(number)), 1)).toEqual([number])
  }
  expect(payees.of(address(10_000), 200)).toHaveLength(200)
})
