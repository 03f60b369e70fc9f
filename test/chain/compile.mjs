// Run by Node: compiles the contracts of the tests, one line of JSON each:  node test/chain/compile.mjs > test/chain/contracts.ndjson
import { readFileSync } from 'node:fs'
import solc from 'solc'

const FILES = ['token.sol', 'permit2.sol', 'batch.sol']
const read = name => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')
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
for (const file of Object.values(compiled.contracts))
  for (const [name, { abi, evm }] of Object.entries(file))
    console.log(JSON.stringify({ name, abi, bytecode: `0x${evm.deployedBytecode.object}` }))
