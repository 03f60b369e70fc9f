// The proof by the domain of an owner's service: its state, what to publish, and a button to look for it.
import type { LocalDirectory } from '../../directory/directory.ts'
import { PROOF_FILE, proofRecordOf } from '../../domain/hosts/domain-proof.ts'
import type { Backing } from '../../domain/listing/backing.ts'
import type { Service } from '../../domain/listing/service.ts'
import { toRefusal } from '../failure.ts'
import { type Html, html } from '../html.ts'
import { toCopyable } from '../layout.ts'
import type { View } from '../view.ts'
import { toTokenField } from './frame.ts'
import type { Token } from './session.ts'

/** Returns null if there is none, and undefined if the catalog of this process does not have the service yet. */
export function readDomain(directory: LocalDirectory, id: string): Backing['domain'] | undefined {
  try {
    return directory.require(directory.reads.backing(id), id).domain
  } catch (error) {
    if (toRefusal(error).code === 'not_found') return undefined
    throw error
  }
}

/** @param canProbe whether a probe can be requested: not while it is out of service */
export function toDomainProof(
  view: View,
  { endpoint, x402Config, status }: Service,
  domain: Backing['domain'],
  { token, path, canProbe }: { readonly token: Token; readonly path: string; readonly canProbe: boolean },
): Html | undefined {
  const { proof } = view.words.owner
  const origin = URL.parse(endpoint)
  if (!origin) return undefined
  if (domain)
    return html`<section id="domain"><h2>${proof.title}</h2><p>${view.words.service.provedBy(domain.host)}</p><p class="note">${view.words.service.provedNote[domain.names]} ${proof.since(view.time(domain.since))}</p></section>`
  const wallet = x402Config.paymentAddress
  const record = proofRecordOf(origin.hostname)
  return html`<section id="domain"><h2>${proof.title}</h2><p class="note">${proof.text(origin.host)}</p>
<p>${proof.file}</p><p>${toCopyable(view, new URL(PROOF_FILE, origin).href, proof.place)}</p><p>${toCopyable(view, JSON.stringify({ wallets: [wallet] }), proof.content)}</p><p class="note">${proof.fileNote}</p>
${record && html`<p>${proof.record}</p><p>${toCopyable(view, record, proof.place)}</p><p>${toCopyable(view, `wallet=${wallet}`, proof.content)}</p>`}
<p class="note">${status === 'verified' ? proof.when : proof.unverified}</p>
${canProbe ? html`<form action="${view.href(path)}" method="post">${toTokenField(token)}<p class="buttons"><button class="quiet" name="action" value="probe">${proof.look}</button></p></form>` : undefined}</section>`
}
