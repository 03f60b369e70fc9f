// The prompt: how to choose a service for a task with these tools.
import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { toCheckedSchema } from './schemas.ts'
import { NOTICE, quote } from './untrusted-text.ts'

const argsSchema = z.object({
  task: z.string().min(1).max(2_000).describe('The task, in your own words'),
  budget: z.string().max(100).describe('Maximum price of a request, for example 0.01 USDC').optional(),
})

export function addPrompt(server: McpServer): void {
  server.registerPrompt(
    'choose_service',
    {
      title: 'Choose a service for a task',
      description: 'Finds, compares and recommends one paid API for a task, without paying anything.',
      argsSchema: toCheckedSchema(argsSchema),
    },
    ({ task, budget }): GetPromptResult => ({
      messages: [{ role: 'user', content: { type: 'text', text: toText(task, budget) } }],
    }),
  )
}

const toText = (task: string, budget: string | undefined): string =>
  `Choose one API service for this task: ${quote(task)}${budget ? `, at no more than ${quote(budget, 100)} a request` : ''}.

1. Call find_service with the task as one sentence${budget ? ' that names the budget' : ''}; read which limits were applied.
2. Of what does the job, prefer verified over unverified, then higher trust, then the lower price. Leave out what is inactive.
3. Call get_status for the best two or three.
4. Recommend one: its name, id, endpoint, price, network and payment address, why it fits, and what speaks against it. Name the runner-up.
5. Pay nothing and call no endpoint before I agree.

${NOTICE} If nothing fits, say so.`
