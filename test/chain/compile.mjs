// Run by Node: compiles the contracts of the tests, one line of JSON each:  node test/chain/compile.mjs > test/chain/contracts.ndjson
// The first line tells what they were made of, and that nothing was changed since.
import solc from 'solc'
import { digestOf, digestOfSources, FILES, read } from './contract-sources.mjs'

const compiled = JSON.parse(
  solc.compile(
    JSON.stringify({
      language: 'Solidity',
      sources: Object.fromEntries(FILES.map(name => [name, { content: read(name) }])),
      settings: {
        optimizer: { enabled: true },
        outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } },
      },
    }),
  ),
)
if (!compiled.contracts) throw new Error(JSON.stringify(compiled.errors))
const lines = Object.values(compiled.contracts).flatMap(file =>
  Object.entries(file).map(([name, { abi, evm }]) =>
    JSON.stringify({ name, abi, bytecode: `0x${evm.deployedBytecode.object}` }),
  ),
)
const made = { sources: digestOfSources(), contracts: digestOf(lines) }
console.log([JSON.stringify(made), ...lines].join('\n'))
