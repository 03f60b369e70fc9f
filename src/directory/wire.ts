// How each operation looks over HTTP. The server routes by this table and the client sends by it, so it imports types only:
// clients bundle it. The file of an operation states the rest (directory/operation.ts).

import type { ErrorCode } from '../domain/errors.ts'

export type WireForm = {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `:id` is the first argument of the operation. */
  readonly path: string
  /** The argument after it. */
  readonly takes?: 'query' | 'body'
  /** The scope of the key in the last argument; agent: a key with a policy; undefined: it needs none. */
  readonly scope?: 'register' | 'admin' | 'agent'
  /**
   * What the operation resolves to. encoded: JSON as bytes; list: all values; page: of services; events: a stream; noted: an object with
   * the value in the field that `as` names, the fields of the body that were ignored, and perhaps notices.
   */
  readonly gives: 'encoded' | 'value' | 'list' | 'page' | 'text' | 'events' | 'nothing' | 'noted'
  /** The field of the value in a `noted` result. */
  readonly as?: 'service' | 'report' | 'purchase' | 'webhook'
  /** It creates something: 201. */
  readonly creates?: true
  /** At its path, followed by a slash and its id. */
  readonly locates?: true
  /** Must not be sent again if only the response was lost. */
  readonly isSentOnce?: true
}

/** A change of a service by its owner. */
const CHANGE = { method: 'POST', scope: 'register', gives: 'noted', as: 'service' } as const

/** For operators. */
const OPERATORS = { method: 'GET', scope: 'admin', gives: 'value' } as const

export const WIRE = {
  list: { method: 'GET', path: '/api/services', takes: 'query', gives: 'page' },
  register: {
    ...CHANGE,
    path: '/api/services',
    takes: 'body',
    creates: true,
    locates: true,
  },
  get: { method: 'GET', path: '/api/services/:id', gives: 'encoded' },
  edit: { ...CHANGE, method: 'PATCH', path: '/api/services/:id', takes: 'body' },
  remove: { method: 'DELETE', path: '/api/services/:id', scope: 'register', gives: 'nothing' },
  status: { method: 'GET', path: '/api/services/:id/status', gives: 'encoded' },
  history: { method: 'GET', path: '/api/services/:id/history', takes: 'query', gives: 'encoded' },
  trust: { method: 'GET', path: '/api/services/:id/trust', gives: 'encoded' },
  purchases: { method: 'GET', path: '/api/services/:id/purchases', takes: 'query', gives: 'encoded' },
  allPurchases: { method: 'GET', path: '/api/purchases', takes: 'query', gives: 'encoded' },
  // Idempotent, like a report: sent twice, it is stored once.
  reportOutcome: {
    method: 'POST',
    path: '/api/services/:id/purchases',
    takes: 'body',
    gives: 'noted',
    as: 'purchase',
    creates: true,
  },
  terms: { method: 'GET', path: '/api/services/:id/terms', gives: 'encoded' },
  call: { method: 'GET', path: '/api/services/:id/call', takes: 'query', gives: 'text' },
  provenance: { method: 'GET', path: '/api/services/:id/provenance', gives: 'encoded' },
  backing: { method: 'GET', path: '/api/services/:id/backing', gives: 'encoded' },
  check: {
    method: 'POST',
    path: '/api/check',
    takes: 'body',
    scope: 'register',
    gives: 'noted',
    as: 'report',
  },
  resolve: { method: 'GET', path: '/api/resolve', takes: 'query', gives: 'encoded' },
  catalog: { method: 'GET', path: '/api/catalog', gives: 'encoded' },
  search: { method: 'GET', path: '/api/catalog/search', takes: 'query', gives: 'page' },
  searchByIntent: {
    method: 'GET',
    path: '/api/services/search/intent',
    takes: 'query',
    gives: 'encoded',
  },
  rank: { method: 'GET', path: '/api/services/:id/rank', takes: 'query', gives: 'encoded' },
  categories: { method: 'GET', path: '/api/categories', gives: 'list' },
  retire: { ...CHANGE, path: '/api/services/:id/retire', takes: 'body' },
  restore: { ...CHANGE, path: '/api/services/:id/restore' },
  claim: { ...CHANGE, path: '/api/services/:id/claim' },
  probe: { ...CHANGE, path: '/api/services/:id/probe' },
  ownServices: {
    method: 'GET',
    path: '/api/auth/services',
    takes: 'query',
    scope: 'register',
    gives: 'encoded',
  },
  challenge: { method: 'POST', path: '/api/auth/challenge', takes: 'body', gives: 'value' },
  listKeys: { method: 'GET', path: '/api/auth/keys', scope: 'register', gives: 'list' },
  signIn: {
    method: 'POST',
    path: '/api/auth/keys',
    takes: 'body',
    gives: 'value',
    creates: true,
    locates: true,
  },
  signOut: { method: 'DELETE', path: '/api/auth/keys/self', scope: 'register', gives: 'nothing' },
  revokeKey: { method: 'DELETE', path: '/api/auth/keys/:id', scope: 'register', gives: 'nothing' },
  report: {
    method: 'POST',
    path: '/api/services/:id/reports',
    takes: 'body',
    scope: 'register',
    gives: 'noted',
    as: 'report',
    creates: true,
  },
  // Idempotent, by the id that the agent chooses.
  reserve: {
    method: 'POST',
    path: '/api/reservations',
    takes: 'body',
    scope: 'agent',
    gives: 'value',
    creates: true,
    locates: true,
  },
  reportPayment: {
    method: 'PATCH',
    path: '/api/reservations/:id',
    takes: 'body',
    scope: 'agent',
    gives: 'value',
  },
  overview: { ...OPERATORS, path: '/api/operator/overview' },
  followedSources: { ...OPERATORS, path: '/api/operator/sources', gives: 'list' },
  addSource: { ...OPERATORS, method: 'POST', path: '/api/operator/sources', takes: 'body' },
  changeSource: { ...OPERATORS, method: 'PATCH', path: '/api/operator/sources/:id', takes: 'body' },
  removeSource: { ...OPERATORS, method: 'DELETE', path: '/api/operator/sources/:id', takes: 'query' },
  listReports: { ...OPERATORS, path: '/api/operator/reports', takes: 'query' },
  resolveReport: {
    ...OPERATORS,
    method: 'POST',
    path: '/api/operator/reports/:id/resolve',
    gives: 'nothing',
  },
  hiddenList: { ...OPERATORS, path: '/api/operator/hidden', gives: 'list' },
  hide: { ...OPERATORS, method: 'POST', path: '/api/operator/hidden', takes: 'body' },
  show: { ...OPERATORS, method: 'POST', path: '/api/operator/hidden/show', takes: 'body' },
  collections: { ...OPERATORS, path: '/api/operator/collections', gives: 'list' },
  collect: { ...OPERATORS, method: 'POST', path: '/api/operator/collections/:id', takes: 'body' },
  uncollect: { ...OPERATORS, method: 'POST', path: '/api/operator/collections/:id/remove', takes: 'body' },
  collection: { method: 'GET', path: '/api/collections/:id', gives: 'encoded' },
  allKeys: { ...OPERATORS, path: '/api/operator/keys', gives: 'list' },
  // If only the response was lost, the key exists, and nobody has it.
  createKey: {
    ...OPERATORS,
    method: 'POST',
    path: '/api/operator/keys',
    takes: 'body',
    creates: true,
    isSentOnce: true,
  },
  changeKey: { ...OPERATORS, method: 'PATCH', path: '/api/operator/keys/:id', takes: 'body' },
  revokeAnyKey: { ...OPERATORS, method: 'DELETE', path: '/api/operator/keys/:id', gives: 'nothing' },
  spending: { ...OPERATORS, path: '/api/operator/spending', takes: 'query', gives: 'list' },
  spendingCsv: { ...OPERATORS, path: '/api/operator/spending.csv', takes: 'query', gives: 'text' },
  acts: { ...OPERATORS, path: '/api/operator/log', takes: 'query', gives: 'list' },
  settings: { ...OPERATORS, path: '/api/operator/settings' },
  ownPurchases: { ...OPERATORS, path: '/api/operator/purchases', gives: 'list' },
  backups: { ...OPERATORS, path: '/api/operator/backups' },
  backUp: { ...OPERATORS, method: 'POST', path: '/api/operator/backups', creates: true, isSentOnce: true },
  changes: { method: 'GET', path: '/api/changes', takes: 'query', gives: 'encoded' },
  events: { method: 'GET', path: '/api/events', takes: 'query', gives: 'events' },
  listWebhooks: { method: 'GET', path: '/api/webhooks', scope: 'register', gives: 'list' },
  // If only the response was lost, the webhook exists; a second one would deliver forever.
  createWebhook: {
    method: 'POST',
    path: '/api/webhooks',
    takes: 'body',
    scope: 'register',
    gives: 'noted',
    as: 'webhook',
    creates: true,
    locates: true,
    isSentOnce: true,
  },
  removeWebhook: { method: 'DELETE', path: '/api/webhooks/:id', scope: 'register', gives: 'nothing' },
  testWebhook: { method: 'POST', path: '/api/webhooks/:id/test', scope: 'register', gives: 'value' },
  resources: { method: 'GET', path: '/discovery/resources', takes: 'query', gives: 'encoded' },
  searchResources: { method: 'GET', path: '/discovery/search', takes: 'query', gives: 'encoded' },
  export: { method: 'GET', path: '/api/export', gives: 'encoded' },
} as const satisfies Readonly<Record<string, WireForm>>

