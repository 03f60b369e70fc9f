// The headers that a resource's own schema describes, filled with samples. A stranger writes the schema: it has no say in what a client
// sets itself, in what names or pays the caller, and in what says where a request comes from.
import type { Draw } from './other-text.ts'
import { sampleValue } from './sample-value.ts'

type Json = Readonly<Record<string, unknown>>
export type SampleHeaders = readonly (readonly [name: string, value: string])[]

export const MAX_HEADERS = 16
const NAME = /^[A-Za-z0-9-]{1,64}$/
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/
const RESERVED =
  /^(?:accept-encoding|authorization|connection|content-.*|cookie2?|expect|forwarded|host|if-.*|keep-alive|origin|payment-.*|proxy-.*|range|referer|sec-.*|te|trailer|transfer-encoding|upgrade|user-agent|via|x-forwarded-.*|x-payment.*|x-real-ip)$/i

/** Whether a schema may ask for it. */
export const isAllowedHeader = (name: string): boolean => NAME.test(name) && !RESERVED.test(name)

export const isHeaderValue = (value: string): boolean => VALUE.test(value)

/** @param wanted whether those that may be left out are filled in too; @param draw as for a value */
export function sampleHeaders(
  input: Json = {},
  wanted: 'all' | 'required' = 'all',
  draw?: Draw,
): SampleHeaders {
  const required = Array.isArray(input.required) ? (input.required as readonly unknown[]) : []
  const named = Object.entries(asJson(input.properties)).filter(
    ([name, property]) =>
      asJson(property)['x-in'] === 'header' && (wanted === 'all' || required.includes(name)),
  )
  if (named.length === 0) return []
  const given = asJson(input.example)
  // One value of all of them, because its bounds hold for all of them together.
  const properties = Object.fromEntries(named)
  const made = asJson(
    sampleValue({ type: 'object', properties, required: Object.keys(properties) }, input, draw),
  )
  return named
    .map(([name]) => {
      const value = !draw && Object.hasOwn(given, name) ? given[name] : made[name]
      return [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')] as const
    })
    .filter(([name, value]) => isAllowedHeader(name) && isHeaderValue(value))
    .slice(0, MAX_HEADERS)
}

const asJson = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
