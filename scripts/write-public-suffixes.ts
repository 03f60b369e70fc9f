// Writes data/public-suffixes.txt from the Public Suffix List: bun scripts/write-public-suffixes.ts <public_suffix_list.dat>
import { domainToASCII } from 'node:url'

const [path] = process.argv.slice(2)
if (path === undefined) {
  console.error('bun scripts/write-public-suffixes.ts <public_suffix_list.dat>')
  process.exit(2)
}
const NOTICE = `# The rules of the Public Suffix List (https://publicsuffix.org/), its private section included, without its comments.
# This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. If a copy of the MPL was not
# distributed with this file, You can obtain one at https://mozilla.org/MPL/2.0/.
`

/** As it stands in the host of a URL; the marks of exceptions and wildcards stay. */
function toRule(line: string): string {
  const [, mark = '', name = ''] = /^(!|\*\.)?(.+)$/.exec(line)!
  return mark + domainToASCII(name)
}

const rules = (await Bun.file(path).text())
  .split('\n')
  .map(line => line.trim().split(/\s/)[0]!)
  .filter(line => line !== '' && !line.startsWith('//'))
  .map(toRule)
await Bun.write(
  new URL('../data/public-suffixes.txt', import.meta.url),
  `${NOTICE}${[...new Set(rules)].sort().join('\n')}\n`,
)
console.log(`${rules.length} rules`)
