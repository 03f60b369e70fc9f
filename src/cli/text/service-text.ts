// Formats services, their terms and search results for a terminal.
import type { Backing, Marks, ProvenanceRecord } from '../../domain/listing/backing.ts'
import { categoryLabels } from '../../domain/listing/categories.ts'
import type { Service, StatusRecord } from '../../domain/listing/service.ts'
import type { IntentAnswer } from '../../domain/queries/queries.ts'
import type { History } from '../../domain/standing/history.ts'
import type { Trust } from '../../domain/standing/trust.ts'
import type { PaymentRequirements, ResourceTerms, TermsAnswer } from '../../domain/terms/terms.ts'
import { toOneLine } from '../../domain/text/invisible.ts'
import { type Column, outputWidth, paint, table } from './terminal.ts'

const STATUS_COLORS = { verified: 'green', unverified: 'yellow', inactive: 'red' } as const

const price = ({ pricing }: Service) => `${pricing.pricePerRequest} ${pricing.currency}`

/** Who backs the service, short enough for a column; undefined if it could not be read. */
function marksText(marks: Marks | undefined): string {
  if (!marks) return 'unknown'
  const { claimed, domain, stranger, namesake, sample } = marks
  if (sample) return 'nobody (sample)'
  const by = stranger ? ['stranger'] : [...(claimed ? ['wallet'] : []), ...(domain ? ['domain'] : [])]
  return [...by, ...(namesake ? ['namesake'] : [])].join(', ') || '–'
}

const isDoubtful = (marks: Marks | undefined): boolean =>
  !marks || marks.stranger || marks.namesake || marks.sample

type Listed = Service & { readonly marks: Marks | undefined }

const COLUMNS: readonly Column<Listed>[] = [
  { title: 'NAME', cell: service => service.name, atLeast: 12 },
  { title: 'CATEGORY', cell: service => service.category, atLeast: 8, dispensable: 2 },
  { title: 'PRICE', cell: price, align: 'right' },
  { title: 'NETWORK', cell: service => service.supportedChains.join(', '), atLeast: 8, dispensable: 3 },
  {
    title: 'STATUS',
    cell: service => service.status,
    dispensable: 0,
    paint: (text, { status }) => paint(STATUS_COLORS[status] ?? 'dim', text),
  },
  { title: 'TRUST', cell: service => String(service.trustScore), align: 'right', dispensable: 1 },
  {
    title: 'BACKED BY',
    cell: ({ marks }) => marksText(marks),
    dispensable: 0,
    paint: (text, { marks }) => (isDoubtful(marks) ? paint('red', text) : text),
  },
  { title: 'ID', cell: service => service.id },
]

export const serviceTable = (services: readonly Service[], marks: ReadonlyMap<string, Marks>): string =>
  table(
    services.map(service => ({ ...service, marks: marks.get(service.id) })),
    COLUMNS,
    outputWidth(),
  )

const SOURCES = {
  registered: 'registered here',
  imported: 'imported',
  sample: 'the sample catalog; nobody offers it',
} as const

function sourceText(provenance: ProvenanceRecord): string {
  // An older directory omits some of these fields.
  const { source, sourceUrl, follows, origin } = provenance
  const from = sourceUrl === null ? SOURCES[source] : sourceUrl
  const notes = [
    ...(follows ? ['followed'] : []),
    ...(origin?.key.startsWith('svc_') ? [`listed there as ${origin.key}`] : []),
  ]
  return notes.length > 0 ? `${from} (${notes.join('; ')})` : from
}

function backingText({ claimed, domain, representative, others, sample }: Backing): string {
  if (sample) return 'nobody: it is invented'
  const notes = [
    ...(representative ? [`listed by a stranger: ${representative.id} represents this endpoint`] : []),
    ...others
      .filter(({ id }) => id !== representative?.id)
      .map(({ id, shares }) => `${id} of another owner has the same ${shares.join(' and ')}`),
  ]
  const text = [
    claimed ? 'claimed by its wallet' : 'not claimed by its wallet',
    domain ? `proved by ${domain.host}` : 'not proved by its domain',
  ].join(', ')
  return notes.length > 0 ? `${text} (${notes.join('; ')})` : text
}

type Records = {
  readonly standing: StatusRecord
  readonly trust: Trust
  readonly history: History
  readonly provenance: ProvenanceRecord
  readonly backing: Backing
}

/** The reasons of the newest probe if it did not find the service as listed; otherwise that of the status. */
function whyNotVerified({ trust, history }: Records): string | undefined {
  const probe = history.items.find(item => item.kind === 'probe')
  const isWrong = probe !== undefined && probe.outcome !== 'payable' && probe.reasons.length > 0
  return isWrong ? probe.reasons.join(' ') : trust.components[0]?.reason
}

