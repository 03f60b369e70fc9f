// By what an address is counted: whoever has one address of IPv6 has all others of its block, at no cost.
import { remember } from '../domain/remember.ts'

/** An IPv4 address as it is, however it is wrapped; of IPv6 the block of 64 bits that is handed to one customer at least. */
export const blockOf = remember(4_096, toBlock)

function toBlock(address: string): string {
  if (!address.includes(':')) return address
  const groups = groupsOf(address.replace(/%.*$/, '').toLowerCase())
  if (groups === undefined) return address
  const [a, b, c] = groups as [number, number, number]
  if (isV4Within(groups)) return dotted(groups[6]!, groups[7]!)
  // 6to4: a block of 48 bits belongs to the IPv4 address in it.
  if (a === 0x2002) return dotted(b, c)
  return `${groups
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')}::/64`
}

/** ::ffff:0:0/96 is how a socket for both kinds says IPv4, 64:ff9b::/96 how a NAT64 gateway does. */
function isV4Within([a, b, c, d, e, f]: readonly number[]): boolean {
  const isFilled = c === 0 && d === 0 && e === 0
  return isFilled && ((a === 0 && b === 0 && f === 0xffff) || (a === 0x64 && b === 0xff9b && f === 0))
}

const dotted = (high: number, low: number): string => [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')

/** Eight numbers; undefined where it is no address. */
function groupsOf(address: string): number[] | undefined {
  const [head = '', tail, ...more] = address.split('::')
  const before = toGroups(head)
  const after = toGroups(tail ?? '')
  const missing = 8 - before.length - after.length
  if (more.length > 0 || (tail === undefined ? missing !== 0 : missing < 1)) return undefined
  const groups = [...before, ...Array<number>(missing).fill(0), ...after]
  return groups.every(group => group >= 0 && group <= 0xffff) ? groups : undefined
}

function toGroups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap(group => {
    if (!group.includes('.')) return /^[\da-f]{1,4}$/.test(group) ? Number.parseInt(group, 16) : Number.NaN
    const [a, b, c, d] = group.split('.').map(Number) as [number, number, number, number]
    return [(a << 8) | b, (c << 8) | d]
  })
}
