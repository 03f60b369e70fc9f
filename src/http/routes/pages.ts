// Serves pages and their files, which are passed in ready, so that this folder is independent of their design.

import { PROBLEM_TYPES } from '../../directory/wire.ts'
import { DirectoryError, type ErrorCode } from '../../domain/errors.ts'
import { readQualities } from '../../domain/http-headers.ts'
import { say } from '../../messages/message.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { answerBytes } from '../pipeline/answer.ts'
import { addressFor, type ReadOrigin } from '../pipeline/caller.ts'
import {
  isSecure,
  type NewCookie,
  pathOf,
  queryOf,
  readBytes,
  readCookies,
  readParameters,
  toFields,
  toSetCookie,
} from '../pipeline/request.ts'
import type { Answer, Exchange, Handler, Incoming, Route } from '../pipeline/route.ts'

/** A page or one of its files. */
export type Page = {
  readonly path: string
  readonly contentType: string
  /** In plain reads; an HTML page costs 5 unless it says otherwise, a file 1. */
  readonly cost?: number
  /** forever: the URL changes with the content. */
  readonly cache?: 'forever' | 'minutes' | 'never'
  readonly render: (request: PageRequest) => Rendered | Promise<Rendered>
  /** Handles the form of the page. */
  readonly submit?: (
    request: PageRequest & { readonly form: Readonly<Record<string, string>> },
  ) => Promise<Rendered>
}

export type PageRequest = {
  /** Without the query string. */
  readonly path: string
  /** The value of `:id` in the path. */
  readonly id: string
  readonly parameters: Readonly<Record<string, string>>
  readonly acceptLanguage: string | null
  /** The cookies set by pages, by name. */
  readonly cookies: Readonly<Record<string, string>>
  /** The network origin of the request, for rate limits. */
  readonly from: string
  /** The address at which readers reach the directory, without a trailing slash. */
  readonly origin: string
  /** The same, if set by the operator; the client's Host header is not an address to link to. */
  readonly publicUrl: string | undefined
  /** The public URL, or else the listening address. */
  readonly home: string
  /** The OpenAPI document of this server. */
  readonly document: OpenApiDocument
}

export type Rendered = {
  readonly text: string
  /** Instead of the text, for an image. */
  readonly bytes?: Uint8Array | undefined
  readonly failed?: ErrorCode | undefined
  /** Redirects the reader. */
  readonly location?: string | undefined
  readonly cookie?: NewCookie | undefined
}

export type RenderFailure = (request: PageRequest, error: DirectoryError) => Promise<Rendered>

/** Nothing from other hosts, no script but our own file, no framing. */
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const CACHES = {
  forever: 'public, max-age=31536000, immutable',
  minutes: 'public, max-age=300',
  never: 'no-store',
} as const
const FORM_TYPE = 'application/x-www-form-urlencoded'

export const createPageRoutes = (
  pages: readonly Page[],
  document: OpenApiDocument,
  readOrigin: ReadOrigin,
): Route[] =>
  pages.map(page => {
    const { path, render, submit, cost = page.contentType.startsWith('text/html') ? 5 : 1 } = page
    const GET: Handler = async exchange =>
      toAnswer(page, exchange, document, await render(toRequest(exchange, document, readOrigin)))
    if (!submit) return { path, cost, isPage: true, methods: { GET } }
    const POST: Handler = async exchange => {
      const form = await readForm(exchange.request)
      const rendered = await submit({ ...toRequest(exchange, document, readOrigin), form })
      return toAnswer(page, exchange, document, rendered)
    }
    return { path, cost, isPage: true, methods: { GET, POST } }
  })

function toRequest(
  { request, server }: Incoming,
  document: OpenApiDocument,
  readOrigin: ReadOrigin,
): PageRequest {
  const publicUrl = publicUrlOf(document)
  return {
    path: pathOf(request.url),
    id: request.params?.id ?? '',
    parameters: toFields(readParameters(queryOf(request.url)).parameters),
    acceptLanguage: request.headers.get('accept-language'),
    cookies: readCookies(request.headers.get('cookie'), isSecure(publicUrl)),
    from: readOrigin({ request, server }),
    origin: addressFor({ request, server }, publicUrl),
    publicUrl,
    home: publicUrl ?? server.url.origin,
    document,
  }
}

