// Exchange rates from a file or URL of the operator, read at the start and every hour.

import { readFile } from 'node:fs/promises'
import { NO_RATES, type Rates, readRates } from '../domain/money/rates.ts'
import { HOUR_MS } from '../domain/time.ts'
import { tellInEnglish } from '../messages/message.ts'
import type { SafeFetch } from '../probe/requests/safe-fetch.ts'
import type { Clock } from '../runtime/clock.ts'
import { yieldToEventLoop } from '../runtime/scheduling.ts'

const MAX_BYTES = 256 * 1024

type Source = {
  /** The path of a file, or an http(s) URL. */
  readonly source: string
  /** May access private addresses, because the operator set the URL. */
  readonly request: SafeFetch
}

const isAddress = (source: string): boolean => /^https?:\/\//.test(source)

/** What may be logged: the path and the query of a URL often contain a key. */
const shownSource = (source: string): string => (isAddress(source) ? (URL.parse(source)?.host ?? '') : source)

/** Reads the source. @throws Error with a sentence if it cannot be read or is not a table of rates */
export async function fetchRates({ source, request }: Source, signal?: AbortSignal): Promise<Rates> {
  const text = isAddress(source)
    ? await download(source, request, signal)
    : await readFile(source, { encoding: 'utf8', ...(signal && { signal }) })
  if (text.length > MAX_BYTES)
    throw new Error(`The rates at ${shownSource(source)} are longer than ${MAX_BYTES} bytes.`)
  const rates = readRates(parse(text, source))
  if ('problems' in rates)
    throw new Error(`The rates at ${shownSource(source)} cannot be used: ${rates.problems.join('; ')}.`)
  return rates
}

async function download(url: string, request: SafeFetch, signal?: AbortSignal): Promise<string> {
  const response = await request(url, { headers: { accept: 'application/json' }, ...(signal && { signal }) })
  if (!response.ok)
    throw new Error(`The rates at ${shownSource(url)} cannot be read: ${tellInEnglish(response.message)}`)
  if (response.status !== 200)
    throw new Error(
      `The rates at ${shownSource(url)} cannot be read: it responds with status ${response.status}.`,
    )
  return new TextDecoder().decode(response.body)
}

function parse(text: string, source: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`The rates at ${shownSource(source)} cannot be used: they are not JSON.`)
  }
}

/**
 * Applies the rates of the source to the catalog, every hour. A later failure leaves the rates unchanged.
 * @throws Error if a file cannot be read at the start, or is not a table of rates
 */
export async function openRates({
  source,
  request,
  catalog,
  clock,
  onTrouble,
}: Source & {
  readonly catalog: { revalue(rates: Rates): Iterable<void> }
  readonly clock: Clock
  readonly onTrouble: (message: string, error: unknown) => void
}): Promise<AsyncDisposable> {
  const stopping = new AbortController()
  const { signal } = stopping
  let date: string | null = NO_RATES.date

  async function refresh(): Promise<void> {
    const rates = await fetchRates({ source, request }, signal)
    date = rates.date
    for (const _ of catalog.revalue(rates)) await yieldToEventLoop()
  }

  async function tryRefresh(): Promise<void> {
    await refresh().catch(error => {
      if (!signal.aborted)
        onTrouble(`rates could not be read; dollar prices use the rates of ${date ?? 'no date'}`, error)
    })
  }

  async function run(): Promise<void> {
    // The start does not wait for a URL: until it responds, other currencies than the dollar are not compared.
    if (isAddress(source)) await tryRefresh()
    while (!signal.aborted) {
      await clock.sleep(HOUR_MS, signal)
      if (!signal.aborted) await tryRefresh()
    }
  }

  if (!isAddress(source)) await refresh()
  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
    },
  }
}

/**
 * The current rates of a source, for a caller without a catalog; none without a source. A failure at the start is reported, and there
 * are then no rates.
 */
export async function watchRates(
  source: string | undefined,
  deps: Omit<Parameters<typeof openRates>[0], 'source' | 'catalog'>,
): Promise<AsyncDisposable & { readonly now: Rates }> {
  let now = NO_RATES
  const catalog = {
    revalue(rates: Rates): never[] {
      now = rates
      return []
    },
  }
  const open = source === undefined ? undefined : openRates({ ...deps, source, catalog })
  const opened = await open?.catch(error => {
    deps.onTrouble('prices are compared without rates', error)
    return undefined
  })
  return {
    get now() {
      return now
    },
    async [Symbol.asyncDispose]() {
      await opened?.[Symbol.asyncDispose]()
    },
  }
}
