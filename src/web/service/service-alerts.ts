// The warnings at the top of a service page, before anything that can be copied.

import { isPaidByCall } from '../../domain/call/call.ts'
import { addressProblem } from '../../domain/chains/addresses.ts'
import { chainLabel } from '../../domain/chains/chains.ts'
import { endpointHost, isNeverProbed } from '../../domain/hosts/endpoint.ts'
import type { SharedPart } from '../../domain/listing/backing.ts'
import { readMessageRecord } from '../../domain/problems.ts'
import { isPoor } from '../../domain/standing/delivery.ts'
import { isCounted, isFailed } from '../../domain/standing/standing.ts'
import { unprobedReason } from '../../domain/standing/trust.ts'
import type { TermsAnswer } from '../../domain/terms/terms.ts'
import { type Message, say } from '../../messages/message.ts'
import { type Band, urlNotes } from '../bands.ts'
import { type Html, html } from '../html.ts'
import { toMessageParagraph, toMessageText } from '../message-text.ts'
import { toCutName, toWhole } from '../provider-text.ts'
import { WARNING_LEVELS } from '../verdict.ts'
import type { View } from '../view.ts'
import { type Found, findPayees, messageOf, networksOf, toBoughtListing } from './service-reads.ts'

export function findAlerts(view: View, found: Found): Band[] {
  const seen = [...deliveryAlerts(view, found), ...termsAlerts(view, found)]
  // What was seen is also the reason why it is not verified, so only the stronger warning is shown.
  const isExplained = seen.some(({ level }) => level === 'stop')
  return [
    ...standingAlerts(view, found).filter(({ id }) => !isExplained || id !== 'unverified'),
    ...seen,
    ...backingAlerts(view, found),
    ...urlNotes(view, found.service.endpoint),
  ]
}

function deliveryAlerts(view: View, found: Found): Band[] {
  const { service, bought } = found
  if (!bought || service.status === 'inactive') return []
  const { delivered, purchases, failing } = bought.delivery
  if (!isPoor(bought.delivery)) return []
  const { advice, elsewhere, mend } = view.words.alerts.undelivered
  const through = bought.purchases.find(
    ({ counts, outcome, through }) => counts && outcome !== 'delivered' && through !== null,
  )?.through
  return [
    {
      level: failing ? 'stop' : 'care',
      title: view.words.proof.deliveredOf(view.number(delivered), view.number(purchases)),
      text: through ? html`${toBoughtListing(view, found, through)}<p>${elsewhere}</p>` : undefined,
      advice,
      mend,
    },
  ]
}

function standingAlerts(view: View, found: Found): Band[] {
  const { alerts } = view.words
  const { service, isSample } = found
  const { paymentAddress, network } = service.x402Config
  if (isSample)
    return [{ level: 'care', title: alerts.sample.title, text: html`<p>${alerts.sample.text}</p>` }]
  const problem = addressProblem(paymentAddress, network)
  return [
    ...(problem
      ? [{ level: 'stop' as const, ...alerts.address, text: toMessageParagraph(view, problem) }]
      : []),
    ...probeAlerts(view, found),
  ]
}

