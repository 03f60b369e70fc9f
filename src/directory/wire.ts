// How each operation looks over HTTP. The server routes by this table and the client sends by it, so it imports nothing: clients
// bundle it. The file of an operation states the rest (directory/operation.ts).

export type WireForm = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `:id` is the first argument of the operation. */
  readonly path: string
  /** The argument after it. */
  readonly takes?: 'query' | 'body'
  /** The scope of the key in the last argument; undefined: it needs none. */
  readonly scope?: 'register' | 'admin'
  /**
   * What the operation resolves to: encoded JSON, a value, all values of a list, a page of services, a text, nothing, or an object that
   * also has the fields that were ignored, and perhaps notices.
   */
  readonly gives: 'encoded' | 'value' | 'list' | 'page' | 'text' | 'nothing' | 'noted'
  /** The field of the value in a `noted` result. */
  readonly as?: 'service' | 'report' | 'outcome' | 'webhook'
  /** It creates something: 201. */
  readonly creates?: true
  /** At its path, followed by a slash and its id. */
  readonly locates?: true
  /** Must not be sent again if only the response was lost. */
  readonly isSentOnce?: true
}

export const WIRE = {
  status: { method: 'GET', path: '/api/services/:id/status', gives: 'encoded' },
  history: { method: 'GET', path: '/api/services/:id/history', takes: 'query', gives: 'encoded' },
  trust: { method: 'GET', path: '/api/services/:id/trust', gives: 'encoded' },
  purchases: { method: 'GET', path: '/api/services/:id/purchases', takes: 'query', gives: 'encoded' },
  terms: { method: 'GET', path: '/api/services/:id/terms', gives: 'encoded' },
  call: { method: 'GET', path: '/api/services/:id/call', takes: 'query', gives: 'text' },
  provenance: { method: 'GET', path: '/api/services/:id/provenance', gives: 'encoded' },
  backing: { method: 'GET', path: '/api/services/:id/backing', gives: 'encoded' },
} as const satisfies Readonly<Record<string, WireForm>>

export type OperationName = keyof typeof WIRE
