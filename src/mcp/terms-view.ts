// The terms of a service as agents get them: those of the probed resource; `/terms` also has those from documents.
import { type TermsAnswer, termsSchema } from '../domain/terms/terms.ts'
import { quote, stripInvisible, toData } from './untrusted-text.ts'

/** Enough to pay; `/terms` has all. */
const MAX_OPTIONS = 8

/** Characters of a schema in a text; the structured content has all of it. */
const MAX_SCHEMA = 4_000

export const seenSchema = termsSchema.omit({ id: true, noteCodes: true })

export type SeenView = Omit<TermsAnswer, 'id' | 'noteCodes'>

export const toSeenView = ({ id: _, noteCodes: __, resources, ...seen }: TermsAnswer): SeenView => ({
  ...seen,
  resources: resources
    .slice(0, 1)
    .map(resource => ({ ...resource, accepts: resource.accepts.slice(0, MAX_OPTIONS) })),
})

const PRICE = {
  same: 'as listed',
  lower: 'lower than listed',
  higher: 'higher than listed',
  unknown: 'not comparable with the listed one',
} as const

/** For hosts without structured content: the terms, the input and every note. */
export function toTermsLines(seen: TermsAnswer | undefined): string[] {
  const [resource] = seen?.resources ?? []
  if (!seen || !resource) return ['Its endpoint has not answered with terms yet.']
  const [requirements] = resource.accepts
  const asks = requirements
    ? `${requirements.scheme === 'upto' ? 'up to ' : ''}${requirements.price ?? requirements.amount} ${requirements.assetName ?? requirements.asset} to ${requirements.payTo}`
    : 'nothing'
  const tool = resource.tool ? ` (tool ${quote(resource.tool)})` : ''
  const where = `${quote(resource.method)} ${quote(resource.url, 300)}${tool}`
  const { address, network } = seen.asListed
  const payee = address
    ? 'wallet as listed'
    : network
      ? 'ANOTHER WALLET than listed'
      : 'ANOTHER NETWORK than listed'
  return [
    `Seen ${seen.seenAt}: ${where} asks ${quote(asks, 300)}; price ${PRICE[seen.asListed.price]}, ${payee}`,
    ...seen.notes.map(note => quote(note, 400)),
    ...(resource.input
      ? [`Its input, as JSON Schema: ${stripInvisible(JSON.stringify(toData(resource.input)), MAX_SCHEMA)}`]
      : []),
  ]
}
