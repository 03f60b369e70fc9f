// The tool to call before a payment.
import {
  parseResolveQuery,
  type ResolveQuery,
  resolutionSchema,
  resolveQuerySchema,
} from '../domain/resolve/resolution.ts'
import { readArguments } from './schemas.ts'
import { createTool, READING, type Tool } from './tool.ts'
import { NOTICE, quote, toData } from './untrusted-text.ts'

const ADVICE = {
  clear: 'It may be paid as it asks.',
  caution: 'Ask your user before you pay.',
  stop: 'Do not pay.',
  unknown: 'The directory knows nothing of it. Ask your user before you pay.',
} as const

/** Without them, any payee or price would be cleared. */
const INCOMPLETE =
  'Not everything was compared. Before you pay, call this again with payTo, amount, asset and network of the 402 response.'
const isWhole = ({ payTo, amount, asset, network }: ResolveQuery): boolean =>
  [payTo, amount, asset, network].every(value => value !== undefined)

export const RESOLVE: Tool = createTool({
  name: 'resolve_payment',
  title: 'Check whether a URL is safe to pay',
  description:
    'Compares what a 402 response asks for with the listing and with what the endpoint was seen asking for. Call it before every payment, with every value of the 402 response.',
  input: resolveQuerySchema,
  output: resolutionSchema.omit({ url: true }),
  annotations: READING,
  async run({ directory, given }) {
    const query = parseResolveQuery(readArguments(resolveQuerySchema, given))
    const resolution = (await directory.resolve(query)).decode()
    const { verdict, reasons, service } = resolution
    return {
      text: [
        `${verdict}. ${verdict === 'clear' && !isWhole(query) ? INCOMPLETE : (ADVICE[verdict] ?? ADVICE.unknown)}`,
        ...reasons.map(({ text }) => quote(text, 400)),
        ...(service ? [`Service: ${quote(service.name, 120)}, id ${quote(service.id)}`] : []),
        NOTICE,
      ].join('\n'),
      content: toData({ ...resolution }),
    }
  },
})
