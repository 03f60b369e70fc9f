// The tools that find services: by a sentence, or by keywords and filters.

import { z } from 'zod'
import { readUnknownFilters } from '../directory/lists.ts'
import { readMarks } from '../directory/service-records.ts'
import { LANGUAGE_CHOICE } from '../domain/languages/languages.ts'
import { marksSchema } from '../domain/listing/backing.ts'
import type { Service } from '../domain/listing/service.ts'
import {
  type IntentAnswer,
  intentAnswerSchema,
  intentQuerySchema,
  intentResultSchema,
  listQuerySchema,
  suppressedSchema,
} from '../domain/queries/queries.ts'
import { tellInEnglish } from '../messages/message.ts'
import {
  callViewSchema,
  listedSchema,
  NOTICE,
  quote,
  readSeenOfResults,
  type SeenOfResult,
  stripInvisible,
  toData,
  toDescriptionText,
  toLine,
  toSeenText,
  toView,
} from './service-view.ts'
import { createTool, READING, readArguments, type Tool, type ToolResult } from './tool.ts'

const notice = z.string()

const warnings = z
  .array(z.string())
  .describe('Where its endpoint was seen asking for other or more than is listed, or could not be read')

const unknownFilters = z
  .array(z.string())
  .describe('If nothing was found: unknown values of filters, each with the nearest known one')

const resultSchema = z.object({
  ...intentResultSchema.shape,
  service: listedSchema,
  call: callViewSchema.optional(),
  warnings: warnings.optional(),
})
/** Described once: every model that connects reads these schemas. */
const sameResults = z.array(z.record(z.string(), z.unknown())).describe('Like results')

/** In the result, but not in its outline. */
const LESS_USED = { query: true, tokens: true, matchedTokens: true } as const

const answerSchema = intentAnswerSchema.omit(LESS_USED).extend({
  total: intentAnswerSchema.shape.total.describe('Number of services that fit; weak results do not count'),
  results: z
    .array(resultSchema)
    .describe(
      'Best first. call: how to call it; warnings: its endpoint asks for other or more than is listed',
    ),
  steps: z
    .array(z.object({ text: z.string(), results: sameResults }))
    .describe('If the sentence asks for several steps: each step with its own results')
    .optional(),
  nearest: z
    .object({ relaxed: z.string(), results: sameResults })
    .describe('If little or nothing fits: what relaxing one of the constraints would give')
    .optional(),
  unknownFilters: unknownFilters.optional(),
  notice,
})

const findDescription =
  `Finds services that can do a task, from a sentence in ${LANGUAGE_CHOICE}, like "translate a contract for less than a cent". ` +
  'Limits of price, chain, status or a free quota that the sentence names are applied, and the answer says which; filters given as arguments count before them. ' +
  '"Not Google" and "not on Solana" leave services out. What cannot be applied is in constraints.unapplied. A result with weak: true does not really fit. A sentence of several steps gets results for each in steps. Start here.'

export const FIND: Tool = createTool({
  name: 'find_service',
  title: 'Find a service for a task',
  description: findDescription,
  input: intentQuerySchema,
  output: answerSchema,
  annotations: READING,
  cost: 12,
  async run({ directory, given }) {
    const query = readArguments(intentQuerySchema, given)
    const answer = (await directory.searchByIntent(query)).decode()
    const { results, steps = [], nearest } = answer
    const shown = [...results, ...steps.flatMap(step => step.results), ...(nearest?.results ?? [])]
    const seen = await readSeenOfResults(
      directory,
      shown.map(({ service }) => service),
    )
    const unknown = await tellUnknownFilters(directory, query, results.length)
    return toResult(answer, seen, unknown)
  },
})

