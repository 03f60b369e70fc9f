import { describe, expect, test } from 'bun:test'
import { loadFacilitators } from '../../src/app/outcome-proofs.ts'
import { readFacilitators } from '../../src/chain/facilitators.ts'
import { addressProblem } from '../../src/domain/chains/addresses.ts'
import { temporaryPath } from '../store/temporary-path.ts'

const OWN = '0xABcdefABcdefABcdefABcdefABcdefABcdefABcd'
const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

async function write(text: string): Promise<string> {
  const path = temporaryPath('facilitators.json')
  await Bun.write(path, text)
  return path
}

describe('the table of facilitators', () => {
  test('knows some by itself, each by an address that exists on its chain', () => {
    const known = loadFacilitators(undefined)
    expect([...known.keys()].sort()).toEqual(['eip155:137', 'eip155:8453', SOLANA])
    for (const [chain, addresses] of known)
      for (const address of addresses) expect(addressProblem(address, chain)).toBeUndefined()
  })

  test('takes those of the operator, by any name of a network and in any spelling', async () => {
    const path = await write(JSON.stringify({ Base: [OWN], 'eip155:1': [OWN.toLowerCase()] }))
    const all = loadFacilitators(path)
    expect(all.get('eip155:8453')!.size).toBe(readFacilitators().get('eip155:8453')!.size + 1)
    expect([...all.get('eip155:1')!]).toEqual([OWN.toLowerCase()])
  })

  test.each([
    ['no JSON', '{', /must contain a JSON object .* is not JSON/],
    ['a list', '[]', /must contain a JSON object/],
    ['an unknown network', '{"baes": []}', /names "baes", which is not a known EVM or Solana network/],
    ['a network of another kind', '{"stellar": []}', /names "stellar"/],
    ['no list', `{"base": "${OWN}"}`, /"base" must have a list/],
    ['no address', '{"base": ["0x12"]}', /has "0x12" for "base", which is not an address there/],
  ])('with %s is refused in a sentence that names the setting and the file', async (_, text, message) => {
    const path = await write(text)
    expect(() => loadFacilitators(path)).toThrow(message)
    expect(() => loadFacilitators(path)).toThrow(`FACILITATORS: ${path} `)
  })

  test('that is missing is reported', () => {
    expect(() => loadFacilitators('/nowhere/facilitators.json')).toThrow(/cannot be read \(ENOENT\)/)
  })
})
