// The registrable domain of a host: one label below a public suffix, by the Public Suffix List. Platforms that give names to their
// customers, like vercel.app, are suffixes too, so that their customers count as different sellers.
import { readFileSync } from 'node:fs'
import { lazily } from '../../memory/memoize.ts'
import { packageFile } from '../../package/files.ts'
import { networkOf } from './ip-address.ts'

const FILE = packageFile('data/public-suffixes.txt')
const IP_ADDRESS = /^\[|^\d{1,3}(\.\d{1,3}){3}$/
const WILDCARD = '*.'
const EXCEPTION = '!'

const readRules = lazily((): ReadonlySet<string> => new Set(readFileSync(FILE, 'utf8').trimEnd().split('\n')))

const isSuffix = (all: ReadonlySet<string>, name: string, parent: string): boolean =>
  all.has(name) || (parent !== '' && all.has(WILDCARD + parent) && !all.has(EXCEPTION + name))

/** Of an address its network, of a mere suffix the suffix itself. @param host as URL writes it: lower case, in ASCII */
export function registrableDomain(host: string): string {
  if (IP_ADDRESS.test(host)) return networkOf(host)
  const rules = readRules()
  const name = host.endsWith('.') ? host.slice(0, -1) : host
  // Longest first: the registrable domain ends with the first suffix that is found, plus one label.
  let domain = name
  for (let at = name.indexOf('.'); at >= 0; at = name.indexOf('.', at + 1)) {
    const suffix = name.slice(at + 1)
    const end = suffix.indexOf('.')
    if (isSuffix(rules, suffix, end < 0 ? '' : suffix.slice(end + 1))) return domain
    domain = suffix
  }
  return lastTwo(name)
}

/** For a name below no listed suffix: its last label counts as the suffix. */
function lastTwo(name: string): string {
  const last = name.lastIndexOf('.')
  return last < 0 ? name : name.slice(name.lastIndexOf('.', last - 1) + 1)
}
