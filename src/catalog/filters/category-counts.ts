// Counts the entries of every known or used category.
import {
  type Category,
  categoryKey,
  categoryLabels,
  KNOWN_CATEGORIES,
} from '../../domain/listing/categories.ts'
import { compareCodePoints } from '../../domain/text/text.ts'
import type { Columns } from '../columns/columns.ts'
import type { SortedIndexes } from '../lists/sorted-indexes.ts'

export function countCategories({
  columns,
  sortedIndexes,
}: {
  columns: Columns
  sortedIndexes: SortedIndexes
}): Category[] {
  const used = columns.categories.texts.map((id, number) => ({
    id,
    count: sortedIndexes.countOf('category', number),
  }))
  const counts = new Map(used.map(({ id, count }) => [id, count]))
  const others = used
    .filter(({ id, count }) => count > 0 && !Object.hasOwn(KNOWN_CATEGORIES, id))
    .map(({ id }) => id)
  return [...Object.keys(KNOWN_CATEGORIES), ...others.sort(compareCodePoints)].map(id => ({
    id,
    labels: categoryLabels(id),
    count: counts.get(categoryKey(id)) ?? 0,
  }))
}
