// A question that the user of an agent answers by yes or no, in a form of the agent's host.
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
  /** Comes back with the answer, through the client: who trusts it must be able to tell it from an invented one. */
  readonly state: string
  readonly message: string
  /** What is agreed to, in a few words. */
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

/** What the user has said, and to which question; undefined where nothing was asked. */
export function readAnswer({
  mcpReq,
}: ServerContext): { readonly state: string; readonly isYes: boolean } | undefined {
  const state = mcpReq.requestState()
  const response = inputResponse(mcpReq.inputResponses, FIELD)
  if (typeof state !== 'string' || response.kind !== 'elicit') return undefined
  return { state, isYes: response.action === 'accept' && response.content?.[FIELD] === true }
}

/** Whether the host of the agent can put a form before its user. */
export function canElicit({ server }: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities()
  const { elicitation } = (capabilities ?? {}) as { readonly elicitation?: Record<string, unknown> }
  // Without modes it is the form, as in the first revision that had it.
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation))
}
