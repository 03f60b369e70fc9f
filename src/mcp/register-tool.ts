// Registration in a conversation: a URL is enough. The rest is read from the endpoint, and nothing is listed before the user agrees.
import { z } from 'zod'
import type { Directory } from '../directory/directory.ts'
import { type CheckReport, fillDraft, isPartial, type PartialDraft, payableOf } from '../domain/check.ts'
import { DirectoryError, invalid, toProblem } from '../domain/errors.ts'
import { draftSchema } from '../domain/listing/service.ts'
import { say } from '../messages/message.ts'
import { NOTICE, quote, toData, toLine } from './service-view.ts'
import { ask, createTool, type Tool, type ToolRequest, type ToolResult, toFailure } from './tool.ts'

const { pricing, x402Config } = draftSchema.shape
const input = draftSchema.partial().extend({
  endpoint: draftSchema.shape.endpoint,
  name: draftSchema.shape.name.optional().describe('Name. Default: the host of the endpoint'),
  description: draftSchema.shape.description
    .optional()
    .describe('What it does, in any language. Default: what the endpoint says'),
  category: draftSchema.shape.category.optional().describe('Category id. Default: other'),
  pricing: pricing
    .extend({ freeQuota: z.int().describe('Free requests before payment is required') })
    .partial()
    .optional()
    .describe('Price of a request. Default: what the endpoint asks for'),
  x402Config: x402Config
    .partial()
    .optional()
    .describe('Where payments go. Default: where the endpoint asks to be paid'),
  confirm: z
    .string()
    .max(64)
    .describe('The confirm code that the first call returned, once your user has agreed to that draft')
    .optional(),
  idempotencyKey: z
    .string()
    .max(255)
    .describe('Makes retries safe: the same key with the same fields registers once')
    .optional(),
})

const output = z.object({
  registered: z.boolean().describe('Whether it is listed now'),
  service: z.record(z.string(), z.unknown()).nullable().describe('Like service of get_service'),
  draft: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What would be listed, filled in from the endpoint; show it to your user'),
  method: z.string().nullable().describe('HTTP method with which the endpoint returned its terms'),
  confirm: z
    .string()
    .nullable()
    .describe('Send it with the same arguments once your user has agreed; it is valid for this draft only'),
  notices: z.array(z.string()).describe('What was accepted but looks wrong'),
  ignored: z.array(z.string()).describe('Fields that were sent and not used'),
})

export const REGISTER: Tool = createTool({
  name: 'register_service',
  title: 'Register a service',
  description:
    'Lists a service of your user in the directory, immediately and publicly. The endpoint is enough: missing fields are read from it without paying, and your user is asked to confirm; ' +
    'if the host cannot ask, the draft is returned with a confirm code for a second call. If every field is given, the first call lists it: ask your user before.',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run(request) {
    const { idempotencyKey, confirm, ...given } = request.given
    const odd = Object.entries({ idempotencyKey, confirm }).filter(
      ([, value]) => value != null && typeof value !== 'string',
    )
    if (odd.length > 0)
      throw invalid(odd.map(([name]) => toProblem(name, say('text_expected', { max: 255 }))))
    const { directory, key, from, user } = request
    if (user.answer?.isYes === false) return { reply: refuse() }
    // The directory validates it.
    const by = {
      key,
      ...(from && { from }),
      ...(idempotencyKey != null && { once: idempotencyKey as string }),
    }
    const report = isPartial(given) ? await check(request, given) : undefined
    if (!report)
      return register(directory, given, by).catch(error => {
        throw withoutEndpoint(error)
      })
    const { draft, problems } = fillDraft(given, toData(report))
    if (problems.length > 0)
      return { reply: toFailure(invalid(problems), toDraftLines(draft, report, 'The rest would be:')) }
    const code = codeOf(draft)
    if ((user.answer?.state ?? confirm) === code) return register(directory, draft, by)
    return user.canBeAsked ? { reply: question(draft, report, code) } : propose(draft, report, code, confirm)
  },
})

/** Without an endpoint that can be read, the other fields are not missing yet. */
function withoutEndpoint(error: unknown): unknown {
  if (!(error instanceof DirectoryError) || error.code !== 'invalid_request') return error
  const { problems } = error
  if (!problems.some(({ path }) => path === 'endpoint')) return error
  return invalid(problems.filter(({ path, said }) => path === 'endpoint' || said.code !== 'required'))
}

/** @returns undefined if the directory does not check endpoints: then missing fields are reported as usual */
async function check(
  { directory, key, from }: ToolRequest,
  { endpoint }: PartialDraft,
): Promise<CheckReport | undefined> {
  try {
    return (await directory.check({ endpoint }, { key, ...(from && { from }) })).report
  } catch (error) {
    if (error instanceof DirectoryError && error.code === 'forbidden') return undefined
    throw error
  }
}

async function register(
  directory: Directory,
  body: PartialDraft,
  by: Parameters<Directory['register']>[1],
): Promise<ToolResult> {
  const { service, notices, ignored } = await directory.register(body, by)
  const listed = service.decode()
  const extraLines = [
    ...notices.map(text => `Notice: ${quote(text)}`),
    ...ignored.map(path => `Not used: ${quote(path)}`),
  ]
  return {
    text: [`Registered: ${toLine(listed)}`, ...extraLines].join('\n'),
    content: toData({
      ...{ registered: true, service: listed, draft: null, method: null, confirm: null },
      notices: [...notices],
      ignored: [...ignored],
    }),
  }
}

/** Valid for one draft: if the endpoint's terms change, the user has to agree again. */
const codeOf = (draft: PartialDraft): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(draft)).digest('hex').slice(0, 16)

function propose(draft: PartialDraft, report: CheckReport, code: string, confirm: unknown): ToolResult {
  const isOther = typeof confirm === 'string' && confirm !== ''
  const begin = `Nothing is registered yet. ${isOther ? 'The confirm code does not belong to this draft; the draft may have changed since. ' : ''}It would be listed as:`
  return {
    text: [
      ...toDraftLines(draft, report, begin),
      `Next: show this to your user. Once your user agrees, call again with the same arguments and confirm ${quote(code)}; or with other fields to change it.`,
      NOTICE,
    ].join('\n'),
    content: toData({
      ...{ registered: false, service: null, draft, method: methodOf(report), confirm: code },
      notices: [],
      ignored: [],
    }),
  }
}

const question = (draft: PartialDraft, report: CheckReport, code: string) =>
  ask({
    state: code,
    message: toDraftLines(draft, report, 'List this service in the directory, for everybody to see?').join(
      '\n',
    ),
    title: 'Register it',
    description: 'It is listed as shown above',
  })

const refuse = () => ({
  isError: true as const,
  content: [
    { type: 'text' as const, text: 'Nothing was registered: your user said no.\nNext: Do not ask again.' },
  ],
})

const methodOf = ({ resources }: CheckReport): string | null => payableOf(resources)?.method ?? null

/** Every value is untrusted: quoted, on a line of its own. */
function toDraftLines(draft: PartialDraft, report: CheckReport, begin: string): string[] {
  const flat = Object.entries(draft).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([inner, each]) => [`${name}.${inner}`, each] as const)
      : [[name, value] as const],
  )
  const method = methodOf(report)
  return [
    begin,
    ...flat.map(([path, value]) => `- ${path}: ${quote(String(value))}`),
    ...(method === null ? [] : [`It was requested with ${quote(method, 20)}.`]),
    ...report.checks
      .filter(({ result }) => result === 'failed')
      .map(({ check, detail }) => `Check ${check} failed: ${quote(detail, 300)}`),
  ]
}
