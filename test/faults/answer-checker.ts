// Compares an answer with what the OpenAPI document promises for its operation: status, headers, type and shape of the body.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import document from '../../openapi.json' with { type: 'json' }
import type { RawAnswer } from './raw-connection.ts'

type Node = { readonly [name: string]: unknown }
type Operation = Node & { readonly responses: Readonly<Record<string, Node>> }
type PathItem = Readonly<Record<string, Operation>>

/** Those of HTTP itself, of caching and of browsers, which no operation names for itself. */
const GENERAL_HEADERS = new Set([
  ...'date content-type content-length content-encoding transfer-encoding cache-control vary'.split(' '),
  ...'x-content-type-options access-control-allow-origin access-control-expose-headers'.split(' '),
])

export type Asked = { readonly method: string; readonly target: string }

/** Every way in which the answer differs from the document; none where it keeps its word. */
export function checkAnswer({ method, target }: Asked, answer: RawAnswer): string[] {
  const item = findItem(target)
  if (!item) return checkProblem(answer, 404, 'a path that nothing answers')
  if (method === 'OPTIONS') {
    return answer.status === 204 && answer.headers.allow ? [] : [`OPTIONS is answered ${answer.status}`]
  }
  const operation = item[method === 'HEAD' ? 'get' : method.toLowerCase()]
  if (!operation) {
    const missing = answer.headers.allow ? [] : ['a wrong method is answered without Allow']
    return [...missing, ...checkProblem(answer, 405, `${method}, which is not documented`)]
  }
  const response = resolve(operation.responses[answer.status])
  if (!response) return [`${operation.operationId} does not document ${answer.status}`]
  return [...checkHeaders(response, answer), ...checkBody(method, response, answer)]
}

/** Fixed paths go before those with a parameter. */
function findItem(target: string): PathItem | undefined {
  const [path = ''] = target.split(/[?#]/)
  const paths = document.paths as unknown as Record<string, PathItem>
  if (Object.hasOwn(paths, path)) return paths[path]
  const found = Object.keys(paths).find(template => toPattern(template).test(path))
  return found === undefined ? undefined : paths[found]
}

const toPattern = (template: string): RegExp =>
  new RegExp(`^${template.replaceAll('.', '\\.').replace(/\{\w+\}/, '[^/]+')}$`, 's')

function resolve(node: Node | undefined): Node | undefined {
  const reference = node?.$ref as string | undefined
  if (reference === undefined) return node
  return reference
    .slice(2)
    .split('/')
    .reduce<Node>((found, name) => found[name] as Node, document as unknown as Node)
}

function checkHeaders({ headers = {} }: Node, answer: RawAnswer): string[] {
  const documented = new Set(Object.keys(headers as Node).map(name => name.toLowerCase()))
  return Object.keys(answer.headers)
    .filter(name => !documented.has(name) && !GENERAL_HEADERS.has(name))
    .map(name => `${answer.status} does not document the header ${name}`)
}

function checkBody(method: string, { content }: Node, { status, headers, body }: RawAnswer): string[] {
  if (method === 'HEAD' || content === undefined) return body.length === 0 ? [] : [`${status} has a body`]
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  const media = (content as Record<string, { schema: Node }>)[type]
  if (!media) return [`${status} does not document the type ${type}`]
  const text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  if (!type.endsWith('json')) return []
  const validate = validatorOf(media.schema)
  const problems = validate(read(type, text))
    ? []
    : validate.errors!.map(
        ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
      )
  return type === 'application/problem+json'
    ? [...problems, ...checkProblem({ status, headers, body }, status)]
    : problems
}

/** Lines of documents are documented as one text; each of them is read all the same. */
function read(type: string, text: string): unknown {
  if (!type.endsWith('ndjson')) return JSON.parse(text)
  for (const line of text.split('\n').filter(Boolean)) JSON.parse(line)
  return text
}

function checkProblem({ status, headers, body }: RawAnswer, expected: number, of?: string): string[] {
  if (status !== expected) return [`${of} is answered ${status}`]
  if (headers['content-type'] !== 'application/problem+json') return [`${status} is no problem document`]
  if (body.length === 0) return []
  const problem = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  return problem.status === status ? [] : [`a problem that says ${problem.status} is sent as ${status}`]
}

const ajv = new Ajv2020({
  strict: false,
  allErrors: true,
  formats: {
    uri: text => URL.canParse(text),
    'uri-reference': text => URL.canParse(text, 'https://directory.example'),
    date: /^\d{4}-\d\d-\d\d$/,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  },
})
ajv.addSchema({ $id: 'document', components: closed(document.components) })

const validators = new Map<string, ValidateFunction>()
function validatorOf(schema: Node): ValidateFunction {
  const text = JSON.stringify(closed(schema)).replaceAll('"#/components/', '"document#/components/')
  let validate = validators.get(text)
  if (!validate) {
    validate = ajv.compile(JSON.parse(text))
    validators.set(text, validate)
  }
  return validate
}

/** A field that the document does not name is not sent, so here every object is complete. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== 'object' || node === null) return node
  const inner = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]))
  return inner.type === 'object' && inner.properties ? { ...inner, additionalProperties: false } : inner
}
