// No untrusted text escapes from its literal: every snippet is parsed in its own language, and what
// comes out is what went in.
import { expect, test } from 'bun:test'
import { CALL_LANGUAGES, type CallLanguage, toCall } from '../../../src/domain/call/call.ts'
import { toCallRequest } from '../../../src/domain/call/request.ts'
import type { StoredTerms } from '../../../src/domain/terms/terms.ts'
import { draft } from '../../entries.ts'
import { fc } from '../../fast-check.ts'
import { temporaryPath } from '../../store/temporary-path.ts'
import { hostileTerms, hostileTools } from './hostile.ts'

/** Its words are a stranger's too. */
const LISTED = {
  ...draft({
    name: `"\`$\{globalThis.pwned = 1}\` */ \u202e`,
    description: '\n"); globalThis.pwned = 1; ("',
  }),
  id: 'svc_01',
}
const requestOf = (terms: StoredTerms) => toCallRequest(terms.resources[0]!)
/** What is sent as JSON, and what as text. */
const bodyOf = (terms: StoredTerms): { json: unknown; data: string | null } => {
  const { body } = requestOf(terms)
  return { json: body?.kind === 'json' ? body.value : null, data: body?.kind === 'text' ? body.value : null }
}

test('the TypeScript snippet sends the request of the schema and does nothing else', async () => {
  const transpiler = new Bun.Transpiler({ loader: 'ts' })
  const property = fc.asyncProperty(hostileTerms, async terms => {
    const sent: { url: string; init: RequestInit | undefined }[] = []
    const send = async (url: string, init?: RequestInit) => {
      sent.push({ url, init })
      return new Response('')
    }
    class Client {
      register = () => this
      registerV1 = () => this
      setSpendControls = () => this
      registerPolicy = () => this
    }
    const scope = {
      fetch: send,
      wrapFetchWithPayment: () => send,
      x402Client: Client,
      privateKeyToAccount: () => ({}),
      ExactEvmScheme: class {},
      ExactEvmSchemeV1: class {},
      console: { log() {} },
      process: { env: {} },
    }
    const code = toCall(LISTED, terms, 'typescript').replace(/^import .*$/gm, '')
    const script = transpiler.transformSync(`export default async (${Object.keys(scope)}) => {\n${code}\n}`)
    const run = new Function(script.replace('export default', 'return'))()
    await run(...Object.values(scope))
    const { method, url, body } = requestOf(terms)
    expect(sent).toHaveLength(1)
    expect(sent[0]!.url).toBe(url)
    expect(sent[0]!.init?.method ?? 'GET').toBe(method)
    if (body?.kind === 'json') expect(sent[0]!.init!.body).toBe(JSON.stringify(body.value))
    expect(Object.hasOwn(globalThis, 'pwned')).toBe(false)
  })
  await fc.assert(property, { numRuns: 300 })
})

/** A line of an example may be parted by tabs, and a shell takes them inside of quotes; in the other languages they are escaped. */
const unseenIn = (language: CallLanguage): RegExp =>
  language === 'curl' ? /(?![\n\t])[\p{C}\u2028\u2029]/u : /(?!\n)[\p{C}\u2028\u2029]/u

test('the snippet for an MCP tool calls the tool with the arguments of its schema and does nothing else', async () => {
  const transpiler = new Bun.Transpiler({ loader: 'ts' })
  const property = fc.asyncProperty(hostileTools(), async terms => {
    const called: unknown[] = []
    class Server {
      connect = async () => {}
      close = async () => {}
      callTool = async (call: unknown) => {
        called.push(call)
        return { isError: false, content: [] }
      }
    }
    const addresses: string[] = []
    class Payer {
      register = () => this
      registerV1 = () => this
      setSpendControls = () => this
      registerPolicy = () => this
    }
    const scope = {
      Client: Server,
      StreamableHTTPClientTransport: class {
        constructor(url: URL) {
          addresses.push(url.href)
        }
      },
      x402Client: Payer,
      privateKeyToAccount: () => ({}),
      ExactEvmScheme: class {},
      ExactEvmSchemeV1: class {},
      fetch: async () => new Response(''),
      console: { log() {} },
      process: { env: {} },
    }
    const text = toCall(LISTED, terms, 'typescript')
    const code = text.replace(/^import .*$/gm, '')
    const script = transpiler.transformSync(`export default async (${Object.keys(scope)}) => {\n${code}\n}`)
    await new Function(script.replace('export default', 'return'))()(...Object.values(scope))
    const { tool, url } = requestOf(terms)
    // Without a way that can be paid it is the unpaid request.
    if (text.includes('callPaid')) {
      expect(addresses).toEqual([url])
      expect(JSON.stringify(called)).toBe(JSON.stringify([tool]))
    }
    const hosted = toCall(LISTED, terms, 'mcp')
    if (hosted.startsWith('{')) JSON.parse(hosted)
    else transpiler.transformSync(hosted)
    for (const language of CALL_LANGUAGES)
      expect(toCall(LISTED, terms, language)).not.toMatch(unseenIn(language))
    expect(Object.hasOwn(globalThis, 'pwned')).toBe(false)
  })
  await fc.assert(property, { numRuns: 200 })
})

