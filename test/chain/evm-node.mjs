// Run by Node: a real EVM chain on a free loopback port, and the compiled contracts. All is told in one line of JSON.
import { readFileSync } from 'node:fs'
import hre from 'hardhat'
import solc from 'solc'

const FILES = ['token.sol', 'permit2.sol', 'batch.sol']
const compiled = JSON.parse(
  solc.compile(
    JSON.stringify({
      language: 'Solidity',
      sources: Object.fromEntries(
        FILES.map(name => [name, { content: readFileSync(new URL(`./${name}`, import.meta.url), 'utf8') }]),
      ),
      settings: {
        optimizer: { enabled: true },
        outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } },
      },
    }),
  ),
)
const contracts = Object.fromEntries(
  Object.values(compiled.contracts ?? {}).flatMap(file =>
    Object.entries(file).map(([name, { abi, evm }]) => [
      name,
      { abi, bytecode: `0x${evm.deployedBytecode.object}` },
    ]),
  ),
)
if (!contracts.Token) throw new Error(JSON.stringify(compiled.errors))

const server = await hre.run('node:create-server', {
  hostname: '127.0.0.1',
  port: 0,
  provider: hre.network.provider,
})
const { port } = await server.listen()
console.log(JSON.stringify({ port, contracts }))

// The chain ends with whoever started it, however that ends.
process.stdin.on('end', () => process.exit(0)).resume()
