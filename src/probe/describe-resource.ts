// What a 402 answer says of its resource besides the ways to pay: its words, how to ask it, what it takes and gives.
import type { ResourceTerms } from '../domain/terms.ts'
import { type Declared, readBazaar, readOutputSchema } from './bazaar-extension.ts'
import { type ParsedRequirements, toPaymentRequirements } from './payment-requirements.ts'
import { cleanName, cleanWords, isRecord, type Json } from './untrusted-json.ts'

export type Described = Declared & {
  readonly mimeType?: string
  readonly extensions: readonly string[]
  /** Signed ones, as they came; nobody has looked at them. */
  readonly offers?: readonly unknown[]
}

const MAX_DESCRIPTION = 1_024
const MAX_EXTENSIONS = 16

/** @param accepts of the terms */
export function describe(terms: Json, accepts: readonly unknown[]): Described {
  const extensions = isRecord(terms.extensions) ? terms.extensions : {}
  const resource = isRecord(terms.resource) ? terms.resource : {}
  // Version 1 says of every way what is the same for all of them.
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
  const offers = offersIn(extensions[OFFER_RECEIPT])
  return {
    ...declared,
    ...(description && { description }),
    ...(mimeType && { mimeType }),
    ...(offers.length > 0 && { offers }),
    extensions: Object.keys(extensions)
      .flatMap(name => cleanName(name) ?? [])
      .slice(0, MAX_EXTENSIONS),
  }
}

const OFFER_RECEIPT = 'offer-receipt'

function offersIn(extension: unknown): readonly unknown[] {
  const info = isRecord(extension) && isRecord(extension.info) ? extension.info : {}
  return Array.isArray(info.offers) ? info.offers : []
}

/** @param asked where the terms were answered, and by which method */
export function toResourceTerms(
  {
    payments,
    described: { method: _, offers: __, extensions, ...said },
  }: { payments: readonly ParsedRequirements[]; described: Described },
  asked: { readonly url: string; readonly method: string },
): ResourceTerms {
  return {
    ...asked,
    ...said,
    accepts: payments.map(toPaymentRequirements),
    extensions: [...extensions],
    source: '402',
  }
}
