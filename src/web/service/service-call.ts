// How to call a service: code in several languages, its input and output, and examples. The tabs are disclosures of one group,
// which work without a script.
import { CALL_LANGUAGES, isPaidByCall, resourceToCall, toCall } from '../../domain/call/call.ts'
import type { Service } from '../../domain/listing/service.ts'
import type { TermsAnswer } from '../../domain/terms/terms.ts'
import { type Html, html } from '../html.ts'
import { toCopyButton } from '../layout.ts'
import type { View } from '../view.ts'
import { toSchemaTable } from './schema-table.ts'

export function toCallBlock(view: View, service: Service, terms: TermsAnswer | undefined): Html | undefined {
  const resource = terms && resourceToCall(terms)
  if (!resource) return undefined
  const { words } = view
  const texts = CALL_LANGUAGES.map(language => ({ language, text: toCall(service, terms, language) }))
  return html`<section id="call"><h2>${words.service.call}</h2>
<p>${isPaidByCall(service, terms) ? words.service.callNote : words.service.callUnpaid}</p>
<div class="tabs">${texts.map(
    ({ language, text }, i) =>
      html`<details name="call"${i === 0 ? html` open` : undefined}><summary>${words.service.callFor[language]}</summary><div class="code"><pre tabindex="0"><code>${text}</code></pre>${toCopyButton(view, text, words.service.callFor[language])}</div></details>`,
  )}</div>
${toSchemaTable(view, words.service.input, resource.input)}
${toSchemaTable(view, words.service.output, resource.output)}
</section>`
}
