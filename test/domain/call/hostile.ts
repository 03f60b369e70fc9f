// Hostile terms that try to escape from the text they are put into.

import type { StoredTerms } from '../../../src/domain/terms/terms.ts'
import { fc } from '../../fast-check.ts'
import { requirements } from '../../terms.ts'

const BREAKOUTS = [
  "'; touch pwned; '",
  '"; globalThis.pwned = 1; "',
  `\`\${globalThis.pwned = 1}\``,
  '$(touch pwned)',
  '`touch pwned`',
  '\\',
  "\\'",
  '\\"',
  '\n__import__("os").system("touch pwned")\n',
  '"""\nimport os\n"""',
  '*/ globalThis.pwned = 1 /*',
  '// \u2028globalThis.pwned = 1',
  '\u2029',
  '\u202e\u2066reversed',
  '\u{e0041}\u{e0042}',
  '\ud800',
  '\u0000',
  'a\tb',
  '\u001b[2Jcleared',
  '\r\nX-Injected: 1',
  '!!',
  '@/etc/passwd',
  '-o /tmp/pwned',
  '{a,b}[1-9]',
  '__proto__',
  'constructor',
  '#\'"',
  '%s %(x)s {x}',
  '&& touch pwned ||',
  '</script><script>',
  '東京 🗼',
]

export const hostileText = fc.oneof(
  fc.constantFrom(...BREAKOUTS),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.tuple(fc.string({ maxLength: 4 }), fc.constantFrom(...BREAKOUTS)).map(parts => parts.join('')),
)

const hostileWay = fc
  .record({
    asset: hostileText,
    payTo: hostileText,
    assetName: hostileText,
    price: hostileText,
    network: hostileText,
  })
  .map(words => ({ ...requirements, ...words }))

const hostileUrl = fc
  .tuple(hostileText, hostileText)
  .map(([path, query]) => `https://api.example/${path}?q=${query}`)
  .filter(url => URL.canParse(url))

const place = fc.constantFrom('path', 'query', 'header', undefined)

const mediaType = fc.constantFrom(
  undefined,
  'application/json',
  'multipart/form-data',
  'application/x-www-form-urlencoded',
  'text/plain',
)
const hostileFields = fc.array(fc.tuple(hostileText, hostileText, place), { maxLength: 5 })

const hostileInput = fc.tuple(hostileFields, mediaType).map(([fields, contentMediaType]) => ({
  type: 'object',
  ...(contentMediaType && { contentMediaType }),
  properties: Object.fromEntries(
    fields.map(([name, example, where]) => [
      name,
      { type: 'string', example, ...(where && { 'x-in': where }) },
    ]),
  ),
  required: fields.map(([name]) => name),
}))

/** The same of tools of MCP servers. */
export const hostileTools = (): fc.Arbitrary<StoredTerms> =>
  fc.tuple(hostileTerms, hostileText).map(([{ resources, ...terms }, tool]) => ({
    ...terms,
    resources: resources.map(resource => ({ ...resource, tool })),
  }))

export const hostileTerms: fc.Arbitrary<StoredTerms> = fc
  .record({
    url: hostileUrl,
    method: fc.oneof(fc.constantFrom('GET', 'POST', 'PUT', 'HEAD'), hostileText),
    input: fc.option(hostileInput, { nil: undefined }),
    ways: fc.array(fc.oneof(fc.constant(requirements), hostileWay), { minLength: 1, maxLength: 3 }),
    text: hostileText,
    version: fc.constantFrom(1 as const, 2 as const),
  })
  .map(({ url, method, input, ways, text, version }) => ({
    seenAt: '2026-01-01T00:00:00.000Z',
    x402Version: version,
    resources: [
      {
        url,
        method,
        description: text,
        ...(input && { input }),
        accepts:
          version === 1
            ? ways.map(each => (each === requirements ? { ...requirements, network: 'base' } : each))
            : ways,
        extensions: [],
        source: '402' as const,
      },
    ],
  }))
