// The services of the signed-in owner, each with its problems and how to fix them, and the webhooks.

import type { LocalDirectory } from '../../directory/directory.ts'
import { DirectoryError } from '../../domain/errors.ts'
import { type OwnService, parseOwnServicesQuery } from '../../domain/listing/own-services.ts'
import { say } from '../../messages/message.ts'
import { type Band, toBands, urgencyOf } from '../bands.ts'
import { toRefusal } from '../failure.ts'
import { type Html, html } from '../html.ts'
import type { FormRequest, Page, PageRequest, Rendered } from '../page.ts'
import { toCutName } from '../provider-text.ts'
import { toStanding } from '../service-card.ts'
import { createView, type View } from '../view.ts'
import {
  assertOurs,
  findOwner,
  type Owner,
  toOwnerPage,
  toSignIn,
  toTokenField,
  toWho,
  toWrong,
} from './frame.ts'
import { canProbe, readOwn } from './own-reads.ts'
import type { Token } from './session.ts'
import { actOnWebhook, toWebhooks } from './webhooks.ts'

const A_PAGE = 20

export function createOwnPage(
  directory: LocalDirectory,
  contact: string,
): Required<Pick<Page, 'render' | 'submit'>> {
  async function show(view: View, owner: Owner, error?: DirectoryError): Promise<Rendered> {
    const { request } = view
    const query = parseOwnServicesQuery({ limit: A_PAGE, before: request.parameters.before || undefined })
    const [{ services, next }, webhooks] = await Promise.all([
      directory.ownServices(query, owner.session).then(answer => answer.decode()),
      directory.listWebhooks(owner.session),
    ])
    const cards = await Promise.all(
      services.map(async own => ({ own, bands: await readOwn(directory, view, owner, own, contact) })),
    )
    // Stable, so that of equal urgency the newest stays first.
    cards.sort((a, b) => urgencyOf(a.bands) - urgencyOf(b.bands))
    const isOnePage = next === null && request.parameters.before === undefined
    const { owner: words } = view.words
    const done = request.parameters.done as keyof typeof words.done | undefined
    const main = (token: Token) => html`<div class="own"><h1>${words.title}</h1>
<p class="lead">${words.intro}</p>
${toWho(view, owner, token)}
${error && toWrong(view, error)}${done && Object.hasOwn(words.done, done) ? html`<p class="notice" role="status">${words.done[done]}</p>` : undefined}
${cards.length === 0 ? toNone(view) : html`${cards.length > 1 ? html`<p class="note">${isOnePage ? words.order : words.orderOfPage}</p>` : undefined}<ul class="owned">${cards.map(({ own, bands }) => toOwned(view, own, bands, token))}</ul>`}
${next === null ? undefined : html`<p><a rel="next" href="${view.href('/yours', { before: next })}">${words.next}</a></p>`}
${toWebhooks(view, webhooks, token, '/yours')}</div>`
    return toOwnerPage(view, words.title, main, { failed: error?.code })
  }

  async function open(
    request: PageRequest,
    work: (view: View, owner: Owner) => Promise<Rendered>,
  ): Promise<Rendered> {
    const view = createView(request)
    const owner = await findOwner(directory, request)
    return owner ? work(view, owner) : toSignIn(view, true)
  }

  return {
    render: request => open(request, show),
    submit: (request: FormRequest) =>
      open(request, async (view, owner) => {
        try {
          assertOurs(request)
          const done = await actOnWebhook(directory, owner, request)
          if (done === undefined) throw new DirectoryError('invalid_request', say('action_unknown'))
          return { text: '', location: view.href('/yours', { done }) }
        } catch (error) {
          return show(view, owner, toRefusal(error))
        }
      }),
  }
}

const toNone = ({ words: { owner }, href }: View): Html =>
  html`<div class="empty"><h2>${owner.none}</h2><p>${owner.noneHint}</p><p><a class="button" href="${href('/register')}">${owner.register}</a></p></div>`

function toOwned(view: View, own: OwnService, bands: readonly Band[], token: Token): Html {
  const { words, href } = view
  const { owner } = words
  const { service, by, hidden, retired } = own
  const { id, name, status, trustScore } = service
  const path = href(`/yours/${id}`)
  return html`<li class="panel"><div class="heads"><h2><a href="${path}" title="${name}">${toCutName(name)}</a></h2>${hidden ? undefined : toStanding(view, status, { isSample: false, isRetired: retired !== null })}<span class="note">${words.proof.trust(String(trustScore))}</span></div>
${bands.length > 0 ? toBands(view, bands, { isOwner: true }) : html`<p class="note">${owner.fine}</p>`}
<form class="buttons" action="${path}" method="post">${toTokenField(token)}${canProbe(own) ? html`<button class="quiet small" name="action" value="probe" aria-label="${owner.probe}: ${name}">${owner.probe}</button>` : undefined}${retired !== null && !hidden ? html`<button class="quiet small" name="action" value="restore" aria-label="${owner.restore}: ${name}">${owner.restore}</button>` : undefined}${by === 'wallet' ? html`<button class="quiet small" name="action" value="claim" aria-label="${owner.claim}: ${name}">${owner.claim}</button>` : undefined}<a class="button quiet small" href="${path}" aria-label="${owner.manage}: ${name}">${owner.manage}</a></form></li>`
}
