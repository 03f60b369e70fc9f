// Writes docs/messages.md: every code with its values and its English words; with --check it compares and writes nothing.
import { type Kind, PARTS, type Shape } from '../src/messages/kinds.ts'
import { CODES, type Code, type Message, verbatim } from '../src/messages/message.ts'
import { tellInEnglish } from '../src/messages/tell-in-english.ts'

const HEAD = `# Messages

Every message about a service is a code with values, next to the English sentence: \`code\` and \`values\` next to \`reason\` or \`detail\`,
\`reasonCodes\` next to \`reasons\`, \`noteCodes\` next to \`notes\`. Programs should use the code: its meaning never changes, but new codes may
be added. In the tables, \`{name}\` is replaced by the value of that name; a value that is itself a message is replaced by its sentence.

The problem of a refused request (RFC 9457) has its own code in \`code\`, that of \`detail\` in \`detailCode\`, and the code and values of each
field in \`errors\`. A value of the kind \`code?\` is a code of another program, such as ECONNREFUSED, which the sentence leaves out; \`units\`
is an amount in the smallest units of an asset, which it has only if the price is unknown.

Pages show messages in the reader's language. \`text\` is a sentence without a code, for example why a server could not start.
\`npm run messages\` writes this page.
`

const TITLES: Readonly<Record<string, string>> = {
  text: 'Everywhere',
  edited: 'What happened to a service',
  sample: 'Where trust comes from',
  address_malformed: 'Addresses',
  network_as_registered: 'A probe: what the endpoint asks for',
  answers: 'A probe: what the endpoint answers',
  name_without_address: 'A probe: connection problems',
  url_well_formed: 'A check: which addresses may be requested',
  no_network_given: 'A check: what could not be compared',
  required: 'A refused request: what is wrong with a field',
  key_needed: 'A refused request: other reasons',
  as_listed_and_seen: 'Before a payment',
  not_quoted: 'A purchase: why nothing was signed',
  bought: 'A purchase: how it ended',
  not_delivering: 'A purchase: what follows from it',
  store_away: 'The store, and backups of it',
  delivery_received: 'A delivery to a webhook',
}

/** Stands for a value in the words. */
function standIn(name: string, kind: Kind): unknown {
  if (kind === 'flag') return true
  if (kind === 'texts') return [`{${name}}`]
  if (kind === 'message') return verbatim(`{${name}}`)
  if (kind === 'messages') return [verbatim(`{${name}}`)]
  return Object.hasOwn(PARTS, kind) ? PARTS[kind as keyof typeof PARTS][0] : `{${name}}`
}

function toRow(code: Code): string {
  const shape: Shape = CODES[code]
  const names = Object.entries(shape)
  const values = Object.fromEntries(names.map(([name, kind]) => [name, standIn(name, kind)]))
  const told = names.map(([name, kind]) => `\`${name}\` ${kind}`).join(', ')
  const words = tellInEnglish({ code, values } as Message)
  return `| \`${code}\` | ${told} | ${words.replaceAll('|', '\\|')} |`
}

const lines = (Object.keys(CODES) as Code[]).flatMap(code => [
  ...(TITLES[code] ? ['', `## ${TITLES[code]}`, '', '| code | values | in English |', '|---|---|---|'] : []),
  toRow(code),
])
const parts = Object.entries(PARTS).map(([part, values]) => `| ${part} | ${values.join(', ')} |`)
const text = [
  HEAD.trimEnd(),
  ...lines,
  ...['', '## Values of closed lists', '', '| kind | one of |', '|---|---|'],
  ...parts,
  '',
].join('\n')

const file = new URL('../docs/messages.md', import.meta.url).pathname
if (!process.argv.includes('--check')) await Bun.write(file, text)
else if (
  (await Bun.file(file)
    .text()
    .catch(() => '')) !== text
) {
  console.error('docs/messages.md differs from the codes: run npm run messages.')
  process.exit(1)
}
