// Reads what a 402 says about its resource in addition to the payment requirements: description, method, input and output.

import { isRecord, type JsonRecord } from '../../domain/json.ts'
import type { ResourceTerms } from '../../domain/terms/terms.ts'
import { cleanName, cleanWords } from '../untrusted/untrusted-json.ts'
import { type Declared, readBazaar, readOutputSchema } from './bazaar-extension.ts'
import { type ParsedRequirements, toPaymentRequirements } from './payment-requirements.ts'

export type ResourceDescription = Declared & {
  readonly mimeType?: string
  readonly extensions: readonly string[]
}

const MAX_DESCRIPTION = 1_024
const MAX_EXTENSIONS = 16

export function describe(terms: JsonRecord, accepts: readonly unknown[]): ResourceDescription {
  const extensions = isRecord(terms.extensions) ? terms.extensions : {}
  const resource = isRecord(terms.resource) ? terms.resource : {}
  // In version 1 each entry of `accepts` repeats these fields.
  const first = accepts.find(isRecord) ?? {}
  const bazaar = readBazaar(extensions.bazaar)
  const declared = {
    ...readOutputSchema(
      accepts.filter(isRecord).find(({ outputSchema }) => isRecord(outputSchema))?.outputSchema,
    ),
    ...bazaar,
  }
  const description =
    cleanWords(resource.description, MAX_DESCRIPTION) ??
    cleanWords(first.description, MAX_DESCRIPTION) ??
    declared.description
  const mimeType = cleanName(resource.mimeType) ?? cleanName(first.mimeType)
  return {
    ...declared,
    ...(description && { description }),
    ...(mimeType && { mimeType }),
    extensions: Object.keys(extensions)
      .flatMap(name => cleanName(name) ?? [])
      .slice(0, MAX_EXTENSIONS),
  }
}

/** @param request that the terms answered */
export function toResourceTerms(
  {
    payments,
    described: { method: _, extensions, ...declared },
  }: { payments: readonly ParsedRequirements[]; described: ResourceDescription },
  request: { readonly url: string; readonly method: string },
): ResourceTerms {
  return {
    ...request,
    ...declared,
    accepts: payments.map(toPaymentRequirements),
    extensions: [...extensions],
    source: '402',
  }
}
