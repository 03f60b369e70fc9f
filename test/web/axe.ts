// An accessibility checker, run on a page as it stands.
import { readFileSync } from 'node:fs'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir), 'utf8')

/** Otherwise every element that is as it should be is described too. */
const OPTIONS: RunOptions = { resultTypes: ['violations'], preload: false }

/** In the page: each look of an element within those around it, and the first that looks so. */
const READ_LOOKS = String.raw`(() => {
  const looks = []
  const numbers = new Map()
  const numberOf = new Map()
  globalThis.firstOfLook = []
  for (const element of document.querySelectorAll('body, body *')) {
    // The checker passes over what cannot be seen, and does not judge single characters.
    const hasText = node => node.nodeType === Node.TEXT_NODE && /[\p{L}\p{N}]{2}/u.test(node.nodeValue)
    const isJudged = [...element.childNodes].some(hasText) && element.checkVisibility()
    const style = getComputedStyle(element)
    const own = [
      element.localName, element.getAttribute('class'), isJudged, style.visibility, style.position, style.opacity, style.color,
      style.backgroundColor, style.backgroundImage, style.fontSize, style.fontWeight, style.textShadow,
    ].join(' ')
    const around = numberOf.get(element.parentElement)
    const key = around + ' ' + own
    let number = numbers.get(key)
    if (number === undefined) {
      number = looks.push(around === undefined ? own : looks[around] + '\n' + own) - 1
      numbers.set(key, number)
      firstOfLook.push(element)
    }
    numberOf.set(element, number)
  }
  return looks
})()`

/**
 * The rule that is broken, and the first element that breaks it. Two thirds of the checker's time would go into the contrast of each
 * text with what lies behind it, which is the same wherever an element and all those around it look the same: of each look, which is
 * known from then on, one element is checked.
 */
export async function findViolations(
  page: Page,
  knownLooks: Set<string> = new Set(),
): Promise<[rule: string, element: string][]> {
  await page.evaluate(AXE)
  const looks = await page.evaluate<string[]>(READ_LOOKS)
  const fresh = looks.flatMap((look, i) => (knownLooks.has(look) ? [] : i))
  for (const look of looks) knownLooks.add(look)
  const { violations } = await page.evaluate<AxeResults>(`
    for (const i of ${JSON.stringify(fresh)}) firstOfLook[i].setAttribute('data-fresh-look', '')
    axe.configure({ rules: [{ id: 'color-contrast', selector: '[data-fresh-look]' }] })
    axe.run(document, ${JSON.stringify(OPTIONS)})`)
  return violations.map(({ id, nodes }) => [id, nodes[0]!.html])
}
