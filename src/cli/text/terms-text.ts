// Formats the terms that an endpoint was seen asking for.
import type { PaymentRequirements, ResourceTerms, TermsAnswer } from '../../domain/terms/terms.ts'
import { toOneLine } from '../../domain/text/unseen.ts'

export function termsText({
  seenAt,
  x402Version,
  asListed,
  payableByDefaultClient,
  notes,
  resources,
}: TermsAnswer): string {
  const compared = [
    `price ${asListed.price}`,
    `address ${asListed.address ? 'as listed' : 'another'}`,
    `network ${asListed.network ? 'as listed' : 'another'}`,
  ]
  return [
    `Seen ${seenAt}, x402 version ${x402Version}: ${compared.join(', ')}`,
    // What a client could pay to another wallet is no payment to this service.
    ...(asListed.address
      ? [`The official clients pay it ${payableByDefaultClient ? 'as they are' : 'only if configured to'}.`]
      : []),
    ...notes,
    ...resources.flatMap(resourceLines),
  ]
    .map(toOneLine)
    .join('\n')
}

const resourceLines = ({ method, url, tool, input, output, accepts, source }: ResourceTerms): string[] => [
  '',
  `${method} ${url}${tool ? ` (tool ${tool})` : ''}${source === '402' ? '' : `, as its ${source} says`}`,
  ...accepts.map(requirements => `  ${optionText(requirements)}`),
  ...(input ? [`  takes ${JSON.stringify(input)}`] : []),
  ...(output ? [`  gives ${JSON.stringify(output)}`] : []),
]

const optionText = ({
  scheme,
  network,
  price,
  assetName,
  amount,
  asset,
  payTo,
  paymentFlow,
}: PaymentRequirements): string => {
  const asks = price === undefined ? `${amount} units of ${asset}` : `${price} ${assetName ?? asset}`
  const flow = paymentFlow === undefined ? '' : `, ${paymentFlow}`
  return `${scheme === 'upto' ? 'up to ' : ''}${asks} to ${payTo} on ${network} (${scheme}${flow})`
}
