// An accessibility checker, run on a page as it stands.
import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/** The rule that is broken, and the first element that breaks it. */
export async function findViolations(
  page: Page,
  options: RunOptions = {},
): Promise<[rule: string, element: string][]> {
  await page.evaluate(axe.source)
  // Otherwise every element that is as it should be is described too.
  const all: RunOptions = { ...options, resultTypes: ['violations'], preload: false }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(all)})`)
  return violations.map(({ id, nodes }) => [id, nodes[0]!.html])
}

/** So many entries of a list and rows of a table are looked at; the same code makes the others, of other words. */
const ENOUGH = 6

/** Takes the rest of long lists out of the page: a checker takes as long for each of fifty cards as for the first. */
export const shortenLists = (page: Page): Promise<void> =>
  page.evaluate(
    `for (const each of document.querySelectorAll(':is(li, tr, rect):nth-child(n + ${ENOUGH + 1})')) each.remove()`,
  )