/** Paths at which errors are always problem documents, whatever the client accepts. */
const FOR_PROGRAMS =
  /^\/(api|ard|mcp|discovery|\.well-known|openapi\.json|llms\.txt|healthz|readyz|metrics)(\/|$)/

/** The error page for browsers; undefined for other clients. */
export function createFailureAnswers(
  document: OpenApiDocument,
  render: RenderFailure,
  readOrigin: ReadOrigin,
): (route: Route, exchange: Exchange, error: DirectoryError) => Promise<Answer> | undefined {
  const page = { contentType: 'text/html; charset=utf-8' }
  async function renderPage(exchange: Exchange, error: DirectoryError): Promise<Answer> {
    const rendered = await render(toRequest(exchange, document, readOrigin), error)
    const answer = toAnswer(page, exchange, document, rendered)
    return { ...answer, headers: { ...answer.headers, Vary: `${answer.headers.Vary}, Accept` } }
  }
  return ({ isPage = false }, exchange, error) => {
    const { url, headers } = exchange.request
    if (!prefersHtml(headers.get('accept'))) return undefined
    if (!isPage && FOR_PROGRAMS.test(pathOf(url))) return undefined
    return renderPage(exchange, error)
  }
}

/** Browsers list it first; a client that accepts anything gets JSON. */
export function prefersHtml(accept: string | null): boolean {
  const accepted = readQualities(accept)
  const quality = (type: string) => accepted.find(({ name }) => name === type)?.quality ?? 0
  const wanted = quality('text/html')
  return wanted > 0 && wanted >= Math.max(quality('application/json'), quality('application/problem+json'))
}

function publicUrlOf({ servers }: OpenApiDocument): string | undefined {
  const [server] = servers as readonly { readonly url: string }[]
  return server && server.url !== '/' ? server.url : undefined
}

function toAnswer(
  { contentType, cache }: Pick<Page, 'contentType' | 'cache'>,
  { request }: Exchange,
  document: OpenApiDocument,
  rendered: Rendered,
): Answer {
  const { text, bytes = new TextEncoder().encode(text), failed, location } = rendered
  const headers: Record<string, string> = {
    Vary: contentType.startsWith('text/html')
      ? 'Accept-Encoding, Accept-Language, Cookie'
      : 'Accept-Encoding',
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
  }
  if (rendered.cookie) headers['Set-Cookie'] = toSetCookie(rendered.cookie, isSecure(publicUrlOf(document)))
  if (location !== undefined)
    return {
      status: 303,
      headers: { ...headers, Location: location, 'Cache-Control': 'no-store' },
      body: null,
    }
  const isKept = failed === undefined && (cache !== 'forever' || request.url.includes('?v='))
  if (cache && isKept) headers['Cache-Control'] = CACHES[cache]
  if (failed === undefined && cache !== 'never') return answerBytes(request, bytes, contentType, headers)
  const { status, headers: telling } = failed === undefined ? { status: 200 } : PROBLEM_TYPES[failed]
  return {
    status,
    headers: { ...headers, ...telling, 'Content-Type': contentType, 'Cache-Control': 'no-store' },
    body: text,
  }
}

/** @throws DirectoryError `unsupported_media_type`, `body_too_large` */
async function readForm(request: Request): Promise<Readonly<Record<string, string>>> {
  const [type = ''] = (request.headers.get('content-type') ?? '').toLowerCase().split(';')
  if (type.trim() !== FORM_TYPE)
    throw new DirectoryError('unsupported_media_type', say('form_type_expected', { type: FORM_TYPE }))
  return toFields(readParameters(new TextDecoder().decode(await readBytes(request))).parameters)
}