/** What the last probe found; nothing if it found what is listed. */
function probeAlerts(view: View, found: Found): Band[] {
  const { alerts } = view.words
  const { service, standing } = found
  if (service.status === 'inactive') return [toInactive(view, found)]
  const verification = standing?.trust.components[0]
  if (verification?.code === 'probing_declined') {
    const reason = readMessageRecord(verification, verification.reason)
    return [{ level: 'note', ...alerts.declined, text: toMessageParagraph(view, reason) }]
  }
  const newest = standing?.probes.find(isCounted)
  const since = findSince(found)
  if (newest && isFailed(newest))
    return [{ level: 'care', ...alerts.failing, text: toReasons(view, newest), since }]
  if (service.status === 'verified' || !standing) return []
  const [last] = standing.probes
  if (last?.outcome === 'refused') {
    const refused = { status: last.httpStatus ?? 403 }
    const text = toMessageParagraph(view, say('refused_unpaid', refused))
    const mend = alerts.refused.mend(toMessageText(view, say('refusal_mended_by', refused)).text)
    return [{ level: 'care', ...alerts.refused, text, mend }]
  }
  if (newest) {
    // Of a listing that was edited or restored, the newest probe has nothing to say.
    const change = standing.events.find(({ type }) => type === 'status') ?? verification
    const why = change && messageOf(change)
    const text = newest.reasons.length > 0 ? toReasons(view, newest) : why && toMessageParagraph(view, why)
    return [{ id: 'unverified', level: 'care', ...alerts.unverified, text, since }]
  }
  if (isNeverProbed(service.endpoint)) {
    const text = toMessageParagraph(view, unprobedReason(service.endpoint))
    // The facts of the verdict say it to buyers.
    return [{ level: 'note', ...alerts.reserved, text, isForOwner: true }]
  }
  const { title, text } = alerts.waiting
  return [{ id: 'waiting', level: 'note', title, text: html`<p>${text}</p>` }]
}

/** Time of the first of the newest probes that all came to the same. */
function findSince({ standing }: Found): string | undefined {
  const counted = standing?.probes.filter(isCounted) ?? []
  const before = counted.findIndex(({ outcome }) => outcome !== counted[0]?.outcome)
  return counted.at(before === -1 ? -1 : before - 1)?.at
}

function toInactive(view: View, { service, standing }: Found): Band {
  const { alerts, statuses } = view.words
  const message = standing && findRetirement(standing)
  if (message) {
    const { title, said, text, advice, mend } = alerts.retired
    // The words of the owner, marked as such.
    const quote = message.code === 'retired_by' ? html`<p>${said(message.values.message)}</p>` : undefined
    return { level: 'stop', title, text: html`<p>${text}</p>${quote}`, advice, mend }
  }
  const { title, never, mend } = alerts.silent
  const since = standing && findSilence(standing)
  const newest = standing?.probes.find(isCounted)
  return {
    level: 'stop',
    title: since ? title(view.time(since)) : standing ? never : statuses[service.status],
    text: newest && toReasons(view, newest),
    mend,
  }
}

/** Time of the first probe of the current failure, as in the list of incidents; undefined if it never answered. */
function findSilence({ probes }: NonNullable<Found['standing']>): string | undefined {
  const counted = probes.filter(isCounted)
  const answered = counted.findIndex(probe => !isFailed(probe))
  return counted[answered - 1]?.at
}

const RETIREMENTS = ['retired_by', 'unlisted_by_source', 'retired']

/** With which message it was discontinued; undefined if it only stopped answering. */
function findRetirement({ trust, events }: NonNullable<Found['standing']>): Message | undefined {
  if (trust.components[0]?.code !== 'retired') return undefined
  return events.map(messageOf).find(message => message && RETIREMENTS.includes(message.code))
}

const toReasons = (
  view: View,
  { reasons, reasonCodes }: NonNullable<Found['standing']>['probes'][number],
): Html =>
  // The list of requests has the one that it is about.
  html`${reasons
    .map((reason, i) => readMessageRecord(reasonCodes[i], reason))
    .filter(({ code }, _, all) => code !== 'request_was' || !all.some(each => each.code === 'requests_made'))
    .map(message => toMessageParagraph(view, message))}`

