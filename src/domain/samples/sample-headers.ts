// The headers that the schema of a resource describes, filled with sample values. The schema is untrusted: it cannot set headers that a
// client sets itself, that identify or pay for the caller, or that state where a request comes from.

import { asRecord, type JsonRecord } from '../json/json-record.ts'
import type { Draw } from './other-text.ts'
import { sampleValue } from './sample-value.ts'

export type SampleHeaders = readonly (readonly [name: string, value: string])[]

/** Headers that a schema can set in one request. */
export const MAX_HEADERS = 16
const NAME = /^[A-Za-z0-9-]{1,64}$/
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,254}[\x21-\x7e])?$/
const RESERVED =
  /^(?:accept-encoding|authorization|connection|content-.*|cookie2?|expect|forwarded|host|if-.*|keep-alive|origin|payment-.*|proxy-.*|range|referer|sec-.*|te|trailer|transfer-encoding|upgrade|user-agent|via|x-forwarded-.*|x-payment.*|x-real-ip)$/i

/** Whether a schema may request it. */
export const isAllowedHeader = (name: string): boolean => NAME.test(name) && !RESERVED.test(name)

export const isHeaderValue = (value: string): boolean => VALUE.test(value)

/** @param which whether optional headers are filled too. @param draw as for a value */
export function sampleHeaders(
  input: JsonRecord = {},
  which: 'all' | 'required' = 'all',
  draw?: Draw,
): SampleHeaders {
  const required = Array.isArray(input.required) ? (input.required as readonly unknown[]) : []
  const named = Object.entries(asRecord(input.properties)).filter(
    ([name, property]) =>
      asRecord(property)['x-in'] === 'header' && (which === 'all' || required.includes(name)),
  )
  if (named.length === 0) return []
  const example = asRecord(input.example)
  // One value for all of them, because its size bounds apply to all together.
  const properties = Object.fromEntries(named)
  const sample = asRecord(
    sampleValue({ type: 'object', properties, required: Object.keys(properties) }, input, draw),
  )
  return named
    .map(([name]) => {
      const value = !draw && Object.hasOwn(example, name) ? example[name] : sample[name]
      return [name, typeof value === 'string' ? value : (JSON.stringify(value) ?? '')] as const
    })
    .filter(([name, value]) => isAllowedHeader(name) && isHeaderValue(value))
    .slice(0, MAX_HEADERS)
}
