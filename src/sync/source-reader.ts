// Fetches JSON documents from a source. Errors of the source become one sentence.
import { tellInEnglish } from '../messages/tell-in-english.ts'
import type { SafeFetch } from '../probe/requests/safe-fetch.ts'
import type { SyncReport } from './tally.ts'

/** The source is unreachable, or its response cannot be used; the message is a full sentence. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure'
  /** What was imported before the failure. */
  report?: SyncReport

  /** @param status of the response, if that is the failure */
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message)
  }
}

export type SourceReader = {
  /** @throws SourceFailure */
  json(url: string): Promise<unknown>
  /** undefined if there is no such document. @throws SourceFailure if the source is unreachable or overloaded */
  maybeJson(url: string): Promise<unknown>
}

export function createSourceReader({
  fetch,
  userAgent,
  signal,
}: {
  readonly fetch: SafeFetch
  readonly userAgent: string
  readonly signal?: AbortSignal | undefined
}): SourceReader {
  async function request(url: string): Promise<{ status: number; value: unknown }> {
    const headers = { 'user-agent': userAgent, accept: 'application/json' }
    const response = await fetch(url, { headers, ...(signal && { signal }) })
    if (!response.ok) throw new SourceFailure(`${url} cannot be read. ${tellInEnglish(response.message)}`)
    return { status: response.status, value: parse(response.body) }
  }
  return {
    async json(url) {
      const { status, value } = await request(url)
      if (status !== 200) throw new SourceFailure(`${url} responds with status ${status}.`, status)
      if (value === undefined) throw new SourceFailure(`The response of ${url} is not JSON.`)
      return value
    },
    async maybeJson(url) {
      const { status, value } = await request(url)
      if (status === 429 || status >= 500) throw new SourceFailure(`${url} responds with status ${status}.`)
      return status === 200 ? value : undefined
    },
  }
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}
