// The official client of the protocol, connected over each transport that the directory supports.
import { Client, type ElicitResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { InMemoryTransport, type Transport } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { readConfig, SETTING_DEFAULTS } from '../../src/app/config.ts'
import { loadBuyer } from '../../src/cli/buyer-package.ts'
import { createClient } from '../../src/http/client/client.ts'
import { buildServer } from '../../src/mcp/server.ts'
import { LAUNCHER, MAIN } from '../program.ts'

/** legacy: the protocol with a handshake, of 2025; auto: the newest that both sides know. */
export type Era = 'legacy' | 'auto'
export type Connected = Client & AsyncDisposable
/** What the user is asked, and answers. */
export type Elicit = (message: string) => Promise<ElicitResult>

export async function connectOverHttp(
  url: string,
  { key, era = 'auto', elicit }: { key?: string; era?: Era; elicit?: Elicit } = {},
): Promise<Connected> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } })
  return connect(transport, era, elicit)
}

/** Starts `shirube mcp` as a host does, but for the launcher, unless it is asked for: it takes a third of the time. */
export async function connectOverStdio(
  args: readonly string[],
  {
    env = {},
    cwd,
    era = 'auto',
    elicit,
    isLaunched = false,
  }: { env?: Record<string, string>; cwd?: string; era?: Era; elicit?: Elicit; isLaunched?: boolean } = {},
): Promise<Connected> {
  const inherited = Object.entries(process.env).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && !(pair[0] in SETTING_DEFAULTS),
  )
  const transport = new StdioClientTransport({
    command: isLaunched ? 'node' : process.execPath,
    args: [isLaunched ? LAUNCHER : MAIN, 'mcp', ...args],
    env: { ...Object.fromEntries(inherited), LOG_LEVEL: 'error', PROBE: 'off', ...env },
    ...(cwd !== undefined && { cwd }),
    stderr: 'ignore',
  })
  return connect(transport, era, elicit)
}

/** The server that pays, in this process: one of its own takes a second of a core to start. */
export async function connectInProcess(
  env: Record<string, string>,
  flags: Record<string, string>,
  { era = 'auto', elicit }: { era?: Era; elicit?: Elicit } = {},
): Promise<Connected> {
  const disposables = new AsyncDisposableStack()
  const config = readConfig(env, flags)
  const directory = createClient(config)
  const onFault = (tool: string, error: unknown) => console.error(tool, error)
  const callTool = await (await loadBuyer()).openCallTool(config, directory, { disposables, onFault })
  const [near, far] = InMemoryTransport.createLinkedPair()
  const options = { title: config.directoryName, key: config.key, callTool, onFault }
  const served = serveStdio(() => buildServer(directory, options), { transport: far, maxSubscriptions: 0 })
  disposables.defer(() => served.close())
  const client = await connect(near, era, elicit)
  const close = client.close.bind(client)
  client.close = async () => {
    await close()
    await disposables.disposeAsync()
  }
  return client
}

async function connect(transport: Transport, era: Era, elicit?: Elicit): Promise<Connected> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: era }, capabilities: elicit ? { elicitation: { form: {} } } : {} },
  )
  if (elicit) client.setRequestHandler('elicitation/create', ({ params }) => elicit(params.message))
  await client.connect(transport)
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
}

// biome-ignore lint/suspicious/noExplicitAny: a test names the fields it expects, and fails where one is missing
type Json = any
type Called = { readonly isError: boolean; readonly text: string; readonly content: Json }

/** The client checks structured content against the output schema of the tool, once it has listed the tools. */
export async function call(client: Client, name: string, args: object = {}): Promise<Called> {
  const { isError, content, structuredContent } = await client.callTool({
    name,
    arguments: args as Record<string, unknown>,
  })
  const text = content.map(part => (part.type === 'text' ? part.text : '')).join('\n')
  return { isError: isError === true, text, content: structuredContent }
}
