// Every route of the API, in the order in which the OpenAPI document lists them.
import type { ApiRoute } from './api-route.ts'
import { ARD_ROUTES } from './ard.ts'
import { BAZAAR_ROUTES } from './bazaar.ts'
import { EXPORT_ROUTES } from './export.ts'
import { FEED_ROUTES } from './feed.ts'
import { HEALTH_ROUTES } from './health.ts'
import { OPENAPI_ROUTE } from './openapi.ts'
import { OPERATION_ROUTES } from './operations.ts'
import { RESOLVE_ROUTE } from './resolve.ts'
import { SEARCH_ROUTES } from './search.ts'
import { LIST_ROUTE } from './services.ts'

const indexOf = (path: string) => OPERATION_ROUTES.findIndex(route => route.path === path)
const [reads, webhooks] = [indexOf('/api/categories'), indexOf('/api/webhooks')]

export const API_ROUTES: readonly ApiRoute[] = joinPaths([
  LIST_ROUTE,
  ...OPERATION_ROUTES.slice(0, reads),
  RESOLVE_ROUTE,
  ...SEARCH_ROUTES,
  ...OPERATION_ROUTES.slice(reads, webhooks),
  ...FEED_ROUTES,
  ...OPERATION_ROUTES.slice(webhooks),
  ...BAZAAR_ROUTES,
  ...ARD_ROUTES,
  ...EXPORT_ROUTES,
  ...HEALTH_ROUTES,
  OPENAPI_ROUTE,
])

/** One route per path, with all its methods. */
function joinPaths(routes: readonly ApiRoute[]): ApiRoute[] {
  const joined = new Map<string, ApiRoute>()
  for (const route of routes) {
    const methods = { ...joined.get(route.path)?.methods, ...route.methods }
    joined.set(route.path, { ...joined.get(route.path), ...route, methods })
  }
  return [...joined.values()]
}
