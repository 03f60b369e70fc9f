// Every operation of the directory, by its name.
import type { Operation } from './operation.ts'
import { PURCHASE_OPERATIONS } from './purchases.ts'
import { RECORD_OPERATIONS } from './service-records.ts'
import type { OperationName } from './wire.ts'

export const OPERATIONS: Readonly<Record<OperationName, Operation>> = {
  ...RECORD_OPERATIONS,
  ...PURCHASE_OPERATIONS,
}
