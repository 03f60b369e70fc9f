/**
 * Sends messages to an MCP server over streamable HTTP, one after the other. The caller supplies the send function,
 * with its own limits. Servers without sessions work the same way.
 */

import { isRecord, type JsonRecord } from '../../domain/json.ts'
import { createEventReader, messagesOf, readNoStream } from '../requests/event-stream.ts'
import type { SafeRequest, SafeResponse } from '../requests/safe-fetch.ts'
import { cleanName } from '../untrusted/untrusted-json.ts'

const PROTOCOL_VERSION = '2025-06-18'
export const MCP_ACCEPT = 'application/json, text/event-stream'

export type SessionRequest = Required<Pick<SafeRequest, 'method' | 'headers' | 'body' | 'readAlong'>>

export type McpReply = {
  /** The reply to the request; undefined if none arrived. */
  readonly message: JsonRecord | undefined
  readonly response: SafeResponse
}

export class McpSession {
  readonly #send: (request: SessionRequest) => Promise<SafeResponse>
  #headers: Readonly<Record<string, string>> = {}
  #id = 0

  constructor(send: (request: SessionRequest) => Promise<SafeResponse>) {
    this.#send = send
  }

  /** @param mayContinue called before the second message @returns whether the session is open, and the last reply */
  async open(mayContinue: () => boolean = () => true): Promise<McpReply & { readonly isOpen: boolean }> {
    const clientInfo = { name: 'mcp-client', version: '1.0.0' }
    const params = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo }
    const reply = await this.request('initialize', params)
    const { message, response } = reply
    if (!isRecord(message?.result)) return { ...reply, isOpen: false }
    const session = response.headers?.get('mcp-session-id')
    const version = cleanName(message.result.protocolVersion, 32) ?? PROTOCOL_VERSION
    this.#headers = {
      'mcp-protocol-version': version,
      ...(session && /^[\x21-\x7e]{1,512}$/.test(session) && { 'mcp-session-id': session }),
    }
    if (!mayContinue()) return { ...reply, isOpen: false }
    // Servers with sessions reply to nothing before this notification.
    await this.#post({ jsonrpc: '2.0', method: 'notifications/initialized' }, this.#send)
    return { ...reply, isOpen: true }
  }

  /** @param send overrides the default for this request */
  async request(method: string, params: JsonRecord, send = this.#send): Promise<McpReply> {
    const id = ++this.#id
    const response = await this.#post({ jsonrpc: '2.0', id, method, params }, send)
    const message = messagesOf(response).find(sent => isAnswerTo(id, sent))
    return { message: message as JsonRecord | undefined, response }
  }

  #post(
    message: JsonRecord,
    send: (request: SessionRequest) => Promise<SafeResponse>,
  ): Promise<SafeResponse> {
    return send({
      method: 'POST',
      body: JSON.stringify(message),
      headers: {
        'content-type': 'application/json',
        accept: MCP_ACCEPT,
        // A compressed stream cannot be read part by part.
        'accept-encoding': 'identity',
        ...this.#headers,
      },
      // A notification has no reply: a stream opened for it may stay open.
      readAlong:
        message.id === undefined ? readNoStream : createEventReader(sent => isAnswerTo(message.id, sent)),
    })
  }
}

const isAnswerTo = (id: unknown, sent: unknown): boolean => isRecord(sent) && sent.id === id
