// The warnings at the top of a service page, before anything that can be copied.

import { addressProblem } from '../../domain/chains/addresses.ts'
import { chainLabel } from '../../domain/chains/chains.ts'
import { isNeverProbed } from '../../domain/hosts/endpoint.ts'
import type { SharedPart } from '../../domain/listing/backing.ts'
import { readMessageRecord } from '../../domain/problems.ts'
import { isPoor } from '../../domain/standing/delivery.ts'
import { isCounted, isFailed } from '../../domain/standing/standing.ts'
import { unprobedReason } from '../../domain/standing/trust.ts'
import type { TermsAnswer } from '../../domain/terms/terms.ts'
import type { Message } from '../../messages/message.ts'
import { type Band, urlNotes } from '../bands.ts'
import { type Html, html } from '../html.ts'
import { PAGE_LANGUAGES } from '../languages/page-languages.ts'
import { toMessageParagraph } from '../message-text.ts'
import { toCutName, toShortened } from '../provider-text.ts'
import { WARNING_LEVELS } from '../verdict.ts'
import type { View } from '../view.ts'
import { toldOutcome } from './service-proof.ts'
import { type Found, findPayees, messageOf, networksOf } from './service-reads.ts'

export function findAlerts(view: View, found: Found): Band[] {
  const seen = [...deliveryAlerts(view, found), ...termsAlerts(view, found)]
  // What was seen is also the reason why it is not verified, so only the stronger warning is shown.
  const isExplained = seen.some(({ level }) => level === 'stop')
  return [
    ...standingAlerts(view, found).filter(
      ({ title }) => !isExplained || title !== view.words.alerts.unverified.title,
    ),
    ...seen,
    ...backingAlerts(view, found),
    ...urlNotes(view, found.service.endpoint),
  ]
}

function deliveryAlerts(view: View, { service, bought }: Found): Band[] {
  if (!bought || service.status === 'inactive') return []
  const { delivered, purchases, failing } = bought.delivery
  if (!isPoor(bought.delivery)) return []
  const { title, text, elsewhere, mend, own } = view.words.alerts.undelivered
  const failures = bought.purchases.filter(({ counts, outcome }) => counts && outcome !== 'delivered')
  const [failed] = failures
  const isElsewhere = failures.some(({ through }) => through !== null)
  return [
    {
      level: failing ? 'stop' : 'care',
      title: title(view.number(delivered), view.number(purchases)),
      text: html`<p>${text}</p>${isElsewhere ? html`<p>${elsewhere}</p>` : undefined}`,
      mend,
      own: {
        text:
          failed &&
          html`<p>${own.text(view.time(failed.at), view.words.service.bought.outcomes[toldOutcome(failed.outcome, failed.reasonCodes)])}</p>${isElsewhere ? html`<p>${own.elsewhere}</p>` : undefined}`,
        mend: own.mend,
      },
    },
  ]
}

function standingAlerts(view: View, found: Found): Band[] {
  const { alerts } = view.words
  const { service, standing, isSample } = found
  const { paymentAddress, network } = service.x402Config
  const problem = addressProblem(paymentAddress, network)
  const wrong: Band[] = problem
    ? [
        {
          level: 'stop',
          ...alerts.address,
          text: toMessageParagraph(view, problem),
        },
      ]
    : []
  if (isSample)
    return [{ level: 'care', title: alerts.sample.title, text: html`<p>${alerts.sample.text}</p>` }]
  if (service.status === 'inactive') return [...wrong, toInactive(view, found)]
  const verification = standing?.trust.components[0]
  if (verification?.code === 'probing_declined') {
    const reason = readMessageRecord(verification, verification.reason)
    return [...wrong, { level: 'note', ...alerts.declined, text: toMessageParagraph(view, reason) }]
  }
  const [newest] = standing?.probes.filter(isCounted) ?? []
  if (newest && isFailed(newest))
    return [
      ...wrong,
      { level: 'care', ...alerts.failing, text: reasonsOf(view, found), own: sinceOwn(view, found) },
    ]
  if (service.status === 'verified' || !standing) return wrong
  const [last] = standing.probes
  if (last?.outcome === 'refused')
    return [...wrong, { level: 'care', ...alerts.refused, text: toReasons(view, last) }]
  if (!newest && isNeverProbed(service.endpoint))
    return [
      ...wrong,
      { level: 'note', ...alerts.reserved, text: toMessageParagraph(view, unprobedReason(service.endpoint)) },
    ]
  if (!newest)
    return [
      ...wrong,
      {
        id: 'waiting',
        level: 'note',
        title: alerts.waiting.title,
        text: html`<p>${alerts.waiting.text}</p>`,
        own: { text: html`<p>${alerts.waiting.own}</p>` },
      },
    ]
  return [
    ...wrong,
    { level: 'care', ...alerts.unverified, text: reasonsOf(view, found), own: sinceOwn(view, found) },
  ]
}

