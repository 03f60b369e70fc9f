/** Measures one service: asks its endpoint without paying and reports what was seen. It judges no history and stores nothing. */

import { endpointHost } from '../domain/endpoint.ts'
import { NO_RATES, type Rates } from '../domain/rates.ts'
import type { Clock } from '../runtime/clock.ts'
import { compareAsCustomer, findDynamicPayee } from './as-customer.ts'
import { askBesides, askOnce, furtherAsks } from './ask-besides.ts'
import { type Asked, hasTerms, isFinal } from './asked.ts'
import { Asking } from './asking.ts'
import { drawClient, findClient } from './clients.ts'
import { conclude, type Evidence } from './conclude.ts'
import { DocumentShelf } from './document-shelf.ts'
import { type Documented, fitsEndpoint, isAskable } from './documented.ts'
import { Documents, toAsks } from './documents.ts'
import { findTerms } from './find-terms.ts'
import type { HostGate, Patience } from './host-gate.ts'
import { matchListing } from './match-listing.ts'
import type { Probed, Target } from './outcome.ts'
import { toShownTerms } from './own-terms.ts'
import type { ResolvedHost, SafeFetch } from './safe-fetch.ts'
import { checkOffers } from './signed/check-offers.ts'
import type { ReadTxt } from './txt-records.ts'

/** @throws HostBusy where the patience is not enough to begin; what has begun waits longer for its own host */
export type Probe = (target: Target, patience?: Patience) => Promise<Probed>

const NO_HURRY: Patience = { patienceMs: 60_000 }
const BEGUN_PATIENCE_MS = 30_000

/** Half of all probes: whoever shows customers other terms is found out by the fourth with 15 of 16. */
const CUSTOMER_SHARE = 1 / 2
/** Of these: half of them are followed by no request under our name. */
const QUIET_SHARE = 1 / 2
/** Of what is known already: once a day at one probe an hour. */
const DOCUMENTS_SHARE = 1 / 24

export function createProber({
  fetch,
  userAgent,
  gate,
  clock,
  rates = () => NO_RATES,
  readTxt,
  random = Math.random,
}: {
  readonly fetch: SafeFetch
  readonly userAgent: string
  /** Where hosts are asked by others too. */
  readonly gate?: Pick<HostGate, 'enter'>
  /** Documents are kept for a few minutes by it. */
  readonly clock?: Clock
  /** Those of now, by which money of other currencies is compared with listed prices. */
  readonly rates?: () => Rates
  /** For keys that a name publishes; without it only documents are read. */
  readonly readTxt?: ReadTxt
  /** From 0 to 1, like Math.random. */
  readonly random?: () => number
}): Probe {
  const shelf = clock && new DocumentShelf(clock)
  return async (given, patience = NO_HURRY) => {
    const target = { rates: rates(), ...given }
    const { endpoint, resource, isNew = false } = target
    const isCustomer = isNew || resource?.asCustomer === true || random() < CUSTOMER_SHARE
    const asking = new Asking(
      { fetch, userAgent, shelf, clock },
      endpoint,
      {
        ...(patience.signal && { signal: patience.signal }),
        ...(gate && { enter: createEnter(gate, endpoint, patience) }),
      },
      isCustomer ? 'customer' : 'directory',
      findClient(resource?.client) ?? (isCustomer ? drawClient(random()) : undefined),
    )
    // Nobody is told that it was us: whoever is honest for a while after our name is asked without it.
    const isQuiet = isCustomer && !isNew && resource?.asCustomer !== true && random() >= 1 - QUIET_SHARE
    asking.spread = { chance: random(), wanted: resource?.address }
    const again = resource?.besides && (await askOnce(asking, resource.besides))
    const known = resource === null ? { url: endpoint, method: 'GET' as const } : resource
    const found = await findTerms(asking, endpoint, known)
    const { asked } = found
    const isComparable =
      isCustomer && !isFinal(asked) && ((hasTerms(asked) && !isQuiet) || found.named !== undefined)
    const comparison = isComparable
      ? await compareAsCustomer(asking, asked, { named: found.named, differed: resource?.differed === true })
      : undefined
    const { reading } = asked
    const isMismatched =
      reading?.readable === true &&
      reading.payments.length > 0 &&
      matchListing(reading, target).undeclaredAddresses.length > 0
    const hasDynamicPayee = comparison
      ? comparison.hasDynamicPayee
      : isMismatched && (await findDynamicPayee(asking, asked))

    const isWanted = isNew || (!isQuiet && !resource?.besides && random() < DOCUMENTS_SHARE)
    const documents = found.documents ?? (isWanted ? new Documents(asking, endpoint, 'openapi') : undefined)
    const besidesOf = (answer: Asked, draw: () => number) => {
      const documented = documents?.found ?? []
      return furtherAsks(
        asking,
        answer,
        { endpoint, told: toShownTerms(answer, documented, target.kept) },
        draw,
      )
    }
    // What a customer would send counts more than one more document.
    const isLast = () => hasTerms(asked) && asking.left === 1 && besidesOf(asked, () => 0).known.length > 0
    while (documents && !documents.isAtEnd && asking.left > 0 && !isFinal(asked) && !isLast())
      await documents.readNext()
    const declared =
      documents && comparison?.result !== 'cloaked'
        ? await askDeclared(asking, asked, documents.found)
        : undefined
    const counted = declared ?? asked
    const besides =
      hasTerms(counted) && comparison?.result !== 'cloaked' && !again
        ? await askBesides(asking, besidesOf(counted, random), { isFirst: isNew, random })
        : undefined
    const evidence: Evidence = {
      asked: counted,
      besides,
      again,
      signedOffers: await checkOffers(asking, counted, { readTxt, now: clock?.now() }),
      asking,
      comparison,
      hasDynamicPayee,
      documented: documents?.found ?? [],
      hasReadDocuments: documents?.isComplete ?? false,
    }
    return {
      ...conclude(evidence, target),
      against: claims => conclude(evidence, { ...target, ...claims }),
    }
  }
}

/** Where the document of the origin knows the resource by another method alone, that one counts, if it gives terms. */
async function askDeclared(
  asking: Asking,
  { ask }: Asked,
  documented: readonly Documented[],
): Promise<Asked | undefined> {
  const place = ask.place?.url ?? ask.url
  const own = documented.filter(each => each.source === 'openapi' && fitsEndpoint(each.url, place))
  if (own.length === 0 || own.some(({ method }) => method === ask.method) || ask.tool !== undefined)
    return undefined
  const [other] = own.filter(({ method }) => isAskable(method)).flatMap(toAsks)
  if (!other || asking.left === 0) return undefined
  const asked = await asking.ask(other)
  return hasTerms(asked) ? asked : undefined
}

/** To give up in the middle would waste what the host has answered. */
function createEnter(gate: Pick<HostGate, 'enter'>, endpoint: string, patience: Patience) {
  const ownHost = endpointHost(endpoint)
  let hasBegun = false
  return async (place: ResolvedHost) => {
    const patienceMs = hasBegun && place.host === ownHost ? BEGUN_PATIENCE_MS : patience.patienceMs
    const leave = await gate.enter(place, { ...patience, patienceMs })
    hasBegun = true
    return leave
  }
}
