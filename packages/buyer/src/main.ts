// The door of the package: what the command line of `shirube` runs.
import type { BuyerPackage } from 'shirube/cli/buyer-package.ts'
import { runCallAndPay } from './call-command.ts'
import { openCallTool } from './call-tool.ts'
import { runBuy, runReportOutcome, runSpent } from './commands.ts'

export const buyer: BuyerPackage = {
  runBuy,
  runCallAndPay,
  runReportOutcome,
  runSpent,
  openCallTool,
}