test('the MCP server snippet parses, and no snippet contains an invisible character', () => {
  const transpiler = new Bun.Transpiler({ loader: 'ts' })
  const property = fc.property(hostileTerms, terms => {
    transpiler.transformSync(toCall(LISTED, terms, 'mcp'))
    for (const language of CALL_LANGUAGES)
      expect(toCall(LISTED, terms, language)).not.toMatch(unseenIn(language))
  })
  fc.assert(property, { numRuns: 300 })
})

const READ_PYTHON = `
import ast, json, sys
for line in sys.stdin:
    tree = ast.parse(json.loads(line))
    [call] = [n for n in ast.walk(tree) if isinstance(n, ast.Call) and getattr(n.func, "attr", "") == "request"]
    names = sorted({n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)})
    given = {k.arg: k.value for k in call.keywords}
    print(json.dumps({
        "method": ast.literal_eval(call.args[0]),
        "url": ast.literal_eval(call.args[1]),
        "json": ast.literal_eval(given["json"]) if "json" in given else None,
        "data": ast.literal_eval(given["data"].func.value) if "data" in given else None,
        "names": names,
    }))
`
const python = Bun.which('python3')

test.skipIf(python === null)(
  'the Python snippet sends the request of the schema and calls nothing else',
  async () => {
    const samples = fc.sample(hostileTerms, 300)
    const snippets = samples.map(terms => JSON.stringify(toCall(LISTED, terms, 'python'))).join('\n')
    const reader = Bun.spawn([python!, '-c', READ_PYTHON], {
      stdin: new TextEncoder().encode(`${snippets}\n`),
      stdout: 'pipe',
    })
    const lines = (await new Response(reader.stdout).text()).trim().split('\n')
    expect(lines).toHaveLength(samples.length)
    const known =
      'EthAccountSigner ExactEvmScheme ExactEvmSchemeV1 int print x402ClientSync x402_requests'.split(' ')
    for (const [i, line] of lines.entries()) {
      const { method, url, json, data, names } = JSON.parse(line)
      expect({ method, url }).toEqual({
        method: requestOf(samples[i]!).method,
        url: requestOf(samples[i]!).url,
      })
      // Half of a pair is no text; both languages send the mark of replacement.
      expect({ json, data }).toEqual(
        JSON.parse(JSON.stringify(bodyOf(samples[i]!)).replace(/\\ud[89a-f]../g, '\ufffd')),
      )
      expect(known).toEqual(expect.arrayContaining(names))
    }
  },
)

test('a shell passes the same arguments to curl and runs nothing else', async () => {
  const samples = fc.sample(hostileTerms, 150)
  const place = temporaryPath()
  const folder = await Bun.$`mkdir -p ${place} && echo ${place}`.text()
  for (const terms of samples) {
    const script = `curl() { for word; do printf '%s\\0' "$word"; done; }\n${toCall(LISTED, terms, 'curl')}`
    const { stdout, exitCode, stderr } = Bun.spawnSync(['sh', '-c', script], { cwd: folder.trim() })
    const words = stdout.toString().split('\0').slice(0, -1)
    expect({ exitCode, said: stderr.toString() }).toEqual({ exitCode: 0, said: '' })
    const { url, method, headers, body } = requestOf(terms)
    const expected = [
      '-i',
      ...(/[[\]{}]/.test(url) ? ['--globoff'] : []),
      ...(method === 'HEAD'
        ? ['--head']
        : method === 'GET' && headers.length === 0 && !body
          ? []
          : ['-X', method]),
      url,
    ]
    expect(words.slice(0, expected.length)).toEqual(expected)
    if (body?.kind === 'json')
      expect(JSON.parse(words.at(-1)!)).toEqual(JSON.parse(JSON.stringify(body.value)))
    if (body?.kind === 'text' && !body.fields)
      expect(words.at(-1)!).toBe(body.value.toWellFormed().replace(/(?![\n\t])[\p{C}\u2028\u2029]/gu, ''))
  }
  expect((await Bun.$`ls -A ${folder.trim()}`.text()).trim()).toBe('')
})

const curl = Bun.which('curl')

test.skipIf(curl === null)('curl sends every form field unchanged', async () => {
  let sent: [string, unknown][] = []
  using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      sent = [...(await request.formData()).entries()]
      return new Response('', { status: 402 })
    },
  })
  const fields: Record<string, string> = {
    city: 'a\nb',
    file: '@/etc/passwd',
    read: '</etc/passwd',
    typed: 'x;type=text/html',
    quoted: `"it's" $(touch pwned) \`x\``,
    'odd=name;"': '東京 🗼',
  }
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, example]) => [name, { type: 'string', example }]),
  )
  const input = {
    type: 'object',
    contentMediaType: 'multipart/form-data',
    properties,
    required: Object.keys(fields),
  }
  const [{ resources, ...terms }] = fc.sample(hostileTerms, 1) as [StoredTerms]
  const url = `http://127.0.0.1:${server.port}/v1`
  const script = toCall(
    LISTED,
    { ...terms, resources: [{ ...resources[0]!, url, method: 'POST', input }] },
    'curl',
  )
  const child = Bun.spawn(['sh', '-c', script.replace('curl -i', 'curl -is')], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  expect(await new Response(child.stdout).text()).toStartWith('HTTP/1.1 402')
  // Lines of a form are separated by both characters.
  const told = sent.map(([name, value]) => [decodeURIComponent(name), String(value).replaceAll('\r\n', '\n')])
  expect(Object.fromEntries(told)).toEqual(fields)
})
