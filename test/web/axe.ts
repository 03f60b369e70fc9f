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
