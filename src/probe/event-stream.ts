// JSON messages of an answer that is one message, or a stream of events with one each. A stream may never end: it is read until the
// message that is waited for has come.
import { parseJson } from './asked.ts'
import type { ReadAlong } from './exchange.ts'
import type { SafeResponse } from './safe-fetch.ts'

const isStream = (headers: { get(name: string): string | undefined }) =>
  /^\s*text\/event-stream/i.test(headers.get('content-type') ?? '')

/** Every event is parsed once, as it comes whole. */
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
      // A line that comes letter by letter is not looked through again with each.
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

/** A stream that nobody has asked anything of may stay open and empty; only terms would be read from it. */
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
