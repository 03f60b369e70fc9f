// The first page: a box to ask in, what was found, how much there is.
import type { Directory } from '../directory.ts'
import type { IntentAnswer } from '../domain/answers.ts'
import { categoryLabels } from '../domain/categories.ts'
import { DirectoryError } from '../domain/errors.ts'
import { parseIntentQuery, parseListQuery } from '../domain/queries.ts'
import type { Service } from '../domain/service.ts'
import { type Html, html } from './html.ts'
import { chooseLanguage, type Language, WORDS, type Words } from './words.ts'

export type PageRequest = {
  readonly parameters: Readonly<Record<string, string>>
  readonly acceptLanguage: string | null
  /** The OpenAPI document of the server that carries the page. */
  readonly document: unknown
}

const PAGE_SIZE = 20

export const createHomePage =
  (directory: Directory) =>
  async ({ parameters, acceptLanguage }: PageRequest): Promise<string> => {
    const language = chooseLanguage(acceptLanguage)
    const words = WORDS[language]
    const question = (parameters.q ?? '').trim()
    const [found, counts] = await Promise.all([
      find(directory, question, parameters.offset, language).catch(error => toMessage(error, words)),
      readCounts(directory, words),
    ])
    return toDocument({ language, words, question, counts, found })
  }

async function readCounts(directory: Directory, words: Words): Promise<string> {
  const [{ services, state }, categories] = await Promise.all([
    directory.health(),
    directory.categories().catch(() => []),
  ])
  return state === 'starting'
    ? ''
    : words.counts(services, categories.filter(({ count }) => count > 0).length)
}

const find = (directory: Directory, question: string, offset: string | undefined, language: Language) =>
  question === '' ? findNewest(directory, offset, language) : findByIntent(directory, question, language)

async function findNewest(
  directory: Directory,
  given: string | undefined,
  language: Language,
): Promise<Html> {
  const words = WORDS[language]
  const query = parseListQuery({ limit: PAGE_SIZE, offset: given ?? '' })
  const { services, total = 0 } = await directory.list(query)
  const shown = services.decode()
  if (total === 0) return html`<p class="note">${words.nothing}</p>`
  const { offset } = query
  return html`<h2>${words.newest}</h2>
${toList(shown.map(service => toCard(service, language)))}
<nav class="pages">
${offset > 0 ? html`<a rel="prev" href="/?offset=${Math.max(0, offset - PAGE_SIZE)}">${words.previous}</a>` : undefined}
${offset + PAGE_SIZE < total ? html`<a rel="next" href="/?offset=${offset + PAGE_SIZE}">${words.next}</a>` : undefined}
</nav>`
}

async function findByIntent(directory: Directory, question: string, language: Language): Promise<Html> {
  const words = WORDS[language]
  const answer = (
    await directory.searchByIntent(parseIntentQuery({ q: question, limit: PAGE_SIZE }))
  ).decode()
  const cards = (results: IntentAnswer['results']) =>
    toList(results.map(({ service, reason }) => toCard(service, language, reason)))
  return html`<h2>${words.results(answer.results.length)}</h2>
<p class="note">${answer.reason}</p>
${cards(answer.results)}
${answer.nearest ? html`<h2>${words.nearest(answer.nearest.relaxed)}</h2>${cards(answer.nearest.results)}` : undefined}`
}

/** Problems of the question are told; a failure of ours is not the page's to explain. */
function toMessage(error: unknown, words: Words): Html {
  if (!(error instanceof DirectoryError)) throw error
  if (error.code === 'not_ready') return html`<p class="note">${words.loading}</p>`
  return html`<h2>${words.invalid}</h2><p class="note">${error.message}</p>`
}

const toList = (cards: readonly Html[]): Html =>
  html`<ol class="services">${cards.map(card => html`<li>${card}</li>`)}</ol>`

function toCard(service: Service, language: Language, reason?: string): Html {
  const words = WORDS[language]
  const { pricing } = service
  return html`<article>
<h3><a href="/api/services/${encodeURIComponent(service.id)}">${service.name}</a> <span class="status ${service.status}">${words.statuses[service.status]}</span></h3>
<p>${service.description}</p>
<p class="facts">${categoryLabels(service.category)[language]} · ${pricing.pricePerRequest} ${pricing.currency} ${words.price}${pricing.freeQuota > 0 ? ` · ${words.free(pricing.freeQuota)}` : ''} · ${service.supportedChains.join(', ')} · ${words.trust} ${service.trustScore}</p>
<p class="facts"><code>${service.endpoint}</code></p>
${reason ? html`<p class="reason">${reason}</p>` : undefined}
</article>`
}

function toDocument(page: {
  language: Language
  words: Words
  question: string
  counts: string
  found: Html
}): string {
  const { language, words, question, counts, found } = page
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${question === '' ? 'Shirube' : `${question} · Shirube`}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header>
<h1><a href="/">標 Shirube</a></h1>
<p>${words.tagline}</p>
<form action="/" method="get" role="search">
<input type="search" name="q" value="${question}" placeholder="${words.placeholder}" aria-label="${words.search}" maxlength="500">
<button>${words.search}</button>
</form>
<p class="counts">${counts}</p>
</header>
<main>
${found}
</main>
<footer><a href="/docs">${words.reference}</a> · <a href="/openapi.json">${words.document}</a> · <a href="/api/export">${words.exported}</a></footer>
</body>
</html>
`.text
}
