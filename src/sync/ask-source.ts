// Asks a source for a document. What the source does wrong is told in one sentence.
import { tellInEnglish } from '../messages/tell-in-english.ts'
import type { SafeFetch } from '../probe/safe-fetch.ts'
import type { SyncReport } from './tally.ts'

/** The source is away, or what it says cannot be used; the message is a full sentence. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure'
  /** What was taken over before. */
  report?: SyncReport

  /** @param status with which it answers, where that says what is wrong */
  constructor(
    message: string,
    readonly status?: number,
  ) {
    super(message)
  }
}

export type AskSource = {
  /** @throws SourceFailure */
  json(url: string): Promise<unknown>
  /** undefined where there is no such document. @throws SourceFailure where nobody answers at all */
  maybeJson(url: string): Promise<unknown>
}

export function createAskSource({
  fetch,
  userAgent,
  signal,
}: {
  readonly fetch: SafeFetch
  readonly userAgent: string
  readonly signal?: AbortSignal | undefined
}): AskSource {
  async function ask(url: string): Promise<{ status: number; value: unknown }> {
    const headers = { 'user-agent': userAgent, accept: 'application/json' }
    const answer = await fetch(url, { headers, ...(signal && { signal }) })
    if (!answer.ok) throw new SourceFailure(`${url} cannot be read. ${tellInEnglish(answer.message)}`)
    return { status: answer.status, value: parse(answer.body) }
  }
  return {
    async json(url) {
      const { status, value } = await ask(url)
      if (status !== 200) throw new SourceFailure(`${url} answers with status ${status}.`, status)
      if (value === undefined) throw new SourceFailure(`What ${url} answers is not JSON.`)
      return value
    },
    async maybeJson(url) {
      const { status, value } = await ask(url)
      if (status === 429 || status >= 500) throw new SourceFailure(`${url} answers with status ${status}.`)
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

export const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
