// A service as agents get it: only the requested fields, to save tokens.

import { z } from 'zod'
import { expecting } from '../domain/errors.ts'
import type { Marks } from '../domain/listing/backing.ts'
import { type Service, serviceSchema } from '../domain/listing/service.ts'
import { toMarksText } from './backing-lines.ts'
import { quote, stripInvisible, toData } from './untrusted-text.ts'

const FIELDS = Object.keys(serviceSchema.shape) as [keyof Service, ...(keyof Service)[]]
const LEFT_OUT: readonly (keyof Service)[] = ['supportedChains', 'createdAt', 'updatedAt']
const STANDARD_FIELDS = FIELDS.filter(field => !LEFT_OUT.includes(field))
/** Unless the whole description was requested. */
const MAX_DESCRIPTION = 300

const fieldNames = z.array(z.enum(FIELDS, { error: expecting('some_of_expected', { values: FIELDS }) }), {
  error: expecting('field_names_expected'),
})

export const fieldsArgument = fieldNames
  .describe(
    `Fields of each service to return besides id, to save tokens. Default: all but ${LEFT_OUT.join(', ')}, the description cut at ${MAX_DESCRIPTION} characters`,
  )
  .optional()

/** Of one service: all of them unless some are named. */
export const fieldsOfOne = fieldNames
  .describe('Fields of the service to return besides id, to save tokens. Default: all')
  .optional()

export type ServiceView = Partial<Service> & Pick<Service, 'id'>
export const serviceViewSchema = serviceSchema.partial().required({ id: true })

/** The same in lists: get_service names every field. */
export const listedSchema = z.object({ id: z.string() }).catchall(z.unknown())

export function toView(service: Service, fields?: readonly (keyof Service)[]): ServiceView {
  const chosen = FIELDS.filter(field => field === 'id' || (fields ?? STANDARD_FIELDS).includes(field))
  const view = Object.fromEntries(chosen.map(field => [field, toData(service[field])])) as ServiceView
  const { description } = view
  return fields === undefined && description !== undefined
    ? { ...view, description: stripInvisible(description, MAX_DESCRIPTION) }
    : view
}

/** Networks in a line. */
const MAX_NETWORKS = 5

/** One line, for hosts without structured content. @param fields those that were requested; the usual ones otherwise */
export function toLine(
  service: Service,
  {
    marks,
    fields,
  }: { readonly marks?: Marks | 'unread'; readonly fields?: readonly (keyof Service)[] | undefined } = {},
): string {
  const { id, name, pricing, supportedChains, x402Config, status, trustScore, endpoint } = service
  if (fields) {
    const { id: _, ...others } = toView(service, fields)
    const texts = Object.entries(others).map(([field, value]) => `${field} ${JSON.stringify(value)}`)
    // A warning is never among the fields that can be left out.
    const warning = marks && isWarning(marks) ? [toMarksText(marks)] : []
    return [`id ${quote(id)}`, ...texts, ...warning].join(', ')
  }
  // The registered network, then the further ones that its endpoint takes.
  const networks = [...new Set([x402Config.network, ...supportedChains])].slice(0, MAX_NETWORKS)
  const price = `${quote(`${pricing.pricePerRequest} ${pricing.currency}`)} a request on ${networks.map(each => quote(each)).join(' and ')}`
  return `${quote(name, 120)}: ${price}, ${status}, trust ${trustScore}, ${marks ? `${toMarksText(marks)}, ` : ''}id ${quote(id)}, endpoint ${quote(endpoint, 300)}`
}

export const isWarning = (marks: Marks | 'unread'): boolean =>
  marks === 'unread' || marks.sample || marks.stranger || marks.namesake

/** Characters of a description in a line. */
const MAX_IN_LINE = 200

/** Ends the line of a result. */
export const toDescriptionText = ({ description }: Service): string =>
  `. It says: ${quote(description, MAX_IN_LINE)}`
