// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

struct Step {
  address to;
  bytes data;
}

/// Makes any calls in one transaction, and tells whatever events it is told to: what facilitators do in bulk, and impostors in bad faith.
contract Batch {
  event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);
  event Settled();

  function run(Step[] calldata steps) public {
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

/// A token of an impostor: it moves nothing of its own, tells nothing, and does what it was told before instead.
contract SilentToken {
  Step public instead;

  function prepare(Step calldata step) external {
    instead = step;
  }

  function transferFrom(address, address, uint256) external returns (bool) {
    return act();
  }

  function transferWithAuthorization(
    address,
    address,
    uint256,
    uint256,
    uint256,
    bytes32,
    uint8,
    bytes32,
    bytes32
  ) external {
    act();
  }

  function act() internal returns (bool) {
    if (instead.to == address(0)) return true;
    (bool ok, ) = instead.to.call(instead.data);
    require(ok, "a call failed");
    return true;
  }
}
