// The call in TypeScript, by the official client over fetch.
import type { PayableWay } from './choose-way.ts'
import { jsonText, toTypeScript } from './literals.ts'
import type { CallRequest } from './request.ts'
import { approvalNote, shownAsset, shownPrice } from './shown-price.ts'

type Client = {
  readonly packages: string
  readonly imports: readonly string[]
  readonly key: string
  readonly signer: string
  readonly scheme: string
}

export function toTypeScriptCall(request: CallRequest, way: PayableWay | undefined): string {
  const call = `${jsonText(request.url)}${toInit(request)}`
  if (!way)
    return `// No official client can pay the listed wallet on the listed network in the ways that this service asks for. This is the unpaid request; the answer holds its terms.
const response = await fetch(${call})
console.log(response.status, response.headers.get('payment-required') ?? '', await response.text())
`
  const { packages, imports, key, signer, scheme } = clientOf(way)
  return `// npm install ${packages}
// ${key}: the private key of a wallet that holds ${shownAsset(way)}
${approvalNote(way, '//')}${imports.join('\n')}

${signer}
const client = new x402Client()
  .${way.version === 1 ? 'registerV1' : 'register'}(${jsonText(way.network)}, new ${scheme}(signer))
${toLimits(way)}

const response = await wrapFetchWithPayment(fetch, client)(${call})
console.log(response.status, await response.text())
console.log('receipt:', response.headers.get('payment-response') ?? response.headers.get('x-payment-response'))
`
}

/** What a signer is made from, and the scheme that it signs for. */
export function clientOf(way: PayableWay): Client {
  const { family, version, scheme } = way
  const names = `{ wrapFetchWithPayment, x402Client } from '@x402/fetch'`
  if (family === 'evm') {
    const [name, path] =
      version === 1
        ? ['ExactEvmSchemeV1', '@x402/evm/v1']
        : scheme === 'upto'
          ? ['UptoEvmScheme', '@x402/evm/upto/client']
          : ['ExactEvmScheme', '@x402/evm/exact/client']
    return {
      packages: '@x402/fetch @x402/evm viem',
      imports: [
        `import { ${name} } from '${path}'`,
        `import ${names}`,
        `import { privateKeyToAccount } from 'viem/accounts'`,
      ],
      key: 'EVM_PRIVATE_KEY',
      signer: `const signer = privateKeyToAccount(process.env.EVM_PRIVATE_KEY as \`0x\${string}\`)`,
      scheme: name!,
    }
  }
  const [name, path] =
    version === 1 ? ['ExactSvmSchemeV1', '@x402/svm/v1'] : ['ExactSvmScheme', '@x402/svm/exact/client']
  return {
    packages: '@x402/fetch @x402/svm @solana/kit @scure/base',
    imports: [
      `import { base58 } from '@scure/base'`,
      `import { createKeyPairSignerFromBytes } from '@solana/kit'`,
      `import ${names}`,
      `import { ${name} } from '${path}'`,
    ],
    key: 'SVM_PRIVATE_KEY',
    signer: `const signer = await createKeyPairSignerFromBytes(base58.decode(process.env.SVM_PRIVATE_KEY ?? ''))`,
    scheme: name!,
  }
}

/** Pays the wallet and the asset that were seen, and no more than was seen; anything else throws before it signs. */
export function toLimits(way: PayableWay): string {
  const { network, asset, amount, payTo, family } = way
  const same =
    family === 'evm'
      ? (name: string, value: string) => `way.${name}.toLowerCase() === ${jsonText(value.toLowerCase())}`
      : (name: string, value: string) => `way.${name} === ${jsonText(value)}`
  return `  // At most ${shownPrice(way)}, in this asset, to this wallet. Anything else throws before it is signed.
  .setSpendControls({
    allowedAssets: [
      {
        network: ${jsonText(network)},
        asset: ${jsonText(asset)},
        maxAmountPerPayment: ${jsonText(amount)},
      },
    ],
  })
  .registerPolicy((_version, ways) =>
    ways.filter(
      way =>
        way.network === ${jsonText(network)} &&
        ${same('asset', asset)} &&
        ${same('payTo', payTo)},
    ),
  )`
}

function toInit({ method, headers, body }: CallRequest): string {
  const names = [...(body ? [['content-type', body.contentType] as const] : []), ...headers]
  if (method === 'GET' && names.length === 0) return ''
  const lines = [
    `  method: ${jsonText(method)},`,
    ...(names.length > 0 ? [`  headers: ${toTypeScript(Object.fromEntries(names), '  ')},`] : []),
    ...(body ? [`  body: ${toBody(body)},`] : []),
  ]
  return `, {\n${lines.join('\n')}\n}`
}

const toBody = (body: NonNullable<CallRequest['body']>): string =>
  body.kind === 'json' ? `JSON.stringify(${toTypeScript(body.value, '  ')})` : jsonText(body.value)
