// The settings as they are. A file of its own, so that asking for them loads nothing else.
import { ConfigError, loadConfig, readSettings, type ShownSetting } from '../../app/config.ts'
import { EXIT, type Line } from '../syntax/command.ts'
import { type Column, outputWidth, print, printJson, printMessage, table } from '../text/terminal.ts'

const COLUMNS: readonly Column<ShownSetting>[] = [
  { title: 'Setting', cell: setting => setting.name },
  { title: 'Value', cell: setting => setting.value || '-', atLeast: 12 },
  { title: 'From', cell: setting => setting.from },
]

export async function runSettings({ switches }: Line): Promise<number> {
  const { settings, unknown } = readSettings()
  const problems = [...unknown.map(sentence => `${sentence}.`), ...findProblems()]
  if (switches.has('json')) await printJson({ settings, problems })
  else await print(table(settings, COLUMNS, outputWidth()))
  for (const problem of problems) printMessage(problem)
  return problems.length === 0 ? EXIT.fine : EXIT.failed
}

function findProblems(): readonly string[] {
  try {
    loadConfig()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}
