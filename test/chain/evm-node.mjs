// Run by Node: a real EVM chain on a free loopback port, and the compiled token. Both are told in one line of JSON.
import { readFileSync } from 'node:fs'
import hre from 'hardhat'
import solc from 'solc'

const source = readFileSync(new URL('./token.sol', import.meta.url), 'utf8')
const compiled = JSON.parse(
  solc.compile(
    JSON.stringify({
      language: 'Solidity',
      sources: { 'token.sol': { content: source } },
      settings: { outputSelection: { '*': { '*': ['abi', 'evm.deployedBytecode.object'] } } },
    }),
  ),
)
const { abi, evm } = compiled.contracts['token.sol'].Token

const server = await hre.run('node:create-server', {
  hostname: '127.0.0.1',
  port: 0,
  provider: hre.network.provider,
})
const { port } = await server.listen()
console.log(JSON.stringify({ port, abi, bytecode: `0x${evm.deployedBytecode.object}` }))

// The chain ends with whoever started it, however that ends.
process.stdin.on('end', () => process.exit(0)).resume()
