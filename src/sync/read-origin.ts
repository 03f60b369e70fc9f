// What an origin says about itself: the resources that its manifest or its OpenAPI document names, each asked for its terms.

import { tellInEnglish } from '../messages/tell.ts'
import { resourcesOfManifest, resourcesOfOpenApi } from '../probe/discovery.ts'
import type { SafeFetch } from '../probe/safe-fetch.ts'
import { readTerms } from '../probe/x402.ts'
import type { Clock } from '../runtime/clock.ts'
import { fieldsOf } from './ask-source.ts'

/** Whoever offers more is listed by those that were asked. */
const MAX_RESOURCES = 25
const APART_MS = 1_000

/** Items as a list would hold them. */
export async function readOrigin(
  {
    fetch,
    userAgent,
    clock,
    signal,
  }: {
    readonly fetch: SafeFetch
    readonly userAgent: string
    readonly clock: Clock
    readonly signal?: AbortSignal | undefined
  },
  base: string,
  document: unknown,
): Promise<{ items: unknown[]; problems: string[] }> {
  const about = describe(document)
  const resources = [...resourcesOfManifest(document, base), ...resourcesOfOpenApi(document, base)]
  const items: unknown[] = []
  const problems: string[] = []
  for (const [index, { url, method = 'GET' }] of resources.slice(0, MAX_RESOURCES).entries()) {
    if (index > 0) await clock.sleep(APART_MS, signal)
    const headers = { 'user-agent': userAgent, accept: 'application/json' }
    const body = method === 'POST' ? { body: '{}' } : {}
    const more = { ...(signal && { signal }), ...body }
    const asked = await fetch(url, {
      method,
      headers: method === 'POST' ? { ...headers, 'content-type': 'application/json' } : headers,
      ...more,
    })
    if (!asked.ok) {
      problems.push(`${url}: ${tellInEnglish(asked.message)}`)
      continue
    }
    const terms = readTerms(asked)
    if (!terms.readable) problems.push(`${url}: ${terms.problems.map(tellInEnglish).join(' ')}`)
    else
      items.push({
        ...about,
        resource: url,
        accepts: terms.payments.map(({ scheme, network, amount, asset, payTo }) => ({
          scheme,
          network,
          amount: amount.toString(),
          asset,
          payTo,
        })),
      })
  }
  return { items, problems }
}

function describe(document: unknown): Readonly<Record<string, unknown>> {
  const fields = fieldsOf(document)
  const info = fieldsOf(fields.info)
  const name = info.title ?? fields.name
  const description = info.description ?? fields.description ?? info.summary
  return { ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
}
