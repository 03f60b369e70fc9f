import type { StoredTerms } from '../../src/domain/terms/terms.ts'
import { toResourceTerms } from '../../src/probe/terms/declared.ts'
import { readTerms } from '../../src/probe/terms/x402.ts'

/** What a merchant's own 402 says, read as a probe reads it. */
export async function readMerchant(url: string, method: string): Promise<StoredTerms> {
  const answer = await fetch(url, {
    method,
    ...(method !== 'GET' && { headers: { 'content-type': 'application/json' }, body: '{}' }),
  })
  const reading = readTerms({ status: answer.status, headers: answer.headers, body: await answer.text() })
  if (!reading.readable)
    throw new Error(`${method} ${url} answers ${answer.status}: ${JSON.stringify(reading)}`)
  return {
    seenAt: '2026-01-01T00:00:00.000Z',
    x402Version: reading.version,
    resources: [toResourceTerms(reading, { url, method })],
  }
}
