// What the documents of an origin say that its resources cost and take, beside what the one that was asked answered itself.
import { MAX_RESOURCES, type ResourceTerms } from '../domain/terms.ts'
import type { Ask } from './asked.ts'
import { type Documented, fitsEndpoint, toTemplate } from './documented.ts'
import { readEntry, toPaymentRequirements } from './payment-requirements.ts'
import { isRecord } from './untrusted-json.ts'

const MAX_WAYS_EACH = 16
/** All of them together are kept with a service; beyond it they are told without their schemas. */
const MAX_SCHEMAS = 65_536

/** @param asked what was read of the resource that was asked, if anything */
export function toResources(
  asked: ResourceTerms | undefined,
  documented: readonly Documented[],
  ask: Ask | undefined,
): ResourceTerms[] {
  const told = new Set<string>()
  let left = MAX_SCHEMAS
  const own = asked && ask ? documented.find(each => isOfAsk(each, ask)) : undefined
  const first = asked ? [own ? completed(asked, own) : asked] : []
  if (asked) told.add(keyOf(asked))
  if (own) told.add(keyOf(toTerms(own)))
  const others = documented
    .filter(({ isPaid }) => isPaid)
    .map(toTerms)
    .filter(terms => !told.has(keyOf(terms)) && told.add(keyOf(terms)))
    .map(terms => {
      const { input, output, ...bare } = terms
      left -= JSON.stringify([input, output]).length
      return left < 0 ? bare : terms
    })
  return [...first, ...others].slice(0, MAX_RESOURCES)
}

/**
 * What documents named before stays until they are read again, and so does what they say of the resource that was asked.
 * @param now of a probe that did not read them all
 */
export function withUnread(now: readonly ResourceTerms[], before: readonly ResourceTerms[]): ResourceTerms[] {
  const [first, ...named] = now
  if (!first) return []
  const same = before.find(each => each.source === '402' && keyOf(each) === keyOf(first))
  const told = new Set([first, ...named].map(keyOf))
  const kept = before.filter(each => each.source !== '402' && !told.has(keyOf(each)))
  return [same ? completed(first, same) : first, ...named, ...kept].slice(0, MAX_RESOURCES)
}

const keyOf = ({ method, url, tool = '' }: ResourceTerms) => `${method} ${url} ${tool}`

const isOfAsk = ({ url, method = 'GET', tool }: Documented, ask: Ask): boolean =>
  method === ask.method && tool === ask.tool && fitsEndpoint(url, ask.place?.url ?? ask.url)

/** A 402 that does not say what it takes is helped by the document; what it says itself counts more. */
function completed(
  asked: ResourceTerms,
  {
    input,
    output,
    description,
    mimeType,
  }: Pick<ResourceTerms, 'input' | 'output' | 'description' | 'mimeType'>,
): ResourceTerms {
  return {
    ...(input && { input }),
    ...(output && { output }),
    ...(description && { description }),
    ...(mimeType && { mimeType }),
    ...asked,
  }
}

function toTerms({ url, method = 'GET', accepts, isPaid: _, ...said }: Documented): ResourceTerms {
  const ways = accepts.slice(0, MAX_WAYS_EACH).flatMap(entry => {
    const version = isRecord(entry) && 'maxAmountRequired' in entry ? 1 : 2
    const read = readEntry(entry, 'accepts', version)
    return 'payment' in read ? [toPaymentRequirements(read.payment)] : []
  })
  const { price, ...rest } = said
  const routeTemplate = toTemplate(url)
  return {
    url,
    method,
    ...rest,
    ...(routeTemplate && { routeTemplate }),
    ...(price && { declaredPrice: price }),
    accepts: ways,
    extensions: [],
  }
}
