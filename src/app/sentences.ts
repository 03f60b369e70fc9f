// What a saved sentence finds, for the webhooks that follow one.
import type { Catalog } from '../catalog/catalog.ts'
import { parseIntentQuery } from '../domain/queries.ts'

/** As many as a search tells at once. */
const MAX_FOUND = 100

/** Ids; what hardly fits is not what was asked for. It counts for no demand: nobody looks at the answer. */
export function findBySentence(
  catalog: Pick<Catalog, 'searchByIntent'>,
  sentence: string,
): ReadonlySet<string> {
  const query = parseIntentQuery({ q: sentence, limit: String(MAX_FOUND) })
  const { results } = catalog.searchByIntent(query, { isCounted: false }).decode()
  return new Set(results.filter(({ weak }) => !weak).map(({ service }) => service.id))
}
