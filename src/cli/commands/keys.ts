import { loadConfig } from '../../app/config.ts'
import { type Operator, openOperator } from '../../app/operator.ts'
import { isValidKey, toOwnKey } from '../../directory/keys.ts'
import { type Policy, readPolicy } from '../../domain/policy.ts'
import { isScope, SCOPES, type Scope } from '../../domain/sign-in.ts'
import { findSimilarName } from '../../domain/text/nearest.ts'
import { DAY_MS, HOUR_MS } from '../../domain/time.ts'
import { systemClock } from '../../runtime/clock.ts'
import { readInput } from '../input-value.ts'
import { CommandFailed, EXIT, type Line, UsageError } from '../syntax/command.ts'
import { type Column, outputWidth, paint, print, printJson, printMessage, table } from '../text/terminal.ts'

type Keys = Operator['keys']
type KeyRecord = Awaited<ReturnType<Keys['list']>>[number]

const UNITS_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS }
const LONGEST_MS = 36_500 * DAY_MS

export async function runKeys(line: Line): Promise<number> {
  const [act, of] = line.operands
  if (act === 'list' && of === undefined) return list(line)
  if (act === 'create' || act === 'revoke') {
    if (of === undefined) throw new UsageError(`"keys ${act}" needs ${act === 'create' ? '<name>' : '<id>'}.`)
    return act === 'create' ? create(line, of) : revoke(line, of)
  }
  if (act === 'list') throw new UsageError(`"keys list" does not understand "${of}".`)
  const meant = findSimilarName(act!, ['create', 'list', 'revoke'])
  throw new UsageError(
    `There is no command "keys ${act}".${meant === undefined ? '' : ` Did you mean "keys ${meant}"?`}`,
  )
}

/** Prints only the key to standard output, for scripts. */
async function create({ flags, switches }: Line, name: string): Promise<number> {
  const policy =
    flags.policy === undefined ? undefined : readPolicy(await readInput(`@${flags.policy}`, '--policy'))
  const scopes = policy && flags.scope === undefined ? [] : readScopes(flags.scope ?? 'register')
  const expiresAt = flags.expires === undefined ? null : readExpiry(flags.expires, systemClock.now())
  if (policy) await tellAllowed(policy)
  await using operator = await openOperator(loadConfig())
  const { key, record } = await operator.keys.create({ name, scopes, expiresAt, policy })
  if (switches.has('json')) await printJson({ key, ...toOwnKey(record) })
  else await print(key)
  printMessage(
    `Key ${record.id} for "${record.name}" may: ${record.scopes.join(', ') || 'read'}. It is shown this once only.`,
  )
  return EXIT.fine
}

/** A mistyped policy can allow nothing and still be valid. */
async function tellAllowed(policy: Policy): Promise<void> {
  const { openReader } = await import('../../app/local.ts')
  await using reader = await openReader(loadConfig())
  const allows = await reader.directory.countAllowed(policy)
  const { services } = await reader.directory.health()
  printMessage(
    allows === 0
      ? 'Its policy allows nothing that is listed here today.'
      : `Its policy allows ${allows} of ${services} services that are listed here today.`,
  )
}

async function list({ switches }: Line): Promise<number> {
  await using operator = await openOperator(loadConfig())
  const records = await operator.keys.list()
  if (switches.has('json')) await printJson(records.map(toOwnKey))
  else if (records.length === 0) printMessage('There are no keys yet: "keys create <name>" makes one.')
  else await print(table(records, columns(systemClock.now()), outputWidth()))
  return EXIT.fine
}

async function revoke({ switches }: Line, id: string): Promise<number> {
  await using operator = await openOperator(loadConfig())
  if (!(await operator.keys.revoke(id))) {
    throw new CommandFailed(
      `There is no key ${id} that could be revoked: it is unknown or was revoked before.`,
    )
  }
  await (switches.has('json') ? printJson({ revoked: id }) : print(`Revoked ${id}.`))
  return EXIT.fine
}

function stateOf(key: KeyRecord, now: Date): 'active' | 'revoked' | 'expired' {
  if (key.revokedAt !== null) return 'revoked'
  return isValidKey(key, now) ? 'active' : 'expired'
}

const day = (at: string | null, none: string) => at?.slice(0, 10) ?? none

const columns = (now: Date): Column<KeyRecord>[] => [
  { title: 'ID', cell: key => key.id },
  { title: 'NAME', cell: key => key.name, atLeast: 12 },
  { title: 'SCOPES', cell: key => key.scopes.join(', ') || 'read' },
  { title: 'POLICY', cell: key => (key.policy ? JSON.stringify(key.policy) : ''), dispensable: 4 },
  {
    title: 'STATE',
    cell: key => stateOf(key, now),
    paint: (text, key) => paint(stateOf(key, now) === 'active' ? 'green' : 'dim', text),
  },
  { title: 'CREATED', cell: key => day(key.createdAt, ''), dispensable: 2 },
  { title: 'EXPIRES', cell: key => day(key.expiresAt, 'never'), dispensable: 1 },
  { title: 'LAST USED', cell: key => day(key.lastUsedAt, 'never'), dispensable: 3 },
]

function readScopes(text: string): Scope[] {
  const names = text.split(',').map(name => name.trim())
  const wrong = names.find(name => !isScope(name))
  if (wrong === undefined) return names.filter(isScope)
  throw new UsageError(`--scope takes ${SCOPES.join(' and ')}, separated by a comma, not "${wrong}".`)
}

function readExpiry(text: string, now: Date): Date {
  const [, count = '', unit = ''] = /^(\d{1,6})([hdw])$/.exec(text) ?? []
  const ms = Number(count) * (UNITS_MS[unit] ?? 0)
  if (ms > 0 && ms <= LONGEST_MS) return new Date(now.getTime() + ms)
  throw new UsageError(`--expires needs a time like 12h, 90d or 8w, not "${text}".`)
}
