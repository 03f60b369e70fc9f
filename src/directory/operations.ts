// Every operation of the directory, by its name.
import { BAZAAR_OPERATIONS } from './bazaar.ts'
import { FEED_OPERATIONS } from './feed.ts'
import { LIST_OPERATIONS } from './lists.ts'
import type { Operation } from './operation.ts'
import { OUTCOME_OPERATIONS } from './outcomes.ts'
import { OWNER_OPERATIONS } from './owners.ts'
import { PURCHASE_OPERATIONS } from './purchases.ts'
import { REPORT_OPERATIONS } from './reports.ts'
import { RECORD_OPERATIONS } from './service-records.ts'
import { SERVICE_OPERATIONS } from './services.ts'
import { SIGN_IN_OPERATIONS } from './sign-in.ts'
import { WEBHOOK_OPERATIONS } from './webhooks.ts'
import type { OperationName } from './wire.ts'

export const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  ...LIST_OPERATIONS,
  ...SERVICE_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...PURCHASE_OPERATIONS,
  ...OWNER_OPERATIONS,
  ...SIGN_IN_OPERATIONS,
  ...OUTCOME_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...WEBHOOK_OPERATIONS,
  ...FEED_OPERATIONS,
  ...BAZAAR_OPERATIONS,
}
