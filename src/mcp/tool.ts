// What a tool is: what it says about itself, what it takes and gives, and what it asks of the directory.
import type { CallToolResult, InputRequiredResult, ToolAnnotations } from '@modelcontextprotocol/server'
import type { z } from 'zod'
import type { Directory } from '../directory/directory.ts'
import { type Arguments, toInputSchema, toOutputSchema } from './schemas.ts'

export type Asked = {
  readonly directory: Directory
  readonly given: Arguments
  /** Empty where the caller sent none: the directory says what that means. */
  readonly key: string
  readonly from: string | undefined
  readonly user: {
    /** Whether the host of the agent can put a question to its user. */
    readonly canBeAsked: boolean
    /** What the user has said to a question of this tool. */
    readonly answer: { readonly state: string; readonly isYes: boolean } | undefined
  }
}

/** Where it is neither an answer nor an error: a question, or an error that tells more. */
export type Reply = { readonly reply: CallToolResult | InputRequiredResult }

export type Told = {
  /** A few lines, for hosts that show no structured content. */
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
  readonly run: (asked: Asked) => Promise<Told | Reply>
}

export type Tool = ReturnType<typeof createTool>

export const READING: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }

/** The schemas are written out once, not for every server. */
export const createTool = ({ input, output, ...rest }: Description) => ({
  ...rest,
  inputSchema: toInputSchema(input),
  outputSchema: toOutputSchema(output),
})
