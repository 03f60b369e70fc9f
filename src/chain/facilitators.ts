// Addresses from which facilitators send settlements. Operators add theirs with FACILITATORS.
import { addressKey, addressProblem } from '../domain/chains/addresses.ts'
import { type Chain, findChain } from '../domain/chains/chains.ts'

/** Normalized addresses by CAIP-2 id. */
export type Facilitators = ReadonlyMap<string, ReadonlySet<string>>

/**
 * On EVM chains the logs identify most settlements, so few addresses are needed. On Solana only the fee payer distinguishes a
 * settlement from a transfer.
 */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  base: [
    // Coinbase
    '0xdbdf3d8ed80f84c35d01c6c9f9271761bad90ba6',
    '0x9aae2b0d1b9dc55ac9bab9556f9a26cb64995fb9',
    '0x3a70788150c7645a21b95b7062ab1784d3cc2104',
    '0x708e57b6650a9a741ab39cae1969ea1d2d10eca1',
    '0xce82eeec8e98e443ec34fda3c3e999cbe4cb6ac2',
    '0x7f6d822467df2a85f792d4508c5722ade96be056',
    // PayAI
    '0xc6699d2aada6c36dfea5c248dd70f9cb0235cb63',
    '0xb2bd29925cbbcea7628279c91945ca5b98bf371b',
    '0x25659315106580ce2a787ceec5efb2d347b539c9',
    // x402.rs
    '0xd8dfc729cbd05381647eb5540d756f4f8ad63eec',
    '0x76eee8f0acabd6b49f1cc4e9656a0c8892f3332e',
    '0x97d38aa5de015245dcca76305b53abe6da25f6a5',
    // thirdweb
    '0x80c08de1a05df2bd633cf520754e40fde3c794d3',
    // Corbits
    '0x06f0bfd2c8f36674df5cde852c1eed8025c268c9',
  ],
  polygon: [
    '0xd8dfc729cbd05381647eb5540d756f4f8ad63eec',
    '0x80c08de1a05df2bd633cf520754e40fde3c794d3',
    '0x06f0bfd2c8f36674df5cde852c1eed8025c268c9',
  ],
  solana: [
    // Coinbase
    'L54zkaPQFeTn1UsEqieEXBqWrPShiaZEPD7mS5WXfQg',
    'BENrLoUbndxoNMUS5JXApGMtNykLjFXXixMtpDwDR9SP',
    'BFK9TLC3edb13K6v4YyH3DwPb5DSUpkWvb7XnqCL9b4F',
    'D6ZhtNQ5nT9ZnTHUbqXZsTx5MH2rPFiBBggX4hY1WePM',
    'GVJJ7rdGiXr5xaYbRwRbjfaJL7fmwRygFi1H6aGqDveb',
    'Hc3sdEAsCGQcpgfivywog9uwtk8gUBUZgsxdME1EJy88',
    '92QcYJZpkwYyacR3G69QNR2JfjadQxd16cp5d7x5GEzU',
    // PayAI
    '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
    'CjNFTjvBhbJJd2B5ePPMHRLx1ELZpa8dwQgGL727eKww',
    '8B5UKhwfAyFW67h58cBkQj1Ur6QXRgwWJJcQp8ZBsDPa',
    // Dexter
    'DeXterR2kQm8AvRHnNPatWkE46TfAcMeBDjb6FySoAb8',
    'DEXVS3su4dZQWTvvPnLDJLRK1CeeKG6K3QqdzthgAkNV',
    // Corbits
    'AepWpq3GQwL8CeKMtZyKtKPa7W91Coygh3ropAJapVdU',
    // OpenX402
    '5xvht4fYDs99yprfm4UeuHSLxMBRpotfBtUCQqM3oDNG',
    // Daydreams
    'DuQ4jFMmVABWGxabYHFkGzdyeJgS1hp4wrRuCtsJgT9a',
    // RelAI
    '4x4ZhcqiT1FnirM8Ne97iVupkN4NcQgc2YYbE2jDZbZn',
  ],
}

/** The expected form, for error messages. */
const SHAPE = 'a JSON object with a list of addresses for each network, like {"base": ["0x…"]}'

/**
 * The known facilitators and those in the operator's file.
 * @param text of the file
 * @throws Error with a sentence that says what is wrong and where
 */
export function readFacilitators(text = '{}'): Facilitators {
  const all = new Map<string, Set<string>>()
  for (const [network, addresses] of [...Object.entries(KNOWN), ...Object.entries(parse(text))]) {
    const chain = toChain(network)
    if (!Array.isArray(addresses)) throw new Error(`"${network}" must have a list of addresses`)
    const known = all.get(chain.id) ?? new Set<string>()
    for (const address of addresses) known.add(toAddress(address, network, chain))
    all.set(chain.id, known)
  }
  return all
}

function parse(text: string): Record<string, unknown> {
  const table = parseJson(text)
  if (typeof table !== 'object' || table === null || Array.isArray(table))
    throw new Error(`must contain ${SHAPE}`)
  return table as Record<string, unknown>
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`must contain ${SHAPE}, and is not JSON`)
  }
}

function toChain(network: string): Chain {
  const chain = findChain(network)
  if (chain?.family === 'evm' || chain?.family === 'solana') return chain
  throw new Error(`names "${network}", which is not a known EVM or Solana network`)
}

function toAddress(address: unknown, network: string, { id }: Chain): string {
  if (typeof address === 'string' && addressProblem(address, id) === undefined) return addressKey(address, id)
  throw new Error(`has ${JSON.stringify(address)} for "${network}", which is not an address there`)
}
