// Converts a tool's result into the delivery for the payer, and into the content to compare with the declaration. Pure.
import { isRecord, type JsonRecord } from '../domain/json/json-record.ts'

type Delivered = { readonly body: Uint8Array; readonly contentType: string }

const JSON_TYPE = 'application/json'
const TEXT_TYPE = 'text/plain; charset=utf-8'

/** Only text: as text. Only structured content, or the same as text: as JSON. Otherwise all parts, as JSON. */
export function toDelivered(result: JsonRecord): Delivered {
  const { structuredContent } = result
  const content = contentOf(result)
  const isText = content.every(isTextPart)
  if (!isRecord(structuredContent)) return isText ? toTextBody(textOf(result)) : toJsonBody(content)
  const isSame = content.length === 0 || (isText && isSameJson(textOf(result), structuredContent))
  return toJsonBody(isSame ? structuredContent : { content, structuredContent })
}

/** The declared schema describes the structured content; servers without it send the same as text. */
export function toJudged(result: JsonRecord): { readonly judged: Uint8Array; readonly contentType: string } {
  const { structuredContent } = result
  const { body, contentType } = isRecord(structuredContent)
    ? toJsonBody(structuredContent)
    : toDelivered(result)
  return { judged: body, contentType }
}

export const textOf = (result: JsonRecord): string =>
  contentOf(result)
    .flatMap(part => (isTextPart(part) ? [part.text] : []))
    .join('\n')

const contentOf = ({ content }: JsonRecord): readonly JsonRecord[] =>
  Array.isArray(content) ? content.filter(isRecord) : []

const isTextPart = (part: JsonRecord): part is JsonRecord & { readonly text: string } =>
  part.type === 'text' && typeof part.text === 'string'

const toJsonBody = (value: unknown): Delivered => ({
  body: new TextEncoder().encode(JSON.stringify(value)),
  contentType: JSON_TYPE,
})

const toTextBody = (text: string): Delivered => ({
  body: new TextEncoder().encode(text.trim()),
  contentType: isRecord(parse(text)) || Array.isArray(parse(text)) ? JSON_TYPE : TEXT_TYPE,
})

const isSameJson = (text: string, value: JsonRecord): boolean => Bun.deepEquals(parse(text), value)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
