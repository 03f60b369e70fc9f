// Registration by an agent: a complete draft, as `check_endpoint` fills it in from an endpoint.
import { z } from 'zod'
import { invalid, toProblem } from '../domain/errors.ts'
import { draftSchema } from '../domain/listing/service.ts'
import { say } from '../messages/message.ts'
import { quote, toData, toLine } from './service-view.ts'
import { createTool, type Tool } from './tool.ts'

const input = draftSchema.extend({
  idempotencyKey: z
    .string()
    .max(255)
    .describe('Makes retries safe: the same key with the same fields registers once')
    .optional(),
})

export const REGISTER: Tool = createTool({
  name: 'register_service',
  title: 'Register a service',
  description:
    'Lists a service of your user in the directory, immediately and publicly. Call check_endpoint first: it returns a draft that is filled in from the endpoint. Show the draft to your user, and register it only once your user agrees.',
  input,
  output: z.object({
    service: z.record(z.string(), z.unknown()).describe('Like service of get_service'),
    notices: z.array(z.string()).describe('What was accepted but looks wrong'),
    ignored: z.array(z.string()).describe('Fields that were sent and not used'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run({ directory, given, key, from }) {
    const { idempotencyKey, ...body } = given
    if (idempotencyKey != null && typeof idempotencyKey !== 'string')
      throw invalid([toProblem('idempotencyKey', say('text_expected', { max: 255 }))])
    // The directory validates the rest.
    const by = { key, ...(from && { from }), ...(idempotencyKey != null && { idempotencyKey }) }
    const { service, notices, ignored } = await directory.register(body, by)
    const listed = service.decode()
    return {
      text: [
        `Registered: ${toLine(listed)}`,
        ...notices.map(text => `Notice: ${quote(text)}`),
        ...ignored.map(path => `Not used: ${quote(path)}`),
      ].join('\n'),
      content: toData({ service: listed, notices: [...notices], ignored: [...ignored] }),
    }
  },
})
