// Two forms of one listing: the second must not undo what the first has saved. The form names the listing that it was filled with, not
// the ETag of the service, because that also changes with every probe.

import { hashOf, toTag } from '../../domain/entity-tag.ts'
import { Encoded } from '../../domain/json/encoded.ts'
import type { Service } from '../../domain/listing/service.ts'
import { type Html, html } from '../html.ts'
import { type Form, toBody, toFlat, toListingForm } from '../register/register-fields.ts'
import type { View } from '../view.ts'

const hashOfListing = (service: Service): string =>
  hashOf(Buffer.from(JSON.stringify(toListingForm(service))))

/** The entity tag of the service as it was read, as in the HTTP interface. */
export const tagOf = (service: Service): string => toTag(hashOf(Encoded.of(service).bytes), 'identity')

export const toSeenField = (service: Service): Html =>
  html`<input type="hidden" name="seen" value="${hashOfListing(service)}">`

/** Returns the fields that are saved otherwise than the form has them, with what is saved; none if the form was filled with that. */
export function findConflicts(
  service: Service,
  form: Form,
): readonly (readonly [name: string, saved: string])[] {
  if (form.seen === undefined || form.seen === hashOfListing(service)) return []
  const entered = toFlat(toBody(form))
  return Object.entries(toListingForm(service)).filter(
    ([name, saved]) => withoutReturns(entered[name] ?? '') !== saved.trim(),
  )
}

/** Forms send line ends as CRLF. */
const withoutReturns = (text: string): string => text.replaceAll('\r\n', '\n').trim()

export function toConflict(view: View, conflicts: ReturnType<typeof findConflicts>): Html {
  const { words } = view
  const { title, text } = words.owner.conflict
  return html`<div class="notice wrong" role="alert" tabindex="-1"><strong>${title}</strong><p>${text}</p><ul>${conflicts.map(
    ([name, saved]) =>
      html`<li><a href="#${name}">${words.register.fields[name]![0]}</a>${words.colon}${saved || '–'}</li>`,
  )}</ul></div>`
}
