/**
 * Looks for an answer with terms of payment as a customer would who read the documents: what an earlier probe found, the endpoint by GET
 * and by POST, an MCP server's tools, then what the origin's documents name, with samples where their schemas ask for input.
 */

import type { Resource } from '../domain/finding.ts'
import { sampleRequest } from '../domain/sample-request.ts'
import { type Ask, type Asked, hasTerms, isAway, isFinal, isIncomplete, toAsk } from './asked.ts'
import type { Asking } from './asking.ts'
import { isUnder, type Method } from './documented.ts'
import { Documents, orderNamed, toAsks } from './documents.ts'
import { askTools, looksLikeMcp, speaksMcp } from './mcp-terms.ts'

export type FoundTerms = {
  /** The one that has terms, else the one that says most about why there are none. */
  readonly asked: Asked
  /** undefined where none was looked at. */
  readonly documents: Documents | undefined
  /** Where a customer is not given the terms that are answered under our name. */
  readonly named?: Asked
}

export async function findTerms(
  asking: Asking,
  endpoint: string,
  known: Resource | undefined,
): Promise<FoundTerms> {
  const search = new Search(asking, endpoint)
  const asked =
    (await search.knownResource(known)) ??
    (await search.endpointItself()) ??
    (await search.whatDocumentsName())
  const { documents, hidden } = search
  if (hidden) return { ...hidden, documents }
  if (!asked) return { asked: search.most, documents }
  return { asked: await search.byDeclaredMethod(asked), documents }
}

class Search {
  readonly #asking: Asking
  readonly #endpoint: string
  readonly #answers: Asked[] = []
  readonly #tried = new Set<string>()
  #isMcpTried = false
  documents: Documents | undefined
  hidden: { readonly asked: Asked; readonly named: Asked } | undefined

  constructor(asking: Asking, endpoint: string) {
    this.#asking = asking
    this.#endpoint = endpoint
  }

  /** Of several answers without terms the one that says most; of equals the first. */
  get most(): Asked {
    return this.#answers.reduce((a, b) => (informs(b) > informs(a) ? b : a))
  }

  get #isOver(): boolean {
    const last = this.#answers.at(-1)
    if (this.#asking.left === 0 || this.hidden !== undefined) return true
    // Who answers one request and hangs at the next is there, and may answer a third.
    const silent = this.#answers.filter(({ status }) => status === null).length
    if (last?.status === null) return silent > 1 || this.#answers.length === 1
    return last !== undefined && isFinal(last)
  }

  async knownResource(known: Resource | undefined): Promise<Asked | undefined> {
    if (!known || !isUnder(known.url, this.#endpoint)) return undefined
    const ask = toAsk(known)
    if (known.tool !== undefined) return this.#tools(ask)
    const found = await this.#try(ask)
    const last = this.#answers.at(-1)
    // What has had terms before, and has none for a customer, may still have them for us.
    if (found || this.#asking.identity === 'directory' || !last || this.#isOver) return found
    const named = await this.#asking.ask(ask, 'directory')
    if (hasTerms(named)) this.hidden = { asked: last, named }
    return undefined
  }

  async endpointItself(): Promise<Asked | undefined> {
    const url = this.#endpoint
    if (looksLikeMcp(url)) {
      const asked = await this.#tools()
      if (asked) return asked
    }
    for (const method of ['GET', 'POST'] as const) {
      const asked = await this.#try({ url, method })
      if (asked) return asked
      const last = this.#answers.at(-1)
      if (last && speaksMcp(last)) {
        const asked = await this.#tools()
        if (asked) return asked
      }
    }
    return undefined
  }

  async whatDocumentsName(): Promise<Asked | undefined> {
    if (this.#isOver) return undefined
    const order = this.#answers.some(isIncomplete) ? 'openapi' : 'manifest'
    this.documents = new Documents(this.#asking, this.#endpoint, order)
    // The last request is for what is named, not for one more document.
    while (this.#asking.left >= 2 && !this.documents.isAtEnd && !this.#isOver) {
      const named = await this.documents.readNext()
      const tool = named.find(({ tool }) => tool !== undefined)
      if (tool) {
        const asked = await this.#tools({ url: tool.url, method: 'POST' })
        if (asked) return asked
      }
      for (const ask of orderNamed(named, this.#endpoint).flatMap(toAsks)) {
        const asked = await this.#try(ask)
        if (asked) return asked
      }
    }
    return undefined
  }

  /** Terms that declare another method count by that method, where it gives any. */
  async byDeclaredMethod(asked: Asked): Promise<Asked> {
    const { reading, ask } = asked
    if (!reading?.readable || ask.tool !== undefined) return asked
    const { method, input } = reading.described
    if ((method !== 'GET' && method !== 'POST') || method === ask.method) return asked
    const resource: { url: string; method: Method } = { url: ask.place?.url ?? ask.url, method }
    const { fields: _, ...sample } = {
      fields: undefined,
      ...(sampleRequest({ ...resource, input }) ?? resource),
    }
    return (await this.#try({ ...resource, ...sample })) ?? asked
  }

  /** @returns the answer if it has terms */
  async #try(ask: Ask): Promise<Asked | undefined> {
    const key = JSON.stringify([ask.method, ask.url, ask.body ?? '{}', ask.headers ?? {}])
    if (this.#isOver || this.#tried.has(key)) return undefined
    this.#tried.add(key)
    const asked = await this.#asking.ask(ask)
    this.#answers.push(asked)
    return hasTerms(asked) ? asked : undefined
  }

  async #tools(known?: Ask): Promise<Asked | undefined> {
    if (this.#isOver || (this.#isMcpTried && known?.tool === undefined)) return undefined
    this.#isMcpTried ||= known?.tool === undefined
    const asked = await askTools(
      this.#asking,
      known?.url ?? this.#endpoint,
      known?.tool === undefined ? undefined : known,
    )
    if (!asked) return undefined
    this.#answers.push(asked)
    return hasTerms(asked) ? asked : undefined
  }
}

/** A 422 to a POST says more than the 404 to a GET before it. */
function informs(asked: Asked): number {
  const { status } = asked
  if (status === null) return 0
  if (status === 402) return 6
  if (isIncomplete(asked)) return 5
  if (status === 401 || status === 403 || status === 429) return 4
  if (status === 404 || status === 405 || status === 501) return 1
  return isAway(asked) ? 2 : 3
}