export function serviceText(service: Service, records: Records): string {
  const { standing, history, provenance, backing } = records
  const why = service.status === 'verified' ? undefined : whyNotVerified(records)
  const isProbed = history.days.length > 0
  const { pricing, x402Config } = service
  const rows: [string, string][] = [
    ['Id', service.id],
    ['Endpoint', service.endpoint],
    ['Category', `${service.category} (${categoryLabels(service.category).en})`],
    ['Price', `${price(service)} a request`],
    ['Free quota', `${pricing.freeQuota.toLocaleString('en')} requests`],
    ['Pay to', `${x402Config.paymentAddress} on ${x402Config.network}`],
    ['Chains', service.supportedChains.join(', ')],
    ['Status', paint(STATUS_COLORS[service.status] ?? 'dim', toOneLine(service.status))],
    ...(why === undefined ? [] : ([['Why', why]] as const satisfies [string, string][])),
    ['Trust', `${service.trustScore} of 100`],
    ['Uptime', isProbed ? `${standing.uptimeScore} %` : 'not measured: it has not been probed yet'],
    [
      'Payments',
      `${standing.txCount.toLocaleString('en')}, ${standing.totalRevenue} ${pricing.currency} in all`,
    ],
    ['Checked', isProbed ? standing.lastChecked : 'not yet'],
    ['Created', service.createdAt],
    ['Updated', service.updatedAt],
    ['Source', sourceText(provenance)],
    ['Backing', backingText(backing)],
  ]
  const lines = rows.map(
    ([title, text]) => `${title.padEnd(12)}${title === 'Status' ? text : toOneLine(text)}`,
  )
  const description = service.description.split('\n').map(line => toOneLine(line))
  return [paint('bold', toOneLine(service.name)), ...description, '', ...lines].join('\n')
}

export function answerText(answer: IntentAnswer): string {
  const understood = `Understood: ${answer.tokens.join(' · ') || 'nothing'}`
  const results = answer.results.flatMap((result, i) => resultLines(i + 1, result))
  const { excluded = [], unapplied } = answer.constraints
  const notes = [
    ...excluded.map(name => `Left out: ${name}`),
    ...answer.wishes.map(wish => `Wished: ${wish}`),
    ...unapplied.map(({ text, why }) => `Not applied: ${text} (${why})`),
  ].map(line => paint('dim', toOneLine(line)))
  const steps = (answer.steps ?? []).flatMap(step => [
    '',
    `For "${toOneLine(step.text)}":`,
    ...step.results.flatMap((result, i) => resultLines(i + 1, result)),
  ])
  const nearest = answer.nearest
    ? [
        '',
        `Without "${toOneLine(answer.nearest.relaxed)}":`,
        ...answer.nearest.results.flatMap((result, i) => resultLines(i + 1, result)),
      ]
    : []
  return [
    paint('dim', toOneLine(understood)),
    ...notes,
    toOneLine(answer.reason),
    ...results,
    ...steps,
    ...nearest,
  ].join('\n')
}

function resultLines(rank: number, { service, reason, backing }: IntentAnswer['results'][number]): string[] {
  const status = paint(STATUS_COLORS[service.status] ?? 'dim', toOneLine(service.status))
  const marks = `   Backed by: ${marksText(backing)}`
  return [
    '',
    `${rank}. ${paint('bold', toOneLine(service.name))}  ${toOneLine(price(service))}  ${status}`,
    `   ${toOneLine(reason)}`,
    isDoubtful(backing) ? paint('red', marks) : marks,
    paint('dim', `   ${toOneLine(service.id)}  ${toOneLine(service.endpoint)}`),
  ]
}

// Formats the terms that an endpoint was seen asking for.

export function termsText({
  seenAt,
  x402Version,
  asListed,
  payableByDefaultClient,
  notes,
  resources,
}: TermsAnswer): string {
  const compared = [
    `price ${asListed.price}`,
    `address ${asListed.address ? 'as listed' : 'another'}`,
    `network ${asListed.network ? 'as listed' : 'another'}`,
  ]
  return [
    `Seen ${seenAt}, ${x402Version === null ? 'MPP alone' : `x402 version ${x402Version}`}: ${compared.join(', ')}`,
    // What a client could pay to another wallet is no payment to this service.
    ...(asListed.address
      ? [`The official clients pay it ${payableByDefaultClient ? 'as they are' : 'only if configured to'}.`]
      : []),
    ...notes,
    ...resources.flatMap(resourceLines),
  ]
    .map(toOneLine)
    .join('\n')
}

const resourceLines = ({ method, url, tool, input, output, accepts, source }: ResourceTerms): string[] => [
  '',
  `${method} ${url}${tool ? ` (tool ${tool})` : ''}${source === '402' ? '' : `, as its ${source} says`}`,
  ...accepts.map(requirements => `  ${optionText(requirements)}`),
  ...(input ? [`  takes ${JSON.stringify(input)}`] : []),
  ...(output ? [`  gives ${JSON.stringify(output)}`] : []),
]

const optionText = ({
  scheme,
  network,
  price,
  assetName,
  amount,
  asset,
  payTo,
  paymentFlow,
}: PaymentRequirements): string => {
  const asks = price === undefined ? `${amount} units of ${asset}` : `${price} ${assetName ?? asset}`
  const flow = paymentFlow === undefined ? '' : `, ${paymentFlow}`
  return `${scheme === 'upto' ? 'up to ' : ''}${asks} to ${payTo} on ${network} (${scheme}${flow})`
}
