/**
 * Messages to an MCP server over streamable HTTP, one after the other. Whoever uses it says how a request is sent, so that its limits
 * hold here too. A server that keeps no sessions is spoken to in the same way.
 */
import { createEventReader, messagesOf, readNoStream } from './event-stream.ts'
import type { SafeRequest, SafeResponse } from './safe-fetch.ts'
import { cleanName, isRecord, type Json } from './untrusted-json.ts'

const PROTOCOL_VERSION = '2025-06-18'
export const MCP_ACCEPT = 'application/json, text/event-stream'

export type SessionRequest = Required<Pick<SafeRequest, 'method' | 'headers' | 'body' | 'readAlong'>>

export type Replied = {
  /** The message that answers the request; undefined where none came. */
  readonly message: Json | undefined
  readonly response: SafeResponse
}

export class McpSession {
  readonly #send: (request: SessionRequest) => Promise<SafeResponse>
  #headers: Readonly<Record<string, string>> = {}
  #id = 0

  constructor(send: (request: SessionRequest) => Promise<SafeResponse>) {
    this.#send = send
  }

  /** @param mayGoOn asked before the second message. @returns whether it is open, and the answer to the last message */
  async open(mayGoOn: () => boolean = () => true): Promise<Replied & { readonly isOpen: boolean }> {
    const clientInfo = { name: 'mcp-client', version: '1.0.0' }
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo }
    const found = await this.request('initialize', params)
    const { message, response } = found
    if (!isRecord(message?.result)) return { ...found, isOpen: false }
    const session = response.headers?.get('mcp-session-id')
    const version = cleanName(message.result.protocolVersion, 32) ?? PROTOCOL_VERSION
    this.#headers = {
      'mcp-protocol-version': version,
      ...(session && /^[\x21-\x7e]{1,512}$/.test(session) && { 'mcp-session-id': session }),
    }
    if (!mayGoOn()) return { ...found, isOpen: false }
    // Servers with sessions answer nothing before they have heard this.
    await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' }, this.#send)
    return { ...found, isOpen: true }
  }

  /** @param send in place of the usual way, for this request alone */
  async request(method: string, params: Json, send = this.#send): Promise<Replied> {
    const id = ++this.#id
    const response = await this.#post({ jsonrpc: '2.0', id, method, params }, send)
    const message = messagesOf(response).find(sent => isAnswerTo(id, sent))
    return { message: message as Json | undefined, response }
  }

  #post(message: Json, send: (request: SessionRequest) => Promise<SafeResponse>): Promise<SafeResponse> {
    return send({
      method: 'POST',
      body: JSON.stringify(message),
      headers: {
        'content-type': 'application/json',
        accept: MCP_ACCEPT,
        // A compressed stream cannot be read along with.
        'accept-encoding': 'identity',
        ...this.#headers,
      },
      // Nothing answers a notification: a stream that is opened for it may stay open.
      readAlong:
        message.id === undefined ? readNoStream : createEventReader(sent => isAnswerTo(message.id, sent)),
    })
  }
}

const isAnswerTo = (id: unknown, sent: unknown): boolean => isRecord(sent) && sent.id === id