/** Owners also see since when. */
const sinceOwn = (view: View, found: Found): Band['own'] => ({
  text: html`${toSince(view, found)}${reasonsOf(view, found)}`,
})

/** The first of the newest probes that all came to the same. */
function toSince(view: View, { standing }: Found): Html | undefined {
  const counted = standing?.probes.filter(isCounted) ?? []
  const before = counted.findIndex(({ outcome }) => outcome !== counted[0]?.outcome)
  const first = counted.at(before === -1 ? -1 : before - 1)
  return first && html`<p>${view.words.alerts.since(view.time(first.at))}</p>`
}

function toInactive(view: View, found: Found): Band {
  const { alerts } = view.words
  const { standing } = found
  const retirement = standing && findRetirement(standing)
  if (retirement) {
    const { title, said: saying, text, own } = alerts.retired
    const mend = isNeverProbed(found.service.endpoint) ? 'mend' : 'mendProbed'
    const { message: said, at } = retirement
    // The words of the owner, marked as such.
    const message = said.code === 'retired_by' ? html`<p>${saying(said.values.message)}</p>` : undefined
    return {
      level: 'stop',
      title,
      text: html`<p>${text}</p>${message}`,
      mend: alerts.retired[mend],
      // Its owner wanted it so.
      own: { level: 'note', text: html`<p>${own.text(view.time(at))}</p>${message}`, mend: own[mend] },
    }
  }
  const { title, never, mend, own } = alerts.silent
  const since = standing && findSilence(standing)
  return {
    level: 'stop',
    title: since ? title(view.time(since)) : standing ? never : view.words.statuses.inactive,
    text: reasonsOf(view, found),
    mend,
    own: { mend: own },
  }
}

/** Time of the first probe of the current failure, as in the list of incidents; undefined if it never answered. */
function findSilence({ probes }: NonNullable<Found['standing']>): string | undefined {
  const counted = probes.filter(isCounted)
  const answered = counted.findIndex(probe => !isFailed(probe))
  return counted[answered - 1]?.at
}

const RETIREMENTS = ['retired_by', 'unlisted_by_source', 'retired']

/** When and with which message it was taken out of service; undefined if it only stopped answering. */
function findRetirement({
  trust,
  events,
}: NonNullable<Found['standing']>): { readonly message: Message; readonly at: string } | undefined {
  if (trust.components[0]?.code !== 'retired') return undefined
  return events
    .flatMap(event => {
      const message = messageOf(event)
      return message ? [{ message, at: event.at }] : []
    })
    .find(({ message }) => RETIREMENTS.includes(message.code))
}

/** The reasons of the newest probe. */
function reasonsOf(view: View, { standing }: Found): Html | undefined {
  const probe = standing?.probes.find(isCounted)
  return probe && toReasons(view, probe)
}

const toReasons = (
  view: View,
  { reasons, reasonCodes }: NonNullable<Found['standing']>['probes'][number],
): Html =>
  html`${reasons.map((reason, i) => toMessageParagraph(view, readMessageRecord(reasonCodes[i], reason)))}`

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
  const seen = html`<p>${alerts.seen(view.time(terms.seenAt))}</p>`
  const bands: Band[] = []
  if (higher?.code === 'seen_asking') {
    const { title, text, mend, own } = alerts.asksMore
    const { price, listed } = higher.values
    bands.push({
      level: WARNING_LEVELS.asksMore,
      title: title(price, listed),
      text: html`<p>${text}</p>${seen}`,
      mend,
      own: { text: html`<p>${own}</p>${toSince(view, found)}` },
    })
  }
  if (lower?.code === 'seen_asking') {
    const { title, text } = alerts.asksLess
    const { price, listed } = lower.values
    bands.push({ level: 'note', title: title(price, listed), text: html`<p>${text}</p>`, isForOwner: true })
  }
  if (!terms.asListed.network || !terms.asListed.address) bands.push(toOtherPayee(view, found, terms, seen))
  if (others.length > 0)
    bands.push({
      level: 'note',
      title: alerts.terms.title,
      text: html`${others.map(note => toMessageParagraph(view, note))}`,
      own: { title: alerts.terms.own },
      // Buyers who are told not to pay need no advice on paying.
      isForOwner: bands.some(({ level }) => level === 'stop'),
    })
  return bands
}

