// What the result of a tool holds: as it is given to whoever paid, and as it is compared with what is declared. Pure.
import { isRecord, type Json } from '../probe/untrusted-json.ts'

type Delivered = { readonly body: Uint8Array; readonly contentType: string }

const JSON_TYPE = 'application/json'
const TEXT_TYPE = 'text/plain; charset=utf-8'

/** Text alone as text, structured content alone as JSON; what has several parts, or both and not the same, as the result has them. */
export function toDelivered(result: Json): Delivered {
  const { structuredContent } = result
  const content = contentOf(result)
  const isText = content.every(isTextPart)
  if (!isRecord(structuredContent)) return isText ? ofText(textOf(result)) : ofJson(content)
  const isTold = content.length === 0 || (isText && isSameJson(textOf(result), structuredContent))
  return ofJson(isTold ? structuredContent : { content, structuredContent })
}

/** A declared schema is that of the structured content; servers without it send the same as text. */
export function toJudged(result: Json): { readonly judged: Uint8Array; readonly contentType: string } {
  const { structuredContent } = result
  const { body, contentType } = isRecord(structuredContent) ? ofJson(structuredContent) : toDelivered(result)
  return { judged: body, contentType }
}

export const textOf = (result: Json): string =>
  contentOf(result)
    .flatMap(part => (isTextPart(part) ? [part.text] : []))
    .join('\n')

const contentOf = ({ content }: Json): readonly Json[] =>
  Array.isArray(content) ? content.filter(isRecord) : []

const isTextPart = (part: Json): part is Json & { readonly text: string } =>
  part.type === 'text' && typeof part.text === 'string'

const ofJson = (value: unknown): Delivered => ({
  body: new TextEncoder().encode(JSON.stringify(value)),
  contentType: JSON_TYPE,
})

const ofText = (text: string): Delivered => ({
  body: new TextEncoder().encode(text.trim()),
  contentType: isRecord(parse(text)) || Array.isArray(parse(text)) ? JSON_TYPE : TEXT_TYPE,
})

const isSameJson = (text: string, value: Json): boolean => Bun.deepEquals(parse(text), value)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
