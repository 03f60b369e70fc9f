// The commands that change the user's own services, through a running directory.
import { isDeepStrictEqual } from 'node:util'
import { loadConfig } from '../../app/config.ts'
import type { Directory } from '../../directory/directory.ts'
import { type OwnService, parseOwnServicesQuery } from '../../domain/listing/seller.ts'
import { DRAFT_FIELDS, type Service, unknownFields } from '../../domain/listing/service.ts'
import { toOneLine } from '../../domain/text/invisible.ts'
import { findSimilarName } from '../../domain/text/nearest.ts'
import { createClient } from '../../http/client/client.ts'
import { CommandFailed, EXIT, type Line, UsageError } from '../syntax/command.ts'
import { formatAnswer } from '../text/service-text.ts'
import { type Column, confirm, outputWidth, print, printJson, printMessage, table } from '../text/terminal.ts'
import { readBody } from './ask.ts'

type By = Parameters<Directory['restore']>[1]
type Written = Awaited<ReturnType<Directory['edit']>>

/** Services per page; all pages are read. */
const MINE_A_PAGE = 100

export async function runMine(line: Line): Promise<number> {
  const { directory, by } = open(line)
  const own: OwnService[] = []
  let before: string | undefined
  do {
    const query = parseOwnServicesQuery({ limit: MINE_A_PAGE, before })
    const answer = (await directory.ownServices(query, by)).decode()
    const page = formatAnswer(line, () => [...answer.services])
    own.push(...page)
    before = page.length > 0 ? (answer.next ?? undefined) : undefined
  } while (before !== undefined)
  if (line.switches.has('json')) await printJson(own)
  else await print(formatAnswer(line, () => table(own, OWN_COLUMNS, outputWidth())))
  return EXIT.fine
}

const OWN_COLUMNS: readonly Column<OwnService>[] = [
  { title: 'NAME', cell: ({ service }) => service.name, atLeast: 12 },
  { title: 'STATUS', cell: ({ service, hidden }) => (hidden ? 'hidden' : service.status) },
  { title: 'TRUST', cell: ({ service }) => String(service.trustScore), align: 'right', dispensable: 2 },
  {
    title: 'NOTE',
    cell: ({ by, retired, hidden }) =>
      hidden?.why ?? retired ?? (by === 'wallet' ? 'listed by another owner; claim it' : ''),
    atLeast: 8,
    dispensable: 1,
  },
  { title: 'ID', cell: ({ service }) => service.id },
]

const ACTS = 'a file, --retire <text>, --restore, --claim or --remove'

export async function runEdit(line: Line): Promise<number> {
  const { operands, flags, switches } = line
  const [, file] = operands
  const { retire } = flags
  const acts = [file, retire, ...['restore', 'claim', 'remove'].filter(name => switches.has(name))]
  if (acts.filter(act => act !== undefined).length !== 1)
    throw new UsageError(`Say one thing to do: ${ACTS}.`)
  if (retire !== undefined)
    return change(line, 'Retired', (directory, id, by) => directory.retire(id, { message: retire }, by))
  if (switches.has('restore'))
    return change(line, 'Restored', (directory, id, by) => directory.restore(id, by))
  if (switches.has('claim')) return change(line, 'Claimed', (directory, id, by) => directory.claim(id, by))
  if (switches.has('remove')) return remove(line)
  return patch(line, await readBody(file!))
}

async function patch(line: Line, patch: unknown): Promise<number> {
  assertKnown(patch)
  let before: Service | undefined
  return change(
    line,
    after => (before && isSameListing(before, after) ? 'Nothing to change in' : 'Changed'),
    async (directory, id, by) => {
      before = (await directory.get(id)).decode()
      return directory.edit(id, patch, by)
    },
  )
}

/** Status and trust may change at any time. */
const isSameListing = (a: Service, b: Service): boolean =>
  LISTING.every(field => isDeepStrictEqual(a[field], b[field]))
const LISTING = ['name', 'description', 'endpoint', 'category', 'pricing', 'x402Config'] as const

/** A directory ignores unknown fields; after a typo the user would believe the field was changed. */
function assertKnown(patch: unknown): void {
  const [first, ...others] = unknownFields(patch)
  if (first === undefined) return
  const meant = findSimilarName(first, DRAFT_FIELDS)
  const names = [first, ...others].join(', ')
  throw new CommandFailed(
    `${names} ${others.length === 0 ? 'is not a field' : 'are not fields'} of a service; nothing was changed.` +
      (meant === undefined ? ` The fields are ${DRAFT_FIELDS.join(', ')}.` : ` Did you mean ${meant}?`),
  )
}

async function remove(line: Line): Promise<number> {
  const { directory, id, by } = open(line)
  if (!line.switches.has('yes')) {
    if (!process.stdin.isTTY)
      throw new UsageError('There is no terminal to confirm the removal: --yes removes without confirmation.')
    if (!(await confirm(toOneLine(`Remove ${id} permanently?`)))) {
      printMessage('Nothing was removed. To take it out of service and keep it listed, use --retire.')
      return EXIT.failed
    }
  }
  await directory.remove(id, by)
  await (line.switches.has('json') ? printJson({ removed: id }) : print(`Removed ${id}.`))
  return EXIT.fine
}

async function change(
  line: Line,
  done: string | ((changed: Service) => string),
  act: (directory: Directory, id: string, by: By) => Promise<Written>,
): Promise<number> {
  const { directory, id, by } = open(line)
  const { service, notices, ignored } = await act(directory, id, by)
  for (const notice of notices) printMessage(toOneLine(`Notice: ${notice}`))
  if (ignored.length > 0) printMessage(toOneLine(`Not used: ${ignored.join(', ')}`))
  const changed = service.decode()
  await (line.switches.has('json')
    ? printJson(changed)
    : print(
        toOneLine(`${typeof done === 'string' ? done : done(changed)} ${changed.name} (${changed.status}).`),
      ))
  return EXIT.fine
}

function open({ operands, flags }: Line): { directory: Directory; id: string; by: By } {
  const config = loadConfig(flags)
  if (config.key === undefined)
    throw new UsageError('A key is needed to change a service: pass --key, or set SHIRUBE_KEY.')
  return { directory: createClient(config), id: operands[0]!, by: { key: config.key } }
}
