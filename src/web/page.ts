// A page: its request, its result, and how it is served (http/routes/pages.ts).
import type { ErrorCode } from '../domain/errors.ts'
import type { Html } from './html.ts'

export type PageRequest = {
  /** Without the query string. */
  readonly path: string
  /** The value of `:id` in the path. */
  readonly id: string
  readonly parameters: Readonly<Record<string, string>>
  readonly acceptLanguage: string | null
  /** Cookies that pages have set, by name. */
  readonly cookies: Readonly<Record<string, string>>
  /** Network of the caller, as it is counted. */
  readonly from: string
  /** URL of the directory for readers, without a trailing slash. */
  readonly origin: string
  /** The URL that the operator configured, if any. The Host header of a caller is not used for links to others. */
  readonly publicUrl: string | undefined
  /** The public address, or else the one that is listened on. */
  readonly home: string
  /** The OpenAPI document of the server. */
  readonly document: unknown
  /** By which the log has it; only of one that failed. */
  readonly requestId?: string | undefined
  /** Whether the directory is a sample. */
  readonly isSample?: boolean | undefined
}

export type FormRequest = PageRequest & {
  readonly form: Readonly<Record<string, string>>
}

export type Rendered = {
  readonly text: string
  /** Set for an image, in place of the text. */
  readonly bytes?: Uint8Array | undefined
  /** Path of a file that is sent in place of the text, to be saved. */
  readonly file?: string | undefined
  /** Error code; the HTTP interface chooses the status. */
  readonly failed?: ErrorCode | undefined
  /** Target of a redirect. */
  readonly location?: string | undefined
  readonly cookie?: NewCookie | undefined
}

/** Hidden from scripts and other sites. */
export type NewCookie = {
  readonly name: string
  /** Empty to delete the cookie. */
  readonly value: string
  /** undefined: until the browser is closed. */
  readonly seconds?: number | undefined
  /** Also with a link on another site, such as a console that shows the log; never with a form there. */
  readonly isSentByLinks?: true
}

export type Page = {
  readonly path: string
  readonly contentType: string
  /** As of a route; an HTML page costs 5 unless it says otherwise, a file 1. */
  readonly cost?: number | ((request: { readonly url: string }) => number)
  /** forever: the URL changes with the content. */
  readonly cache?: 'forever' | 'minutes' | 'never'
  readonly render: (request: PageRequest) => Rendered | Promise<Rendered>
  readonly submit?: (request: FormRequest) => Promise<Rendered>
}

/** Of who is signed in; every page shows whether the reader is. */
export const SESSION_COOKIE = 'shirube-session'
/** Of an operator; only the pages of the operator's room read it. */
export const OPERATOR_COOKIE = 'shirube-operator'

// Files of the operator's room.
export const HIDDEN_FILE = '/operator/hidden.json'
export const SPENDING_FILE = '/operator/spending.csv'
/** Followed by the name of the file. */
export const BACKUP_PATH = '/operator/backups/'

export const toRendered = (document: Html, rest: Omit<Rendered, 'text'> = {}): Rendered => ({
  text: document.text,
  ...rest,
})
