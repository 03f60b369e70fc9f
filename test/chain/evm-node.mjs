// Run by Node: a real EVM chain on a free loopback port, which it prints.
import hre from 'hardhat'

const server = await hre.run('node:create-server', {
  hostname: '127.0.0.1',
  port: 0,
  provider: hre.network.provider,
})
const { port } = await server.listen()
console.log(port)

// The chain ends with whoever started it, however that ends.
process.stdin.on('end', () => process.exit(0)).resume()
