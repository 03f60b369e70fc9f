// The call in Python, with the official package over requests.
import type { PayableRequirements, UnpayableReason } from './choose-requirements.ts'
import { approvalNote, formatAsset, limitNote, samplesNote, unpayableNote } from './format-price.ts'
import { toPython } from './literals.ts'
import type { CallRequest } from './request.ts'
import type { LimitedRequirements } from './spending-limit.ts'

export function toPythonCall(
  request: CallRequest,
  requirements: LimitedRequirements | UnpayableReason,
): string {
  if (request.tool)
    return `# A tool of an MCP server is paid in the message that calls it. This is the unpaid call; its result holds the terms.
# The text for TypeScript, or for an MCP host, signs a payment for them and calls again.
# pip install requests
import requests

response = requests.request(${toArguments(request)})
print(response.status_code, response.text)
`
  if (typeof requirements === 'string')
    return `${unpayableNote(requirements, '#')}
# This is the unpaid request; the answer holds its terms.
# pip install requests
import requests

response = requests.request(${toArguments(request)})
print(response.status_code, response.headers.get("payment-required", ""), response.text)
`
  const { extras, imports, key, signer, scheme } = clientOf(requirements)
  return `# pip install ${extras}
# ${key}: the private key of a wallet that holds ${formatAsset(requirements)}
${approvalNote(requirements, '#')}import os

${imports.join('\n')}

signer = ${signer}
client = x402ClientSync()
client.${requirements.version === 1 ? 'register_v1' : 'register'}(${toPython(requirements.network)}, ${scheme}(signer))
${toLimits(requirements)}

${samplesNote(request, '#')}with x402_requests(client) as session:
    response = session.request(${toArguments(request, '    ')})
    print(response.status_code, response.text)
    print("receipt:", response.headers.get("payment-response") or response.headers.get("x-payment-response"))
`
}

function clientOf({ family, version, scheme }: PayableRequirements) {
  const common = ['from x402 import x402ClientSync', 'from x402.http.clients import x402_requests']
  if (family === 'evm') {
    const [name, module] =
      version === 1
        ? ['ExactEvmSchemeV1', 'exact.v1']
        : scheme === 'upto'
          ? ['UptoEvmScheme', 'upto']
          : ['ExactEvmScheme', 'exact']
    return {
      extras: '"x402[requests,evm]"',
      imports: [
        'from eth_account import Account',
        ...common,
        'from x402.mechanisms.evm import EthAccountSigner',
        `from x402.mechanisms.evm.${module} import ${name}`,
      ],
      key: 'EVM_PRIVATE_KEY',
      signer: 'EthAccountSigner(Account.from_key(os.environ["EVM_PRIVATE_KEY"]))',
      scheme: name,
    }
  }
  const [name, module] = version === 1 ? ['ExactSvmSchemeV1', 'exact.v1'] : ['ExactSvmScheme', 'exact']
  return {
    extras: '"x402[requests,svm]"',
    imports: [
      ...common,
      'from x402.mechanisms.svm import KeypairSigner',
      `from x402.mechanisms.svm.${module} import ${name}`,
    ],
    key: 'SVM_PRIVATE_KEY',
    signer: 'KeypairSigner.from_base58(os.environ["SVM_PRIVATE_KEY"])',
    scheme: name,
  }
}

/** Pays only the wallet and the asset that were seen, and at most the amount that was seen; anything else raises before it signs. */
function toLimits(requirements: LimitedRequirements): string {
  const { network, asset, limit, payTo, family } = requirements
  const same =
    family === 'evm'
      ? (name: string, value: string) => `option.${name}.lower() == ${toPython(value.toLowerCase())}`
      : (name: string, value: string) => `option.${name} == ${toPython(value)}`
  return `${limitNote(requirements, '#', 'raises')}
client.set_spend_controls({
    "allowed_assets": [
        {"network": ${toPython(network)}, "asset": ${toPython(asset)}, "max_amount_per_payment": ${toPython(limit)}}
    ]
})
client.register_policy(
    lambda version, options: [
        option
        for option in options
        if option.network == ${toPython(network)}
        and ${same('asset', asset)}
        and ${same('pay_to', payTo)}
        and option.get_amount().isdecimal()
        and int(option.get_amount()) <= ${limit.replace(/\D/g, '')}
    ]
)`
}

function toArguments({ method, url, headers, body }: CallRequest, indent = ''): string {
  const inner = `${indent}    `
  const names = [...(body?.kind === 'text' ? [['content-type', body.contentType] as const] : []), ...headers]
  const argumentTexts = [
    toPython(method),
    toPython(url),
    ...(names.length > 0 ? [`headers=${toPython(Object.fromEntries(names), inner)}`] : []),
    ...(body?.kind === 'json' ? [`json=${toPython(body.value, inner)}`] : []),
    ...(body?.kind === 'text' ? [`data=${toPython(body.value)}.encode()`] : []),
  ]
  return `\n${argumentTexts.map(argument => `${inner}${argument},`).join('\n')}\n${indent}`
}
