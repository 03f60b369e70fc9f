// Reads the resources that the manifest or OpenAPI document of an origin names, and requests the payment terms of each.

import { asRecord } from '../domain/json.ts'
import { tellInEnglish } from '../messages/tell-in-english.ts'
import { orderNamed, toProbeRequests } from '../probe/documents/documents.ts'
import { readManifest } from '../probe/documents/manifest.ts'
import { readOpenApi } from '../probe/documents/openapi-document.ts'
import type { SafeFetch } from '../probe/requests/safe-fetch.ts'
import type { ParsedRequirements } from '../probe/terms/payment-requirements.ts'
import { readTerms } from '../probe/terms/x402.ts'
import type { Clock } from '../runtime/clock.ts'

/** Resources requested per origin; further ones are not listed. */
const MAX_RESOURCES = 25
const PAUSE_MS = 1_000

/** Returns items in the format of a discovery list. */
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
  const named = orderNamed([...readManifest(document, base), ...readOpenApi(document, base)], base)
  const items: unknown[] = []
  const problems: string[] = []
  let hasRequested = false
  for (const resource of named.slice(0, MAX_RESOURCES)) {
    const failures: string[] = []
    for (const request of toProbeRequests(resource)) {
      if (hasRequested) await clock.sleep(PAUSE_MS, signal)
      hasRequested = true
      const { url, method, place, body = '{}', contentType = 'application/json' } = request
      const headers = { 'user-agent': userAgent, accept: 'application/json' }
      const sent =
        method === 'POST' ? { headers: { ...headers, 'content-type': contentType }, body } : { headers }
      const response = await fetch(url, { method, ...sent, ...(signal && { signal }) })
      const terms = response.ok ? readTerms(response) : undefined
      if (terms?.readable) {
        failures.length = 0
        items.push({ ...about, resource: place?.url ?? url, accepts: terms.payments.map(toAccepted) })
        break
      }
      const why = response.ok ? (terms?.problems ?? []) : [response.message]
      failures.push(`${method} ${url}: ${why.map(tellInEnglish).join(' ')}`)
    }
    if (failures.length > 0) problems.push(failures.join(' '))
  }
  return { items, problems }
}

const toAccepted = ({ scheme, network, amount, asset, payTo }: ParsedRequirements) => ({
  scheme,
  network,
  amount: amount.toString(),
  asset,
  payTo,
})

function describe(document: unknown): Readonly<Record<string, unknown>> {
  const fields = asRecord(document)
  const info = asRecord(fields.info)
  const name = info.title ?? fields.name
  const description = info.description ?? fields.description ?? info.summary
  return { ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
}