function toResult(
  answer: IntentAnswer,
  seen: ReadonlyMap<string, SeenOfResult>,
  unknown: readonly string[],
): ToolResult {
  const { results, steps, nearest, ...rest } = answer
  const view = (each: IntentAnswer['results'][number]) => {
    const { call, warnings = [] } = seen.get(each.service.id) ?? {}
    const warned = warnings.length > 0 && { warnings }
    return { ...toData(each), service: toView(each.service), ...(call && { call }), ...warned }
  }
  const lines = (each: IntentAnswer['results']) =>
    each.map(({ service, reason, weak, backing }, i) => {
      const { call, warnings = [] } = seen.get(service.id) ?? {}
      const line = `${i + 1}. ${toLine(service, backing ?? 'unread')}`
      const match = weak ? ' Weak match.' : ''
      return `${line}${toDescriptionText(service)}.${match} Why: ${quote(reason, 300)}${toSeenText({ ...(call && { call }), warnings })}`
    })
  return {
    text: [
      `${stripInvisible(answer.reason)}${toSuppressedText(answer.suppressed?.policy)}`,
      ...unknown,
      ...lines(results),
      ...(steps ?? []).flatMap(step => [`For the step ${quote(step.text, 200)}:`, ...lines(step.results)]),
      ...(nearest ? [`Without the limit ${quote(nearest.relaxed)}:`, ...lines(nearest.results)] : []),
      NOTICE,
    ].join('\n'),
    content: {
      ...toData(rest),
      results: results.map(view),
      ...(steps && {
        steps: steps.map(step => ({ text: stripInvisible(step.text), results: step.results.map(view) })),
      }),
      ...(nearest && {
        nearest: { relaxed: stripInvisible(nearest.relaxed), results: nearest.results.map(view) },
      }),
      ...(unknown.length > 0 && { unknownFilters: unknown }),
      notice: NOTICE,
    },
  }
}

/** Why an agent may find little. */
const toSuppressedText = (count = 0): string =>
  count > 0 ? ` The operator's policy leaves out ${count} more.` : ''

const tellUnknownFilters = async (...of: Parameters<typeof readUnknownFilters>): Promise<string[]> =>
  (await readUnknownFilters(...of)).map(message => stripInvisible(tellInEnglish(message), 300))

const { query: words, ...listArguments } = listQuerySchema.shape
const searchInput = z.object({ q: words, ...listArguments })

export const SEARCH: Tool = createTool({
  name: 'search_services',
  title: 'Search services by words and filters',
  description:
    'Lists services that contain all given words and match all given filters, sorted and paged. For a task described in a sentence, use find_service.',
  input: searchInput,
  output: z.object({
    services: z.array(listedSchema),
    backing: z
      .record(z.string(), marksSchema)
      .describe('Who is behind each service, by its id; missing where it could not be read'),
    warnings: z
      .record(z.string(), warnings)
      .describe(
        'By id, of services whose endpoint was seen asking for other or more than is listed, or could not be read',
      ),
    total: z.int().nullable().describe('Total number of matches; null if there are too many to count'),
    nextOffset: z.int().nullable().describe('The offset of the next page; null on the last'),
    suppressed: suppressedSchema.optional().describe('What the policy of the key leaves out'),
    unknownFilters: unknownFilters.optional(),
    notice,
  }),
  annotations: READING,
  cost: 10,
  async run({ directory, given }) {
    const { q, ...rest } = readArguments(searchInput, given)
    const query = { ...rest, query: q }
    const page = await directory.list(query)
    const services: Service[] = page.services.decode()
    const [marks, seen] = await Promise.all([
      readMarks(
        directory,
        services.map(({ id }) => id),
      ),
      readSeenOfResults(directory, services),
    ])
    const unknown = await tellUnknownFilters(directory, query, page.total ?? 1)
    const warningsOf = ({ id }: Service) => seen.get(id)?.warnings ?? []
    const end = query.offset + services.length
    const isLast = services.length === 0 || (page.total !== undefined && end >= page.total)
    return {
      text: [
        `${services.length} of ${page.total ?? 'very many'} services, from ${query.offset}.${toSuppressedText(page.suppressed)}`,
        ...unknown,
        ...services.map(
          (service, i) =>
            `${query.offset + i + 1}. ${toLine(service, marks.get(service.id) ?? 'unread')}${toDescriptionText(service)}${toSeenText({ warnings: warningsOf(service) })}`,
        ),
        ...(isLast ? [] : [`More: call again with offset ${end}.`]),
        ...(services.length === 0 ? [toNextStep(query.offset)] : []),
        NOTICE,
      ].join('\n'),
      content: {
        services: services.map(toView),
        backing: Object.fromEntries(marks),
        warnings: Object.fromEntries(
          services.filter(service => warningsOf(service).length > 0).map(each => [each.id, warningsOf(each)]),
        ),
        total: page.total ?? null,
        nextOffset: isLast ? null : end,
        ...(page.suppressed !== undefined && { suppressed: { policy: page.suppressed } }),
        ...(unknown.length > 0 && { unknownFilters: unknown }),
        notice: NOTICE,
      },
    }
  },
})

const toNextStep = (offset: number): string =>
  offset > 0
    ? 'Next: call again with a lower offset.'
    : 'Next: drop a filter or a word (all of them must match), or describe the task to find_service.'
