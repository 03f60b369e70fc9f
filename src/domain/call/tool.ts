// An MCP tool is paid in the message that calls it: the result of the unpaid call is an error with the payment requirements, and the
// signature goes into the metadata of the next call.
import { samplesNote } from './format-price.ts'
import { jsonText, toTypeScript } from './literals.ts'
import { toPayer } from './payer.ts'
import type { CallRequest, ToolCall } from './request.ts'
import type { LimitedRequirements } from './spending-limit.ts'
import type { ToolInput } from './tool-input.ts'

const PACKAGES = '@modelcontextprotocol/client @x402/core'

const toImports = (requirements: LimitedRequirements): string =>
  [
    `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'`,
    `import { x402Client } from '@x402/core/client'`,
    `import type { PaymentRequired } from '@x402/core/types'`,
    ...toPayer(requirements).imports,
  ].join('\n')

/** Code that declares `callPaid`. */
const toCaller = (
  url: string,
  name: string,
): string => `/** Calls the tool, and once more with a payment where its result asks for one. */
async function callPaid(given: Record<string, unknown>) {
  const server = new Client({ name: 'x402-caller', version: '1.0.0' })
  await server.connect(new StreamableHTTPClientTransport(new URL(${jsonText(url)})))
  try {
    const call = { name: ${jsonText(name)}, arguments: given }
    // Some servers answer with an error of the protocol instead.
    const unpaid = await server.callTool(call).catch((error: { data?: unknown }) => {
      if (error.data === undefined) throw error
      return { isError: true, content: [], structuredContent: error.data, _meta: undefined }
    })
    if (!unpaid.isError) return { ...unpaid, isPaid: false }
    const [first] = unpaid.content
    const terms = unpaid.structuredContent ?? JSON.parse(first?.type === 'text' ? first.text : 'null')
    const payment = await client.createPaymentPayload(terms as PaymentRequired)
    const paid = await server.callTool({ ...call, _meta: { 'x402/payment': payment } })
    return { ...paid, isPaid: true }
  } finally {
    await server.close()
  }
}`

export function toToolCall(request: CallRequest, tool: ToolCall, requirements: LimitedRequirements): string {
  const { head, client } = toPayer(requirements)
  return `${head(PACKAGES)}${toImports(requirements)}

${client}

${toCaller(request.url, tool.name)}

${samplesNote(request, '//')}const { isError, isPaid, content, _meta } = await callPaid(${toTypeScript(tool.arguments)})
console.log(isError ? 'error' : isPaid ? 'paid' : 'free', JSON.stringify(content))
if (isPaid) console.log('receipt:', JSON.stringify(_meta?.['x402/payment-response']))
`
}

type ToolServer = {
  readonly url: string
  readonly tool: ToolCall
  readonly requirements: LimitedRequirements
  /** The service, as a name that MCP hosts accept. */
  readonly name: string
  readonly description: string
  readonly input: ToolInput
}

/** A one-file server between an MCP host that cannot pay and the MCP server that requires payment. */
export function toToolServer({ url, tool, requirements, name, description, input }: ToolServer): string {
  const { packages, client, key } = toPayer(requirements)
  return `// 1. npm install @modelcontextprotocol/server ${packages(PACKAGES)}
// 2. Save this file as ${name}.ts beside node_modules.
// 3. Add it to the configuration of your MCP host:
//    { "mcpServers": { "${name}": { "command": "npx", "args": ["-y", "tsx", "/path/to/${name}.ts"], "env": { "${key}": "…" } } } }
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
${toImports(requirements)}

${client}

${toCaller(url, tool.name)}

const server = new McpServer({ name: ${jsonText(name)}, version: '1.0.0' })
server.registerTool(
  'call',
  {
    description: ${jsonText(description)},
    inputSchema: fromJsonSchema<Record<string, unknown>>(${toTypeScript(input, '    ')} as object),
  },
  async given => {
    const { isError, content } = await callPaid(given)
    return { isError: isError === true, content }
  },
)
serveStdio(() => server)
`
}
