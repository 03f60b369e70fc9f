// The definition of a tool: description, input and output, and the call to the directory.
import type { CallToolResult, InputRequiredResult, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { Directory } from '../directory/directory.ts'
import { type Arguments, toInputSchema, toOutputSchema } from './schemas.ts'

export type ToolRequest = {
  readonly directory: Directory
  readonly given: Arguments
  /** Empty if the caller sent none; the directory rejects it where a key is required. */
  readonly key: string
  readonly from: string | undefined
  readonly user: {
    /** Whether the agent's host can ask its user. */
    readonly canBeAsked: boolean
    /** The user's answer to this tool's question. */
    readonly answer: { readonly state: string; readonly isYes: boolean } | undefined
  }
}

/** A question, or an error with further details. */
export type Reply = { readonly reply: CallToolResult | InputRequiredResult }

export type ToolResult = {
  /** A few lines, for hosts without structured content. */
  readonly text: string
  readonly content: Record<string, unknown>
}

type Description = {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: z.ZodObject
  readonly output: z.ZodObject
  readonly annotations: ToolAnnotations
  /** Processor time of a call in that of a plain read over HTTP. */
  readonly cost?: number
  readonly run: (request: ToolRequest) => Promise<ToolResult | Reply>
}

/** Reading the message and building the server for it. */
export const MESSAGE_COST = 3

export type Tool = ReturnType<typeof createTool>

export const READING: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

/** Converts the schemas once, not for every server. */
export const createTool = ({ input, output, cost = MESSAGE_COST, ...rest }: Description) => ({
  ...rest,
  cost,
  inputSchema: toInputSchema(input),
  outputSchema: toOutputSchema(output),
})
