// The about page: what this directory is, and how programs use it.
import { type Html, html } from './html.ts'
import { toCopyable, toDocument } from './layout.ts'
import { type PageRequest, type Rendered, toRendered } from './page.ts'
import { createView, type View } from './view.ts'

const ADDRESSES = {
  docs: '/docs',
  openapi: '/openapi.json',
  export: '/api/export',
  categories: '/api/categories',
  agents: '/llms.txt',
  discovery: '/discovery/resources',
  ready: '/readyz',
} as const

/** Groups of readers, each with the page for them. */
const READERS = { buyers: '/', sellers: '/register', everybody: '/status' } as const

export const renderAbout = (request: PageRequest): Rendered => {
  const view = createView(request)
  const { title, intro } = view.words.about
  return toRendered(toDocument(view, { title, description: intro, main: toMain(view), place: 'about' }))
}

const namesOf = <T extends object>(table: T) => Object.keys(table) as (keyof T)[]

function toMain(view: View): Html {
  const { words, href } = view
  const { about } = words
  return html`<article class="text">
<h1>${about.title}</h1>
<p class="lead">${about.intro}</p>
<section><h2>${about.x402}</h2>${about.x402Text.map(text => html`<p>${text}</p>`)}</section>
<section><h2>${about.readers}</h2><ul class="readers">${namesOf(READERS).map(name => {
    const { title, text, link } = about.readerTexts[name]
    return html`<li><h3>${title}</h3><p>${text}</p><p><a href="${href(READERS[name])}">${link}</a></p></li>`
  })}</ul></section>
<section><h2>${about.trusted}</h2>${about.trustedText.map(text => html`<p>${text}</p>`)}</section>
<section><h2>${about.use}</h2><ul class="doors">${namesOf(ADDRESSES).map(
    name =>
      html`<li><a href="${ADDRESSES[name]}">${about.links[name][0]}</a> <span>${about.links[name][1]}</span></li>`,
  )}</ul>
<p class="curl"><span>${about.mcp}</span>${toCopyable(view, `${view.request.origin}/mcp`, about.mcp)}</p></section>
</article>`
}
