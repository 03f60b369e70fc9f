// Fetches JSON documents from a source within limits, and counts what came of them. Errors of the source become one sentence.
import { type Message, say, tellInEnglish } from '../messages/message.ts'
import type { SafeFetch } from '../probe/requests/safe-fetch.ts'

/** The source is unreachable, or its response cannot be used; the message is a full sentence. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure'
  /** What was imported before the failure. */
  report?: SyncReport

  /** @param why follows the message, and stands without it where the address is known */
  constructor(
    message: string,
    readonly why?: Message,
  ) {
    super(why ? `${message} ${tellInEnglish(why)}` : message)
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
  async function request(url: string, isUsable: (status: number) => boolean) {
    const headers = { 'user-agent': userAgent, accept: 'application/json' }
    const response = await fetch(url, { headers, ...(signal && { signal }) })
    if (!response.ok) throw new SourceFailure(`${url} cannot be read.`, response.message)
    const { status } = response
    if (!isUsable(status)) throw new SourceFailure(`${url} cannot be read.`, say('answers', { status }))
    return { status, value: parse(response.body) }
  }
  return {
    async json(url) {
      const { value } = await request(url, status => status === 200)
      if (value === undefined) throw new SourceFailure(`The response of ${url} is not JSON.`)
      return value
    },
    async maybeJson(url) {
      const { status, value } = await request(url, status => status !== 429 && status < 500)
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

// Limits on what is read from one source. Reaching a limit is reported as a failure of the source.

/** 0: no limit. */
export type SyncBounds = {
  /** Bytes per sync. */
  readonly bytes: number
  /** Entries stored per source. */
  readonly entries: number
}

export class BoundReached extends SourceFailure {}

/** A fetch function for one sync, with a limit on the total size of responses. */
export function createBoundedFetch(
  safeFetch: SafeFetch,
  sourceUrl: string,
  { bytes }: SyncBounds,
): SafeFetch {
  let received = 0
  return async (url, request) => {
    const response = await safeFetch(url, request)
    if (response.ok) received += response.body.length
    if (bytes === 0 || received <= bytes) return response
    throw new BoundReached(`${sourceUrl} sends more than ${formatCount(bytes)} bytes.`)
  }
}

/** Pages per sync: each costs a request, and for a feed a commit, however small it is. */
const MAX_PAGES = 5_000

/** @throws BoundReached */
export function checkPages(count: number, sourceUrl: string): void {
  if (count > MAX_PAGES)
    throw new BoundReached(`${sourceUrl} sends more than ${formatCount(MAX_PAGES)} pages.`)
}

/** @throws BoundReached */
export function checkEntries(count: number, sourceUrl: string, { entries }: SyncBounds): void {
  if (entries === 0 || count <= entries) return
  throw new BoundReached(`${sourceUrl} lists more than ${formatCount(entries)} entries.`)
}

export const formatCount = (count: number): string => count.toLocaleString('en')

// Counts the results of a sync.

/** Called with the number of entries read, and their share of the total, if the source states it. */
export type SyncProgress = (read: number, fraction: number | undefined) => unknown

export class Tally {
  added = 0
  changed = 0
  removed = 0
  /** Retired because they are no longer listed. */
  vanished = 0
  /** Already listed or removed locally: left unchanged. */
  known = 0
  /** Entries that the source has from another directory, which has to be followed itself. */
  forwarded = 0
  skipped = 0
  /** Whether its history was replaced, so that everything was read and compared again. */
  readAnew = false
  /** The first skipped items. */
  readonly problems: string[] = []

  countSkipped(problem: string): void {
    if (this.skipped++ < MAX_PROBLEMS) this.problems.push(problem)
  }
}

const MAX_PROBLEMS = 50

export type SyncReport = Readonly<Omit<Tally, 'countSkipped'>> & {
  readonly url: string
  /** The recognised kind of source; null if none was. */
  readonly kind: string | null
}
