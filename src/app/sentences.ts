// Runs the search of a saved sentence, for webhooks.
import type { Catalog } from '../catalog/catalog.ts'
import { parseIntentQuery } from '../domain/queries/queries.ts'

/** The maximum page size of a search. */
const MAX_HITS = 100

/** Ids of the hits, without weak ones. */
export function findBySentence(
  catalog: Pick<Catalog, 'searchByIntent'>,
  sentence: string,
): ReadonlySet<string> {
  const query = parseIntentQuery({ q: sentence, limit: String(MAX_HITS) })
  const { results } = catalog.searchByIntent(query).decode()
  return new Set(results.filter(({ weak }) => !weak).map(({ service }) => service.id))
}