function termsAlerts(view: View, found: Found): Band[] {
  const { service, terms } = found
  if (!terms || service.status === 'inactive') return []
  const { alerts } = view.words
  const notes = terms.noteCodes.map((record, i) => readMessageRecord(record, terms.notes[i] ?? ''))
  const higher = notes.find(note => note.code === 'seen_asking' && note.values.isMore)
  const lower = notes.find(note => note.code === 'seen_asking' && !note.values.isMore)
  // A lower price is no warning for buyers; it is shown with the price. Another payee has a band of its own.
  const others = notes.filter(
    ({ code }) => !['seen_asking', 'asks_other_wallet', 'asks_other_network'].includes(code),
  )
  // Later probes may have failed.
  const isOld = terms.seenAt < found.status.lastChecked
  const seen = isOld ? html`<p>${alerts.seen(view.time(terms.seenAt))}</p>` : undefined
  const bands: Band[] = []
  if (higher?.code === 'seen_asking') {
    const { title, advice, mend } = alerts.asksMore
    const { price, listed } = higher.values
    bands.push({
      level: WARNING_LEVELS.asksMore,
      title: title(price, listed),
      text: seen,
      advice,
      since: findSince(found),
      mend,
    })
  }
  if (lower?.code === 'seen_asking') {
    const { price, listed } = lower.values
    const title = alerts.asksMore.title(price, listed)
    bands.push({ level: 'note', title, text: html`<p>${alerts.asksLess}</p>`, isForOwner: true })
  }
  if (!terms.asListed.network || !terms.asListed.address) bands.push(toOtherPayee(view, found, terms, seen))
  const isMppOnly = others.some(({ code }) => code === 'mpp_only')
  if (others.length > 0)
    bands.push({
      level: isMppOnly ? WARNING_LEVELS.mppOnly : 'note',
      title: isMppOnly ? alerts.mppOnly.title : alerts.terms,
      text: html`${others.map(note => toMessageParagraph(view, note))}`,
      // Buyers who are told not to pay need no advice on paying. Where clients can be configured to pay, the facts of the verdict say so.
      isForOwner:
        bands.some(({ level }) => level === 'stop') ||
        (isPaidByCall(found.service, terms) && others.every(({ code }) => code === 'not_by_default_client')),
    })
  return bands
}

function toOtherPayee(view: View, found: Found, terms: TermsAnswer, seen: Html | undefined): Band {
  const { service } = found
  const { otherWallet, otherNetwork } = view.words.alerts
  const { paymentAddress, network } = service.x402Config
  const band = { level: WARNING_LEVELS.elsewhere, since: findSince(found) }
  if (!terms.asListed.network) {
    const { title, text, mend } = otherNetwork
    const said = html`<p>${text(networksOf(terms).join(', '))}</p>${seen}`
    return { ...band, title: title(chainLabel(network)), text: said, mend }
  }
  const { title, advice, mend } = otherWallet
  const text = otherWallet.text(findPayees(service.x402Config, terms).join(', '), paymentAddress)
  return { ...band, title, text: html`<p>${toWhole(text)}</p>${seen}`, advice, mend }
}

/**
 * A listing by a stranger is marked as such. If neither of two listings is confirmed, the page does not say which one is right. Whoever
 * proved the endpoint, or had the name first, carries no warning of a copy.
 */
function backingAlerts(view: View, { service, backing, others: known }: Found): Band[] {
  const { representative, others } = backing
  const { stranger, namesake, neighbour, claim, payees } = view.words.alerts
  const first = (part: SharedPart) =>
    others.find(({ id, shares, yields }) => id !== representative?.id && !yields && shares.includes(part))
  const bands: readonly (Omit<Band, 'text'> & {
    readonly text: string
    readonly about: { readonly id: string; readonly name: string } | null | undefined
  })[] = [
    { level: WARNING_LEVELS.stranger, ...stranger, about: representative, mend: claim },
    { level: WARNING_LEVELS.namesake, ...namesake, about: first('name') },
    { level: 'care', ...neighbour, about: first('endpoint'), mend: claim },
  ]
  return bands.flatMap(({ about, text, ...band }) => {
    if (!about) return []
    const other = known.get(about.id)
    const [own, theirs] = [service, other].map(each => each?.x402Config.paymentAddress)
    const link = html`<a href="${view.href(`/services/${about.id}`)}">${toCutName(about.name)}</a>`
    return {
      ...band,
      text: html`<p>${text}${link}${other && html` ·\u00a0<span class="host">${endpointHost(other.endpoint)}</span>`}</p>${theirs && theirs !== own && about !== representative ? html`<p>${toWhole(payees(own!, theirs))}</p>` : undefined}`,
    }
  })
}
