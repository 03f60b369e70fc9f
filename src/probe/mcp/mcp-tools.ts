// Reads the list of tools of an MCP server.

import { isRecord, type JsonRecord } from '../../domain/json.ts'
import { LANGUAGE_CODES, LANGUAGES } from '../../domain/languages/languages.ts'
import { boundSchema, createBudget, createDocumentBudget, inlineSchema } from '../documents/inline-schema.ts'
import { cleanJson, cleanName, cleanWords } from '../untrusted/untrusted-json.ts'

const MAX_TOOLS = 200

const PAID = LANGUAGE_CODES.map(code => LANGUAGES[code].paid)
const ASKS_MONEY = new RegExp([String.raw`x402|\$\d|\bUSDC\b`, ...PAID].join('|'), 'i')

export type Tool = {
  readonly name: string
  readonly description?: string
  readonly input?: JsonRecord
  readonly output?: JsonRecord
  /** Its description, metadata or annotations mention a price. */
  readonly isPaid: boolean
  readonly isDestructive: boolean
}

/** @param listed the result of `tools/list` */
export function readTools(listed: unknown): Tool[] {
  const tools = isRecord(listed) && Array.isArray(listed.tools) ? listed.tools.slice(0, MAX_TOOLS) : []
  const budget = createDocumentBudget()
  const readSchema = (schema: unknown) => boundSchema(inlineSchema(schema, schema, createBudget(budget)))
  return tools.flatMap((tool): Tool[] => {
    const name = isRecord(tool) ? cleanName(tool.name, 128) : undefined
    if (name === undefined || !isRecord(tool)) return []
    const hints = JSON.stringify(cleanJson([tool.description, tool._meta, tool.annotations], 8_192) ?? '')
    const input = readSchema(tool.inputSchema)
    const output = readSchema(tool.outputSchema)
    const description = cleanWords(tool.description, 1_024)
    return [
      {
        name,
        ...(description && { description }),
        ...(input && { input }),
        ...(output && { output }),
        isPaid: ASKS_MONEY.test(hints),
        isDestructive: isRecord(tool.annotations) && tool.annotations.destructiveHint === true,
      },
    ]
  })
}
