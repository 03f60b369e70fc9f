// The service as a tool of an MCP host: its own MCP server if it has one, else a one-file server that pays and calls it.
import type { ResourceTerms } from '../terms.ts'
import type { PayableRequirements } from './choose-requirements.ts'
import { formatPrice } from './format-price.ts'
import { jsonText, toJson, toTypeScript } from './literals.ts'
import { toPayer } from './payer.ts'
import type { CallRequest } from './request.ts'
import { toToolServer } from './tool.ts'

type Parts = {
  readonly resource: ResourceTerms
  readonly request: CallRequest
  readonly requirements: PayableRequirements | undefined
  /** The service, as a name that MCP hosts accept. */
  readonly name: string
}

export function toMcpCall({ resource, request, requirements, name }: Parts): string {
  if (request.tool && requirements)
    return toToolServer({ url: request.url, tool: request.tool, requirements, name, input: resource.input })
  // An MCP host can still use the free tools of the server.
  if (request.tool) return `${toJson({ mcpServers: { [name]: { type: 'http', url: resource.url } } })}\n`
  if (!requirements)
    return `// No official client can pay the listed wallet on the listed network\n// by any option that this service offers, so no tool can be made of it.\n`
  const { packages, imports, key, client } = toPayer(requirements)
  const { method, url, headers, body } = request
  return `// 1. npm install @modelcontextprotocol/server ${packages('@x402/fetch')}
// 2. Save this file as ${name}.ts beside node_modules.
// 3. Add it to the configuration of your MCP host:
//    { "mcpServers": { "${name}": { "command": "npx", "args": ["-y", "tsx", "/path/to/${name}.ts"], "env": { "${key}": "…" } } } }
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
${imports.join('\n')}

${client}
const pay = wrapFetchWithPayment(fetch, client)

const server = new McpServer({ name: ${jsonText(name)}, version: '1.0.0' })
server.registerTool(
  'call',
  {
    description: ${jsonText(`Calls the service and pays at most ${formatPrice(requirements)}.`)},
    inputSchema: fromJsonSchema<{ url?: string; body?: unknown }>(${toTypeScript(toInputSchema(request), '    ')}),
  },
  async ({ url = ${jsonText(url)}${body ? ', body' : ''} }) => {
    const target = new URL(url)
    if (target.origin !== ${jsonText(new URL(url).origin)}) throw new Error('Only the service itself is called.')
    const response = await pay(target, {
      method: ${jsonText(method)},
      headers: ${toTypeScript(Object.fromEntries([...(body ? [['content-type', body.contentType]] : []), ...headers]), '      ')},
${body ? `      body: ${body.kind === 'json' ? `JSON.stringify(body ?? ${toTypeScript(body.value, '      ')})` : `String(body ?? ${jsonText(body.value)})`},\n` : ''}    })
    return { isError: !response.ok, content: [{ type: 'text', text: await response.text() }] }
  },
)
serveStdio(() => server)
`
}

/** The example request serves as documentation: an MCP host shows it to its model, which replaces the values. */
const toInputSchema = ({ url, body }: CallRequest) => ({
  type: 'object',
  properties: {
    url: { type: 'string', description: 'URL of the request, with its query', default: url },
    ...(body && {
      body: {
        ...(body.kind === 'text' && { type: 'string' }),
        description: 'Body of the request',
        default: body.value,
      },
    }),
  },
})
