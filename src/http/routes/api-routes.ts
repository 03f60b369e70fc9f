// Every route of the API, in the order in which the OpenAPI document lists them.
import type { ApiRoute } from './api-route.ts'
import { ARD_ROUTES } from './ard.ts'
import { BAZAAR_ROUTES } from './bazaar.ts'
import { CATEGORY_ROUTE } from './categories.ts'
import { CHECK_ROUTE } from './check.ts'
import { EXPORT_ROUTES } from './export.ts'
import { FEED_ROUTES } from './feed.ts'
import { HEALTH_ROUTES } from './health.ts'
import { OPENAPI_ROUTE } from './openapi.ts'
import { OPERATION_ROUTES } from './operations.ts'
import { OUTCOME_ROUTE } from './outcomes.ts'
import { OWNER_ROUTES } from './owners.ts'
import { REPORT_ROUTES } from './reports.ts'
import { RESOLVE_ROUTE } from './resolve.ts'
import { SEARCH_ROUTES } from './search.ts'
import { SERVICE_ROUTES } from './services.ts'
import { SIGN_IN_ROUTES } from './sign-in.ts'
import { WEBHOOK_ROUTES } from './webhooks.ts'

export const API_ROUTES: readonly ApiRoute[] = [
  ...SERVICE_ROUTES,
  ...OPERATION_ROUTES,
  CHECK_ROUTE,
  RESOLVE_ROUTE,
  ...SEARCH_ROUTES,
  CATEGORY_ROUTE,
  ...OWNER_ROUTES,
  ...SIGN_IN_ROUTES,
  OUTCOME_ROUTE,
  ...REPORT_ROUTES,
  ...FEED_ROUTES,
  ...WEBHOOK_ROUTES,
  ...BAZAAR_ROUTES,
  ...ARD_ROUTES,
  ...EXPORT_ROUTES,
  ...HEALTH_ROUTES,
  OPENAPI_ROUTE,
]
