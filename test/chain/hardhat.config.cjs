// A chain that calls itself Base, on loopback, with nothing behind it.
module.exports = {
  // Otherwise every block is a second later than the last, and a minute of quick payments outlives its own authorizations.
  networks: { hardhat: { chainId: 8453, allowBlocksWithSameTimestamp: true } },
}
