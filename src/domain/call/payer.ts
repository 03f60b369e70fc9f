// What snippets share: literals of each language, and the payment client in TypeScript with its spending limit.
import {
  approvalNote,
  formatAsset,
  type LimitedRequirements,
  limitNote,
  type PayableRequirements,
} from './request.ts'

// Untrusted values as literals of a language. Nothing breaks out of them: no quote, no line separator, and no character that reorders the
// text around it or controls the terminal that it is pasted into.

/** Control and format characters (bidirectional ones included), lone surrogates, and the line separators that JSON allows. */
const INVISIBLE = /[\p{C}\u2028\u2029]/gu

const escapeUnits = (invisible: string): string =>
  Array.from({ length: invisible.length }, (_, i) => hex('\\u', invisible.charCodeAt(i), 4)).join('')

const hex = (prefix: string, code: number, digits: number): string =>
  prefix + code.toString(16).padStart(digits, '0')

type Language = {
  readonly text: (text: string) => string
  /** Writes the key of an object. */
  readonly key: (name: string) => string
  readonly true: string
  readonly false: string
  readonly null: string
}

/** Also valid JSON. */
export const jsonText = (text: string): string => JSON.stringify(text).replace(INVISIBLE, escapeUnits)

const JSON_WORDS = { true: 'true', false: 'false', null: 'null' }
const AS_JSON: Language = { ...JSON_WORDS, text: jsonText, key: jsonText }
const TYPESCRIPT: Language = {
  ...JSON_WORDS,
  text: jsonText,
  // A plain `__proto__` key would set the prototype.
  key: name => (name === '__proto__' ? '["__proto__"]' : jsonText(name)),
}
const pythonText = (text: string): string =>
  // Python has no surrogate pairs: a character beyond the first plane is one escape, and a lone surrogate cannot be sent.
  JSON.stringify(text.toWellFormed()).replace(INVISIBLE, invisible => {
    const code = invisible.codePointAt(0)!
    return code > 0xffff ? hex('\\U', code, 8) : hex('\\u', code, 4)
  })
const PYTHON: Language = { text: pythonText, key: pythonText, true: 'True', false: 'False', null: 'None' }

/** @param indent of the line that the literal starts on */
const toLiteral =
  (language: Language) =>
  (value: unknown, indent = ''): string => {
    const write = (value: unknown, indent: string): string => {
      if (typeof value === 'string') return language.text(value)
      if (typeof value === 'number') return Number.isFinite(value) ? String(value) : language.null
      if (typeof value === 'boolean') return value ? language.true : language.false
      if (typeof value !== 'object' || value === null) return language.null
      const inner = `${indent}  `
      const items = Array.isArray(value)
        ? value.map(item => write(item, inner))
        : Object.entries(value).map(([name, item]) => `${language.key(name)}: ${write(item, inner)}`)
      const [open, close] = Array.isArray(value) ? '[]' : '{}'
      if (items.length === 0) return `${open}${close}`
      return `${open}\n${items.map(item => `${inner}${item}`).join(',\n')}\n${indent}${close}`
    }
    return write(value, indent)
  }

export const toTypeScript = toLiteral(TYPESCRIPT)
export const toPython = toLiteral(PYTHON)
export const toJson = toLiteral(AS_JSON)

/**
 * One shell word in single quotes, where nothing is special except, in fish, a backslash before a quote or another backslash: those
 * are written outside the quotes. Control characters are dropped, because they would still reach the terminal.
 */
export const toShell = (text: string): string =>
  `'${text
    .toWellFormed()
    .replace(CONTROLS, '')
    .replace(/\\+(?=['\\]|$)|'/g, special => `'${special.replace(/./g, '\\$&')}'`)}'`

const CONTROLS = /(?![\n\t])[\p{C}\u2028\u2029]/gu

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

/** The official client of MPP, for a service that is paid by nothing else, as `mppx`; limited in the same way. */
export function toMppPayer(requirements: LimitedRequirements): string {
  const { asset, payTo, limit, chain, extra } = requirements
  const same = (name: string, value: string) => `${name}.toLowerCase() === ${jsonText(value.toLowerCase())}`
  const [names, method] =
    extra.method === 'tempo'
      ? ['Mppx, tempo', 'tempo.charge({ account: signer })']
      : [
          'evm, Mppx',
          `// Name and version of the token's contract, as USDC has them on most chains.
    evm.charge({ account: signer, authorization: { name: 'USD Coin', version: '2' } })`,
        ]
  const { key, signer } = clientOf(requirements)
  return `// npm install mppx viem
// ${key}: the private key of a wallet that holds ${formatAsset(requirements)}
import { ${names} } from 'mppx/client'
import { privateKeyToAccount } from 'viem/accounts'

type Charge = { amount: string; currency: string; recipient: string; methodDetails: { chainId: number; splits?: unknown } }

${signer}
const mppx = Mppx.create({
  methods: [
    ${method},
  ],
  polyfill: false,
${limitNote(requirements, '  //', 'throws')}
  async onChallenge(challenge, { createCredential }) {
    const { amount, currency, recipient, methodDetails } = challenge.request as Charge
    const isExpected =
      BigInt(amount) <= ${limit.replace(/\D/g, '')}n &&
      ${same('currency', asset)} &&
      ${same('recipient', payTo)} &&
      methodDetails.chainId === ${Number(chain.slice('eip155:'.length))} &&
      methodDetails.splits === undefined
    if (!isExpected) throw new Error('It asks for another payment than before.')
    return createCredential()
  },
})`
}
