// Serves pages and their files (web/page.ts), which are passed in ready.

import { PROBLEM_TYPES } from '../../directory/wire.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { readQualities } from '../../domain/http-headers.ts'
import { say } from '../../messages/message.ts'
import type { Page, PageRequest, Rendered } from '../../web/page.ts'
import type { OpenApiDocument } from '../openapi/document.ts'
import { answerBytes } from '../pipeline/answer.ts'
import { addressFor, type ReadCallerNetwork } from '../pipeline/caller.ts'
import type { PipelineDeps } from '../pipeline/pipeline.ts'
import {
  isSecure,
  pathOf,
  queryIn,
  readBytes,
  readCookies,
  readParameters,
  toFields,
  toSetCookie,
} from '../pipeline/request.ts'
import type { Answer, Exchange, Handler, Incoming, Route } from '../pipeline/route.ts'

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
  readCallerNetwork: ReadCallerNetwork,
): Route[] =>
  pages.map(page => {
    const { path, render, submit, cost = page.contentType.startsWith('text/html') ? 5 : 1 } = page
    const GET: Handler = async exchange =>
      toAnswer(page, exchange, document, await render(toRequest(exchange, document, readCallerNetwork)))
    if (!submit) return { path, cost, isPage: true, methods: { GET } }
    const POST: Handler = async exchange => {
      const form = await readForm(exchange.request)
      const rendered = await submit({ ...toRequest(exchange, document, readCallerNetwork), form })
      return toAnswer(page, exchange, document, rendered)
    }
    return { path, cost, isPage: true, methods: { GET, POST } }
  })

function toRequest(
  { request, server }: Incoming,
  document: OpenApiDocument,
  readCallerNetwork: ReadCallerNetwork,
): PageRequest {
  const publicUrl = publicUrlOf(document)
  return {
    path: pathOf(request.url),
    id: request.params?.id ?? '',
    parameters: toFields(readParameters(queryIn(request.url)).parameters),
    acceptLanguage: request.headers.get('accept-language'),
    cookies: readCookies(request.headers.get('cookie'), isSecure(publicUrl)),
    from: readCallerNetwork({ request, server }),
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
  readCallerNetwork: ReadCallerNetwork,
): NonNullable<PipelineDeps['toFailurePage']> {
  const page = { contentType: 'text/html; charset=utf-8' }
  async function renderPage(exchange: Exchange, error: DirectoryError, requestId: string): Promise<Answer> {
    const rendered = await render({ ...toRequest(exchange, document, readCallerNetwork), requestId }, error)
    const answer = toAnswer(page, exchange, document, rendered)
    return { ...answer, headers: { ...answer.headers, Vary: `${answer.headers.Vary}, Accept` } }
  }
  return ({ isPage = false }, exchange, error, requestId) => {
    const { url, headers } = exchange.request
    if (!prefersHtml(headers.get('accept'))) return undefined
    if (!isPage && FOR_PROGRAMS.test(pathOf(url))) return undefined
    return renderPage(exchange, error, requestId)
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
  if (rendered.file !== undefined)
    return {
      status: 200,
      headers: { ...headers, 'Content-Type': contentType, 'Cache-Control': 'no-store' },
      body: Bun.file(rendered.file).stream(),
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