export type OperationName = keyof typeof WIRE

/** How each error looks over HTTP: RFC 9457 problem details. */
export const PROBLEM_TYPES: Readonly<
  Record<ErrorCode, { status: number; title: string; headers?: Readonly<Record<string, string>> }>
> = {
  invalid_request: { status: 400, title: 'Invalid request' },
  unauthorized: {
    status: 401,
    title: 'API key missing or invalid',
    headers: { 'WWW-Authenticate': 'Bearer' },
  },
  forbidden: { status: 403, title: 'Not allowed' },
  not_approved: { status: 403, title: 'Not allowed by the policy of the key' },
  over_budget: { status: 403, title: 'Over the budget of the key' },
  not_found: { status: 404, title: 'Not found' },
  no_terms: { status: 404, title: 'No payment terms seen yet' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  idempotency_conflict: { status: 409, title: 'Idempotency key used for another request' },
  history_changed: { status: 410, title: 'Cursor no longer valid' },
  hidden: { status: 410, title: 'Hidden by the operator' },
  body_too_large: { status: 413, title: 'Body too large' },
  unsupported_media_type: { status: 415, title: 'Body is not JSON' },
  // The pipeline overrides this with its own allowance.
  rate_limited: { status: 429, title: 'Too many requests', headers: { 'Retry-After': '60' } },
  internal: { status: 500, title: 'Internal error' },
  not_ready: { status: 503, title: 'Not ready', headers: { 'Retry-After': '1' } },
  store_unavailable: { status: 503, title: 'Store unavailable', headers: { 'Retry-After': '5' } },
}
