// The rules of Redocly's and Spectral's recommended sets that this document could come to break. Both find nothing in it:
// `npx @redocly/cli lint openapi.json` and `npx @stoplight/spectral-cli lint openapi.json` with `extends: ["spectral:oas"]`.
import { expect, test } from 'bun:test'
import Ajv2020 from 'ajv/dist/2020.js'
import document from '../../../openapi.json' with { type: 'json' }
import { isCategoryId } from '../../../src/domain/listing/categories.ts'

type Node = { readonly [name: string]: unknown }
type Operation = {
  readonly summary?: string
  readonly description?: string
  readonly operationId?: string
  readonly tags?: readonly string[]
  readonly responses: Readonly<Record<string, unknown>>
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method} ${path}`,
    operation: operation as Operation,
  })),
)

test('every operation has a description and its errors', () => {
  for (const { name, operation } of operations) {
    for (const text of [operation.operationId, operation.summary, operation.description])
      expect([name, text]).toEqual([name, expect.stringMatching(/\S/)])
    const statuses = Object.keys(operation.responses)
    expect([name, statuses.some(status => status.startsWith('2'))]).toEqual([name, true])
    expect([name, statuses.some(status => status.startsWith('4'))]).toEqual([name, true])
  }
})

/** Every field in a part of the document, with its path; what is in a list or an alternative has the path of its field. */
function* fieldsIn(part: unknown, path: string): Generator<readonly [path: string, field: Node]> {
  if (typeof part !== 'object' || part === null) return
  const { properties, ...rest } = part as Node
  for (const [name, field] of Object.entries((properties ?? {}) as Readonly<Record<string, Node>>)) {
    yield [`${path}.${name}`, field]
    yield* fieldsIn(field, `${path}.${name}`)
  }
  for (const [name, each] of Object.entries(rest)) if (name !== 'example') yield* fieldsIn(each, path)
}

test('every field of every schema, body and header is described', () => {
  const { schemas, headers } = document.components
  const fields = [...Object.entries(schemas), ...Object.entries(document.paths)].flatMap(([name, part]) => [
    ...fieldsIn(part, name),
  ])
  const named = [
    ...fields,
    ...Object.entries(headers).map(([name, header]) => [name, header as Node] as const),
  ]
  expect(named.length).toBeGreaterThan(500)
  expect(named.flatMap(([path, { description }]) => (description ? [] : [path]))).toEqual([])
})

test('every tag of an operation is described, and used', () => {
  const used = new Set(operations.flatMap(({ operation }) => operation.tags ?? []))
  expect(document.tags.map(({ name }) => name).sort()).toEqual([...used].sort())
  for (const { description } of document.tags) expect(description).toMatch(/\S/)
})

test('security, contact and licence are stated for all operations', () => {
  expect(document.security).toEqual([])
  expect(document.info.contact.name).toMatch(/\S/)
  expect(document.info.license.identifier).toBe('MIT')
})

test('every shared component is referenced', () => {
  const text = JSON.stringify(document)
  for (const kind of ['schemas', 'headers', 'responses', 'examples'] as const) {
    for (const name of Object.keys(document.components[kind])) {
      const ref = `#/components/${kind}/${name}`
      expect([ref, text.includes(`"${ref}"`)]).toEqual([ref, true])
    }
  }
})

/** Calls back for every object in it, examples aside. */
function forEachNode(value: unknown, see: (node: Node, path: string) => void, path = ''): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) see(value as Node, path)
  for (const [name, inner] of Object.entries(value))
    if (name !== 'example' && name !== 'examples') forEachNode(inner, see, `${path}/${name}`)
}

test('no schema requires an undescribed field, or has keywords of another type', () => {
  forEachNode(document, (node, path) => {
    const { type, required, properties, items } = node
    if (Array.isArray(required) && (type === 'object' || properties !== undefined)) {
      const known = Object.keys((properties ?? {}) as Node)
      expect([path, required.filter(name => !known.includes(name))]).toEqual([path, []])
    }
    if (items !== undefined && type !== undefined) expect([path, type]).toEqual([path, 'array'])
  })
})

/** As Spectral compiles them: patterns without the flag `u`. */
const ajv = new Ajv2020({ strict: false, unicodeRegExp: false, validateFormats: false })
ajv.addSchema({ $id: 'document', ...document })

test('every example fits its schema', () => {
  let count = 0
  const fit = (schema: unknown, example: unknown, path: string) => {
    count++
    // References begin at the document.
    const whole = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
    const validate = ajv.compile(whole)
    expect([path, validate(example), validate.errors ?? []]).toEqual([path, true, []])
  }
  forEachNode(document, (node, path) => {
    const { schema, example, examples } = node
    if (schema === undefined) return
    if (example !== undefined) fit(schema, example, path)
    for (const name of Object.keys((examples ?? {}) as Node)) {
      const shared = document.components.examples[name as keyof typeof document.components.examples]
      fit(schema, shared.value, `${path}/${name}`)
    }
  })
  expect(count).toBeGreaterThan(100)
})

test('the pattern of a category accepts every valid category, with and without the flag u', () => {
  const { pattern, maxLength } = document.components.schemas.ServiceDraft.properties.category
  expect(maxLength).toBe(64)
  for (const flags of ['', 'u']) {
    const regex = new RegExp(pattern, flags)
    for (const id of ['weather', '天気', '𠮷野', 'a/b', 'R&D', '9 lives', 'x_y-z.w:v'])
      expect([id, regex.test(id), isCategoryId(id)]).toEqual([id, true, true])
    for (const id of ['', ' a', '-a', 'a!', 'a"b', 'a(b)', 'a;b', 'a[b', 'a`', 'a{', 'a\n', 'a\x7f'])
      expect([id, regex.test(id), isCategoryId(id)]).toEqual([id, false, false])
  }
})
