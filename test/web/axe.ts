// Runs an accessibility checker on a page in its present state.
import { readFileSync } from 'node:fs'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/** Given to a page as a script that each document begins with, it is compiled once, which takes half of the time. */
export const AXE = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

/** Otherwise every element that is as it should be is described too. */
const OPTIONS: RunOptions = { resultTypes: ['violations'], preload: false }

/** In the page: each look of an element within those around it, as a number made of both, and the first element that looks so. */
const READ_LOOKS = String.raw`(() => {
  const looks = []
  const numbers = new Map()
  globalThis.lookOf = new Map()
  globalThis.firstOfLook = []
  const digest = text => {
    let [a, b] = [0xdeadbeef, 0x41c6ce57]
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      a = Math.imul(a ^ code, 2654435761)
      b = Math.imul(b ^ code, 1597334677)
    }
    return (a >>> 0).toString(36) + (b >>> 0).toString(36)
  }
  for (const element of document.querySelectorAll('body, body *')) {
    // The checker passes over what cannot be seen, and does not judge single characters.
    const hasText = node => node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]{2}/u.test(node.nodeValue)
    const isJudged = [...element.childNodes].some(hasText) && element.checkVisibility()
    const style = getComputedStyle(element)
    const own = [
      element.localName, element.getAttribute('class'), isJudged, style.visibility, style.position, style.opacity, style.color,
      style.backgroundColor, style.backgroundImage, style.fontSize, style.fontWeight, style.textShadow,
      // What a link has beside its colour.
      style.display, style.fontFamily, style.fontStyle, style.textDecorationLine, style.borderStyle,
    ].join(' ')
    const around = lookOf.get(element.parentElement)
    const key = around + ' ' + own
    let number = numbers.get(key)
    if (number === undefined) {
      number = looks.push(digest(around === undefined ? own : looks[around] + own)) - 1
      numbers.set(key, number)
      firstOfLook.push(element)
    }
    lookOf.set(element, number)
  }
  return looks
})()`

/** In the page, given the looks that are new, and those that no link among words has had yet: checks, and says which had one now. */
const CHECK = `async ({ fresh, freshLinks, only }) => {
  for (const look of fresh) firstOfLook[look].setAttribute('data-fresh-look', '')
  const id = 'link-in-text-block'
  const isAmongWords = axe._audit.rules.find(rule => rule.id === id).matches
  const waiting = new Set(freshLinks)
  const links = []
  const matches = (link, ...rest) => {
    const look = lookOf.get(link)
    const isFirst = waiting.has(look) && isAmongWords(link, ...rest)
    if (isFirst) {
      waiting.delete(look)
      links.push(look)
    }
    return isFirst
  }
  axe.configure({ rules: [{ id: 'color-contrast', selector: '[data-fresh-look]' }, { id, matches }] })
  const { violations } = await axe.run(document, { ...${JSON.stringify(OPTIONS)}, ...only })
  return { violations, links }
}`

/** The rules that depend on how an element looks, and on nothing else. */
const LOOKS: RunOptions = { runOnly: ['color-contrast', 'link-in-text-block'] }

/**
 * The rule that is broken, and the first element that breaks it. Most of the checker's time would go into the contrast of each text
 * with what lies behind it, and of each link with the words around it, which is the same wherever an element and all those around it
 * look the same: of each look, which is known from then on, one element is checked.
 * @param only what of the page: its looks are all that another theme changes
 */
export async function findViolations(
  page: Page,
  knownLooks: Set<string> = new Set(),
  only?: 'looks',
): Promise<[rule: string, element: string][]> {
  const looks = await page.evaluate<string[]>(READ_LOOKS)
  const asLink = (look: string) => `a link among words ${look}`
  const indexesOf = (isNew: (look: string) => boolean) => looks.flatMap((look, i) => (isNew(look) ? i : []))
  const fresh = indexesOf(look => !knownLooks.has(look))
  // Nothing here is new: what it is made of has been checked.
  if (fresh.length === 0) return []
  const freshLinks = indexesOf(look => !knownLooks.has(asLink(look)))
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(AXE)
  const given = { fresh, freshLinks, only: only && LOOKS }
  const { violations, links } = await page.evaluate<Pick<AxeResults, 'violations'> & { links: number[] }>(
    `(${CHECK})(${JSON.stringify(given)})`,
  )
  for (const look of looks) knownLooks.add(look)
  for (const i of links) knownLooks.add(asLink(looks[i]!))
  return violations.map(({ id, nodes }) => [id, nodes[0]!.html])
}
