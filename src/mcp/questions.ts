// A yes-or-no question to the agent's user, in a form of the agent's host.
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'

const FIELD = 'approve'

export type Question = {
  /** Returned by the client with the answer: it must be verifiable, or a client could forge it. */
  readonly state: string
  readonly message: string
  /** What is approved, in a few words. */
  readonly title: string
  readonly description: string
}

export const ask = ({ state, message, title, description }: Question): InputRequiredResult =>
  inputRequired({
    requestState: state,
    inputRequests: {
      [FIELD]: inputRequired.elicit({
        mode: 'form',
        message,
        requestedSchema: {
          type: 'object',
          properties: { [FIELD]: { type: 'boolean', title, description, default: false } },
          required: [FIELD],
        },
      }),
    },
  })

/** The user's answer, and the question's state; undefined if nothing was asked. */
export function readAnswer({
  mcpReq,
}: ServerContext): { readonly state: string; readonly isYes: boolean } | undefined {
  const state = mcpReq.requestState()
  const response = inputResponse(mcpReq.inputResponses, FIELD)
  if (typeof state !== 'string' || response.kind !== 'elicit') return undefined
  return { state, isYes: response.action === 'accept' && response.content?.[FIELD] === true }
}

/** Whether the agent's host can show a form to its user. */
export function canElicit({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()
  const { elicitation } = (capabilities ?? {}) as { readonly elicitation?: Record<string, unknown> }
  // Without modes it means the form, as in the first revision with elicitation.
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation))
}
