// The page of an owner's service: its problems, and the forms to edit, probe, retire, restore and remove it.
import type { LocalDirectory } from '../../directory/directory.ts'
import type { WriteResult } from '../../directory/owners.ts'
import { DirectoryError, type Problem } from '../../domain/errors.ts'
import { isNeverProbed } from '../../domain/hosts/endpoint.ts'
import { type OwnService, parseOwnServicesQuery } from '../../domain/listing/own-services.ts'
import { unprobedReason } from '../../domain/standing/trust.ts'
import { say } from '../../messages/message.ts'
import { toRefusal } from '../failure.ts'
import { renderMissing } from '../failure-page.ts'
import { type Html, html } from '../html.ts'
import type { FormRequest, Page, PageRequest, Rendered } from '../page.ts'
import { type Form, toBody } from '../register/register-fields.ts'
import { createView, type View } from '../view.ts'
import { findConflicts, tagOf, toConflict } from './edit-conflict.ts'
import { assertOurs, findOwner, type Owner, toOwnerPage, toSignIn, toWrong } from './frame.ts'
import { toOwnService } from './own-service.ts'
import { actOnWebhook, isAbout, toSecret } from './webhooks.ts'

/** The form that was submitted and its result, shown above the page. */
type Attempt = {
  readonly form?: Form
  readonly error?: DirectoryError
  readonly notice?: Html
  readonly conflict?: Html
}

export function createOwnServicePage(
  directory: LocalDirectory,
  contact: string,
): Required<Pick<Page, 'render' | 'submit'>> {
  async function show(view: View, owner: Owner, own: OwnService, attempt: Attempt = {}): Promise<Rendered> {
    const { id } = own.service
    const webhooks = (await directory.listWebhooks(owner.session)).filter(webhook => isAbout(webhook, id))
    const { form, error, conflict } = attempt
    const problems: readonly Problem[] = error?.problems ?? []
    const notice = html`${error && (problems.length === 0 || form?.action !== 'edit') ? toWrong(view, error) : undefined}${conflict}${attempt.notice}`
    const make = await toOwnService(directory, view, owner, own, {
      form,
      problems,
      webhooks,
      notice,
      contact,
    })
    return toOwnerPage(view, own.service.name, make, {
      failed: conflict ? 'precondition_failed' : error?.code,
    })
  }

  /** Saves the form, unless what it was filled with has changed since. */
  async function edit(view: View, owner: Owner, own: OwnService, request: FormRequest): Promise<Rendered> {
    const { form, from } = request
    const { id } = own.service
    const conflicts = findConflicts(own.service, form)
    if (conflicts.length > 0) return show(view, owner, own, { form, conflict: toConflict(view, conflicts) })
    try {
      await directory.edit(id, toPatch(form), { ...owner.session, from, ifMatch: tagOf(own.service) })
    } catch (error) {
      if (toRefusal(error).code !== 'precondition_failed') throw error
      // Somebody was faster, or a probe, which is no reason to refuse.
      const present = await findOwn(directory, owner, id)
      if (!present) throw error
      return edit(view, owner, present, request)
    }
    return { text: '', location: view.href(`/yours/${id}`, { done: 'edit' }) }
  }

  async function open(
    request: PageRequest,
    work: (view: View, owner: Owner, own: OwnService) => Promise<Rendered>,
  ): Promise<Rendered> {
    const view = createView(request)
    const owner = await findOwner(directory, request)
    if (!owner) return toSignIn(view, true)
    const own = await findOwn(directory, owner, request.id)
    return own ? work(view, owner, own) : renderMissing(request)
  }

  return {
    render: request => open(request, show),
    submit: (request: FormRequest) =>
      open(request, async (view, owner, own) => {
        const { form } = request
        const { id } = own.service
        try {
          assertOurs(request)
          if (form.action === 'hook') {
            const body = { url: form.url?.trim(), filter: { serviceId: id } }
            const { webhook } = await directory.createWebhook(body, { ...owner.session, from: request.from })
            return await show(view, owner, own, { notice: toSecret(view, webhook) })
          }
          if (form.action === 'edit') return await edit(view, owner, own, request)
          const lastChecked = directory.reads.status(id)?.decode().lastChecked
          const { done, probed } = await act(directory, owner, own, request)
          const query = { done, ...(probed && { since: lastChecked, from: probed.probedFrom }) }
          return { text: '', location: view.href(done === 'remove' ? '/yours' : `/yours/${id}`, query) }
        } catch (error) {
          return show(view, owner, own, { form, error: toRefusal(error) })
        }
      }),
  }
}

/** Only services of the owner, even if the key may do more. */
async function findOwn(
  directory: LocalDirectory,
  { session }: Owner,
  id: string,
): Promise<OwnService | undefined> {
  // Services are listed by descending id, so this page starts at the requested one.
  const query = parseOwnServicesQuery({ limit: 20, before: `${id.slice(0, 60)}~` })
  const { services } = (await directory.ownServices(query, session)).decode()
  return services.find(({ service }) => service.id === id)
}

/** Returns what was done, and if it is probed then, when. */
async function act(
  directory: LocalDirectory,
  owner: Owner,
  { service }: OwnService,
  request: FormRequest,
): Promise<{ readonly done: string; readonly probed?: Pick<WriteResult, 'probedFrom'> }> {
  const { form, id, from } = request
  const by = { ...owner.session, from }
  const { action } = form
  const isProbed = !isNeverProbed(service.endpoint)
  if (action === 'probe') {
    if (!isProbed) throw new DirectoryError('invalid_request', unprobedReason(service.endpoint))
    return { done: action, probed: await directory.probe(id, by) }
  }
  if (action === 'restore') {
    const probed = await directory.restore(id, by)
    return { done: action, ...(isProbed && { probed }) }
  }
  if (action === 'claim') await directory.claim(id, by)
  else if (action === 'retire') await directory.retire(id, { message: form.message ?? '' }, by)
  else if (action === 'remove') {
    if (form.sure !== '1') throw new DirectoryError('invalid_request', say('confirmation_expected'))
    await directory.remove(id, by)
  } else {
    const done = await actOnWebhook(directory, owner, request)
    if (done === undefined) throw new DirectoryError('invalid_request', say('action_unknown'))
    return { done }
  }
  return { done: action }
}

/** The form shows every field, so an empty one removes its value, and is reported if it is required. */
const toPatch = (form: Form): unknown =>
  JSON.parse(JSON.stringify(toBody(form), (_, value) => (value === undefined ? null : value)))
