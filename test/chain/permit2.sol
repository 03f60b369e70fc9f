// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Erc20 {
  function transferFrom(address from, address to, uint256 value) external returns (bool);
}

struct Permitted {
  address token;
  uint256 amount;
}

struct Permit {
  Permitted permitted;
  uint256 nonce;
  uint256 deadline;
}

/// What the scheme upto needs of Permit2: transfers that their owner signed for a spender, together with what the spender adds.
contract Permit2 {
  bytes32 constant PERMITTED = keccak256("TokenPermissions(address token,uint256 amount)");
  mapping(address => mapping(uint256 => bool)) public used;

  function transferWithWitness(
    Permit calldata permit,
    address to,
    uint256 amount,
    address owner,
    bytes32 witness,
    bytes calldata signature
  ) external {
    require(block.timestamp <= permit.deadline, "too late");
    require(amount <= permit.permitted.amount, "more than permitted");
    require(!used[owner][permit.nonce], "used");
    used[owner][permit.nonce] = true;
    require(recover(digest(permit, witness), signature) == owner, "not signed");
    Erc20(permit.permitted.token).transferFrom(owner, to, amount);
  }

  function digest(Permit calldata permit, bytes32 witness) internal view returns (bytes32) {
    bytes32 message = keccak256(
      abi.encode(
        keccak256(
          "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,address facilitator,uint256 validAfter)"
        ),
        keccak256(abi.encode(PERMITTED, permit.permitted.token, permit.permitted.amount)),
        msg.sender,
        permit.nonce,
        permit.deadline,
        witness
      )
    );
    bytes32 domain = keccak256(
      abi.encode(
        keccak256("EIP712Domain(string name,uint256 chainId,address verifyingContract)"),
        keccak256("Permit2"),
        block.chainid,
        address(this)
      )
    );
    return keccak256(abi.encodePacked("\x19\x01", domain, message));
  }

  function recover(bytes32 hash, bytes calldata signature) internal pure returns (address) {
    return
      ecrecover(hash, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
  }
}

/// Pays the wallet that was signed for, by the facilitator that was signed for, at most what was signed for.
contract UptoProxy {
  event Settled();

  Permit2 public constant PERMIT2 = Permit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

  struct Witness {
    address to;
    address facilitator;
    uint256 validAfter;
  }

  function settle(
    Permit calldata permit,
    uint256 amount,
    address owner,
    Witness calldata witness,
    bytes calldata signature
  ) external {
    require(msg.sender == witness.facilitator, "another facilitator");
    require(block.timestamp >= witness.validAfter, "too early");
    bytes32 hash = keccak256(
      abi.encode(
        keccak256("Witness(address to,address facilitator,uint256 validAfter)"),
        witness.to,
        witness.facilitator,
        witness.validAfter
      )
    );
    PERMIT2.transferWithWitness(permit, witness.to, amount, owner, hash, signature);
    emit Settled();
  }
}
