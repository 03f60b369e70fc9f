// Carries pages and their files: they are handed in ready made, so that this room knows nothing about how they look.
import { answerBytes } from './answer.ts'
import type { OpenApiDocument } from './openapi.ts'
import { queryOf, readParameters } from './query-string.ts'
import type { Route } from './route.ts'

/** A page or a file of a page. */
export type Page = {
  readonly path: string
  readonly contentType: string
  readonly render: (request: PageRequest) => string | Promise<string>
}

export type PageRequest = {
  readonly parameters: Readonly<Record<string, string>>
  readonly acceptLanguage: string | null
  /** The OpenAPI document of the server that carries the page. */
  readonly document: OpenApiDocument
}

/** Nothing from another host, no script, no frame around it. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

export const createPageRoutes = (pages: readonly Page[], document: OpenApiDocument): Route[] =>
  pages.map(({ path, contentType, render }) => ({
    path,
    methods: {
      GET: async ({ request }) => {
        const text = await render({
          parameters: readParameters(queryOf(request.url)).parameters,
          acceptLanguage: request.headers.get('accept-language'),
          document,
        })
        return answerBytes(request, new TextEncoder().encode(text), contentType, {
          Vary: 'Accept-Encoding, Accept-Language',
          'Content-Security-Policy': POLICY,
          'Referrer-Policy': 'no-referrer',
        })
      },
    },
  }))
