// What a page is asked and what it gives back; the HTTP server carries both.
import type { ErrorCode } from '../domain/errors.ts'
import type { Html } from './html.ts'

export type PageRequest = {
  /** Without the query string. */
  readonly path: string
  /** What stands in the place of `:id` in the path. */
  readonly id: string
  readonly parameters: Readonly<Record<string, string>>
  readonly acceptLanguage: string | null
  /** Those that a page has set, by their names. */
  readonly cookies: Readonly<Record<string, string>>
  /** Where it was sent from, as it is counted. */
  readonly from: string
  /** Where readers reach the directory, without a trailing slash. */
  readonly origin: string
  /** The same where the operator has told it; what a caller calls the directory is no address to lead others to. */
  readonly publicUrl: string | undefined
  /** The public address, or else the one that is listened on. */
  readonly home: string
  /** The OpenAPI document of the server that carries the page. */
  readonly document: unknown
}

export type FormRequest = PageRequest & {
  readonly form: Readonly<Record<string, string>>
}

export type Rendered = {
  readonly text: string
  /** Instead of the text, where it is a picture. */
  readonly bytes?: Uint8Array | undefined
  /** What went wrong; the interface knows the status that belongs to it. */
  readonly failed?: ErrorCode | undefined
  /** Where the reader is sent instead. */
  readonly location?: string | undefined
  readonly cookie?: NewCookie | undefined
}

/** No script and no other site ever sees it. */
export type NewCookie = {
  readonly name: string
  /** Empty: it is taken back. */
  readonly value: string
  /** Left out: until the browser is closed. */
  readonly seconds?: number | undefined
}

export type Page = {
  readonly path: string
  readonly contentType: string
  /** forever: the address changes with the content. */
  readonly cache?: 'forever' | 'minutes' | 'never'
  readonly render: (request: PageRequest) => Rendered | Promise<Rendered>
  readonly submit?: (request: FormRequest) => Promise<Rendered>
}

export const toRendered = (document: Html, rest: Omit<Rendered, 'text'> = {}): Rendered => ({
  text: document.text,
  ...rest,
})
