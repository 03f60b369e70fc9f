// Every route of the API, in the order in which the OpenAPI document lists them.
import type { ApiRoute } from './api-route.ts'
import { ARD_ROUTES } from './ard.ts'
import { MANIFEST_ROUTE } from './bazaar.ts'
import { LINES_ROUTE } from './export.ts'
import { HEALTH_ROUTES } from './health.ts'
import { OPENAPI_ROUTE } from './openapi.ts'
import { OPERATION_ROUTES } from './operations.ts'

export const API_ROUTES: readonly ApiRoute[] = joinPaths([
  ...OPERATION_ROUTES,
  MANIFEST_ROUTE,
  ...ARD_ROUTES,
  LINES_ROUTE,
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