function toOtherPayee(view: View, found: Found, terms: TermsAnswer, seen: Html): Band {
  const { service } = found
  const { otherWallet, otherNetwork } = view.words.alerts
  const { paymentAddress, network } = service.x402Config
  if (!terms.asListed.network) {
    const text = html`<p>${otherNetwork.text(networksOf(terms).join(', '))}</p>`
    return {
      level: WARNING_LEVELS.elsewhere,
      title: otherNetwork.title(chainLabel(network)),
      text: html`${text}${seen}`,
      mend: otherNetwork.mend,
      own: { text: html`${text}${toSince(view, found)}` },
    }
  }
  const { others, isListedToo } = findPayees(service.x402Config, terms)
  const how = isListedToo ? 'also' : 'instead'
  const toText = (say: typeof otherWallet.also) =>
    html`<p>${toShortened(say(others.join(', '), paymentAddress), PAGE_LANGUAGES[view.language].glued)}</p>`
  return {
    level: WARNING_LEVELS.elsewhere,
    title: otherWallet.title,
    text: html`${toText(otherWallet[how])}${seen}`,
    mend: otherWallet.mend,
    own: { text: html`${toText(otherWallet.own[how])}${toSince(view, found)}` },
  }
}

/**
 * A listing by a stranger is marked as such. If neither of two listings is confirmed, the page does not say which one is right.
 */
function backingAlerts(view: View, { backing: { representative, others }, hosts }: Found): Band[] {
  const { alerts } = view.words
  const first = (part: SharedPart) =>
    others.find(({ id, shares, yields }) => id !== representative?.id && !yields && shares.includes(part))
  // Whoever proved the endpoint, or had the name first, carries no warning of a copy; only its owner learns of it.
  const copy = others.find(({ yields }) => yields)
  const [namesake, neighbour, copayee] = [first('name'), first('endpoint'), first('payee')]
  const text = (said: string, { id, name }: { id: string; name: string }) =>
    html`<p>${said}<a href="${view.href(`/services/${id}`)}">${toCutName(name)}</a>${hosts.get(id) ? html` ·\u00a0<span class="host">${hosts.get(id)}</span>` : undefined}</p>`
  return [
    ...(representative
      ? [
          {
            level: WARNING_LEVELS.stranger,
            title: alerts.stranger.title,
            text: text(alerts.stranger.text, representative),
            mend: alerts.claim,
            own: { title: alerts.stranger.own.title, text: text(alerts.stranger.own.text, representative) },
          },
        ]
      : []),
    ...(namesake
      ? [
          {
            level: WARNING_LEVELS.namesake,
            title: alerts.namesake.title,
            text: text(alerts.namesake.text, namesake),
            own: { text: text(alerts.namesake.own.text, namesake), mend: alerts.namesake.own.mend },
          },
        ]
      : []),
    ...(neighbour
      ? [
          {
            level: 'care' as const,
            title: alerts.neighbour.title,
            text: text(alerts.neighbour.text, neighbour),
            mend: alerts.claim,
          },
        ]
      : []),
    // One wallet may be paid for many services; only who expects to be alone with it should know.
    ...(copayee && copayee !== neighbour
      ? [
          {
            level: 'note' as const,
            title: alerts.copayee.title,
            text: text(alerts.copayee.text, copayee),
            mend: alerts.copayee.mend,
            isForOwner: true,
          },
        ]
      : []),
    ...(copy
      ? [
          {
            level: 'note' as const,
            title: alerts.copied.title,
            text: text(alerts.copied.text, copy),
            isForOwner: true,
          },
        ]
      : []),
  ]
}
