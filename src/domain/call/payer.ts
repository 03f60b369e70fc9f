// The payment client in TypeScript: its signer, its scheme and its spending limit.
import type { PayableRequirements } from './choose-requirements.ts'
import { approvalNote, formatAsset, limitNote } from './format-price.ts'
import { jsonText } from './literals.ts'
import type { LimitedRequirements } from './spending-limit.ts'

type Client = {
  readonly packages: string
  readonly imports: readonly string[]
  readonly key: string
  readonly signer: string
  readonly scheme: string
}

type Payer = Pick<Client, 'key'> & {
  /** @param others further packages that the snippet needs */
  readonly packages: (others: string) => string
  /** Comment with the packages to install and the variables to set. */
  readonly head: (others: string) => string
  /** Without the import of `x402Client`. */
  readonly imports: readonly string[]
  /** Code that declares `client`. */
  readonly client: string
}

export function toPayer(requirements: LimitedRequirements): Payer {
  const { packages: own, imports, key, signer, scheme } = clientOf(requirements)
  const packages = (others: string) => `${others} ${own}`
  return {
    packages,
    head: others => `// npm install ${packages(others)}
// ${key}: the private key of a wallet that holds ${formatAsset(requirements)}
${approvalNote(requirements, '//')}`,
    imports,
    key,
    client: `${signer}
const client = new x402Client()
  .${requirements.version === 1 ? 'registerV1' : 'register'}(${jsonText(requirements.network)}, new ${scheme}(signer))
${toLimits(requirements)}`,
  }
}

/** The signer of a family of chains, and the scheme class that it signs for. */
function clientOf(requirements: PayableRequirements): Client {
  const { family, version, scheme } = requirements
  if (family === 'evm') {
    const [name, path] =
      version === 1
        ? ['ExactEvmSchemeV1', '@x402/evm/v1']
        : scheme === 'upto'
          ? ['UptoEvmScheme', '@x402/evm/upto/client']
          : ['ExactEvmScheme', '@x402/evm/exact/client']
    return {
      packages: '@x402/evm viem',
      imports: [`import { ${name} } from '${path}'`, `import { privateKeyToAccount } from 'viem/accounts'`],
      key: 'EVM_PRIVATE_KEY',
      signer: `const signer = privateKeyToAccount(process.env.EVM_PRIVATE_KEY as \`0x\${string}\`)`,
      scheme: name!,
    }
  }
  const [name, path] =
    version === 1 ? ['ExactSvmSchemeV1', '@x402/svm/v1'] : ['ExactSvmScheme', '@x402/svm/exact/client']
  return {
    packages: '@x402/svm @solana/kit @scure/base',
    imports: [
      `import { base58 } from '@scure/base'`,
      `import { createKeyPairSignerFromBytes } from '@solana/kit'`,
      `import { ${name} } from '${path}'`,
    ],
    key: 'SVM_PRIVATE_KEY',
    signer: `const signer = await createKeyPairSignerFromBytes(base58.decode(process.env.SVM_PRIVATE_KEY ?? ''))`,
    scheme: name!,
  }
}

/** Pays only the wallet and the asset that were seen, and at most the amount that was seen; anything else throws before it signs. */
function toLimits(requirements: LimitedRequirements): string {
  // The types of the client do not include the network names of version 1.
  const { network, asset, limit, payTo, family, version } = requirements
  const same =
    family === 'evm'
      ? (name: string, value: string) => `option.${name}.toLowerCase() === ${jsonText(value.toLowerCase())}`
      : (name: string, value: string) => `option.${name} === ${jsonText(value)}`
  return `${limitNote(requirements, '  //', 'throws')}
  .setSpendControls({
    allowedAssets: [
      {
        network: ${jsonText(network)}${version === 1 ? ` as \`\${string}:\${string}\`` : ''},
        asset: ${jsonText(asset)},
        maxAmountPerPayment: ${jsonText(limit)},
      },
    ],
  })
  .registerPolicy((_version, options) =>
    options.filter(
      option =>
        ${version === 1 ? '(option.network as string)' : 'option.network'} === ${jsonText(network)} &&
        ${same('asset', asset)} &&
        ${same('payTo', payTo)},
    ),
  )`
}
