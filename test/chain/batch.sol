// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// Makes any calls in one transaction, and tells whatever events it is told to: what facilitators do in bulk, and impostors in bad faith.
contract Batch {
  event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
  event Settled();

  struct Step {
    address to;
    bytes data;
  }

  function run(Step[] calldata steps) external {
    for (uint256 i = 0; i < steps.length; i++) {
      (bool ok, ) = steps[i].to.call(steps[i].data);
      require(ok, "a call failed");
    }
  }

  function claimAuthorization(address authorizer, bytes32 nonce) external {
    emit AuthorizationUsed(authorizer, nonce);
  }

  function claimSettlement() external {
    emit Settled();
  }
}
