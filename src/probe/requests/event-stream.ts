// Reads the JSON messages of a response: a single message, or a stream of events with one each. A stream may never end,
// so it is read until the expected message has arrived.

import { parseJson } from '../probe-response.ts'
import type { ReadAlong } from './exchange.ts'
import type { SafeResponse } from './safe-fetch.ts'

const isStream = (headers: { get(name: string): string | undefined }) =>
  /^\s*text\/event-stream/i.test(headers.get('content-type') ?? '')

/** Parses every event once, when it is complete. */
export const createEventReader =
  (isEnough: (message: unknown) => boolean): ReadAlong =>
  headers => {
    if (!isStream(headers)) return undefined
    const decoder = new TextDecoder()
    let event = ''
    let line = ''
    return part => {
      const text = decoder.decode(part, { stream: true })
      line += text
      // Skips the split for a part without a line end, so that a line sent byte by byte costs linear time.
      if (!/[\r\n]/.test(text)) return false
      const lines = line.split(/\r\n|\n|\r/)
      line = lines.pop() ?? ''
      for (const each of lines) {
        if (each !== '') event += `${each}\n`
        else if (isEnough(parseJson(dataOf(event)))) return true
        else event = ''
      }
      return false
    }
  }

/** A stream that was not requested may stay open and empty; only terms would be read from it. */
export const readNoStream: ReadAlong = (headers, status) =>
  isStream(headers) && status !== 402 ? () => true : undefined

export function messagesOf(response: SafeResponse): unknown[] {
  if (!response.ok) return []
  if (!isStream(response.headers)) return [parseJson(response.body)]
  const text = new TextDecoder().decode(response.body)
  return text.split(/(?:\r\n|\n|\r){2}/).map(event => parseJson(dataOf(event)))
}

const dataOf = (event: string): string =>
  event
    .split(/\r\n|\n|\r/)
    .flatMap(line => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
    .join('\n')
