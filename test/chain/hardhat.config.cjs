// A chain that calls itself Base, on loopback, with nothing behind it.
module.exports = {
  networks: { hardhat: { chainId: 8453 } },
}
