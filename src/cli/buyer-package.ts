// Everything that signs and pays is a package of its own, `shirube-buyer`. The server never loads it; the command line does if it is
// installed.
import type { Config } from '../app/config.ts'
import type { Directory } from '../directory/directory.ts'
import type { CallTool } from '../mcp/server.ts'
import { CommandFailed, type Line } from './syntax/command.ts'

type Run = (line: Line) => Promise<number>

export type BuyerPackage = {
  readonly runBuy: Run
  readonly runCallAndPay: Run
  readonly runReportOutcome: Run
  readonly runSpent: Run
  /** Opens the tool that pays. What is missing for it, like a wallet, the tool itself reports when it is called. */
  readonly openCallTool: (
    config: Config,
    directory: Directory,
    options: {
      readonly disposables: AsyncDisposableStack
      readonly onFault: (tool: string, error: unknown) => void
    },
  ) => Promise<CallTool>
}

/** Not a literal in the import: nothing here may depend on the package. */
const NAME: string = 'shirube-buyer'

/** @throws CommandFailed if it is not installed */
export async function loadBuyer(): Promise<BuyerPackage> {
  try {
    return (await import(NAME)).buyer
  } catch (error) {
    const { code, specifier } = error as { readonly code?: string; readonly specifier?: string }
    if (code !== 'ERR_MODULE_NOT_FOUND' || specifier !== NAME) throw error
    throw new CommandFailed(
      `Signing and paying need the package ${NAME}; docs/paying.md says how to install it.`,
    )
  }
}
