// The problems of an owner's service: what is wrong, since when, and how to fix it.

import type { LocalDirectory } from '../../directory/directory.ts'
import { isNeverProbed } from '../../domain/hosts/endpoint.ts'
import type { OwnService } from '../../domain/listing/own-services.ts'
import { isCounted } from '../../domain/standing/probes.ts'
import type { Band } from '../bands.ts'
import { toRefusal } from '../failure.ts'
import { html } from '../html.ts'
import { signerNotes } from '../listing-notes.ts'
import { toOperatorContact } from '../operator-contact.ts'
import { findAlerts } from '../service/service-alerts.ts'
import { type Found, readFound } from '../service/service-reads.ts'
import type { View } from '../view.ts'
import { toResultNote } from '../waiting.ts'
import type { Owner } from './frame.ts'

/** @param contact of the operator; empty if there is none */
export async function readOwn(
  directory: LocalDirectory,
  view: View,
  { wallet }: Owner,
  { service, by, hidden }: OwnService,
  contact: string,
): Promise<Band[]> {
  const { owner } = view.words
  if (hidden)
    return [
      {
        level: 'stop',
        title: owner.hidden,
        text: html`<p>${owner.hiddenSince(view.time(hidden.at))}</p><p>${owner.hiddenWhy}${view.words.colon}${hidden.why}</p>${toOperatorContact(view, contact)}`,
        mend: owner.hiddenMend,
      },
    ]
  const claim: Band[] =
    by === 'wallet'
      ? [{ level: 'note', title: owner.ofOthers, text: html`<p>${owner.ofOthersText}</p>` }]
      : []
  try {
    const found = await readFound(directory, service.id)
    return [
      ...toCurrent(view, found, findAlerts(view, found)),
      ...claim,
      ...signerNotes(view, wallet, service.x402Config),
    ]
  } catch (error) {
    // Another process has just created it, and the catalog of this one does not have it yet.
    if (toRefusal(error).code === 'not_found') return claim
    throw error
  }
}

/** What the last probe found against a price that is no longer listed says nothing of the present listing. */
function toCurrent(view: View, { standing, service }: Found, alerts: readonly Band[]): readonly Band[] {
  const { unverified, rechecking } = view.words.alerts
  const probe = standing?.probes.find(isCounted)
  const edit = standing?.events.find(({ type, code }) => type === 'price' && code === 'edited')
  if (service.status === 'inactive' || !probe || !edit || edit.at <= probe.at) return alerts
  return [
    ...alerts.filter(({ title }) => title !== unverified.title),
    {
      level: 'note',
      id: 'rechecking',
      title: rechecking.title,
      text: html`<p>${rechecking.text} ${toResultNote(view)}</p>`,
      isForOwner: true,
    },
  ]
}

/** Whether its owner can request a probe: not while it is hidden or out of service, nor of a host that is never probed. */
export const canProbe = ({ service, hidden, retired }: OwnService): boolean =>
  !hidden && retired === null && !isNeverProbed(service.endpoint)
