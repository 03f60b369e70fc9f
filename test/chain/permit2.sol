// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Erc20 {
  function transferFrom(address from, address to, uint256 value) external returns (bool);
}

interface Erc2612 {
  function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;
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

struct Details {
  address to;
  uint256 requestedAmount;
}

/// What x402 needs of Permit2, by the same calls: transfers that their owner signed for a spender, together with what the spender adds.
contract Permit2 {
  bytes32 constant PERMITTED = keccak256("TokenPermissions(address token,uint256 amount)");
  mapping(address => mapping(uint256 => bool)) public used;

  function permitWitnessTransferFrom(
    Permit calldata permit,
    Details calldata details,
    address owner,
    bytes32 witness,
    string calldata witnessTypeString,
    bytes calldata signature
  ) external {
    require(block.timestamp <= permit.deadline, "too late");
    require(details.requestedAmount <= permit.permitted.amount, "more than permitted");
    require(!used[owner][permit.nonce], "used");
    used[owner][permit.nonce] = true;
    require(recover(digest(permit, witness, witnessTypeString), signature) == owner, "not signed");
    Erc20(permit.permitted.token).transferFrom(owner, details.to, details.requestedAmount);
  }

  function digest(
    Permit calldata permit,
    bytes32 witness,
    string calldata witnessTypeString
  ) internal view returns (bytes32) {
    bytes32 message = keccak256(
      abi.encode(
        keccak256(
          abi.encodePacked(
            "PermitWitnessTransferFrom(TokenPermissions permitted,address spender,uint256 nonce,uint256 deadline,",
            witnessTypeString
          )
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

Permit2 constant PERMIT2 = Permit2(0x000000000022D473030F116dDEE9F6B43aC78BA3);

/// Pays the wallet that was signed for, all that was signed for, whoever asks.
contract ExactProxy {
  event Settled();
  event SettledWithPermit();

  struct Witness {
    address to;
    uint256 validAfter;
  }

  struct EIP2612Permit {
    uint256 value;
    uint256 deadline;
    bytes32 r;
    bytes32 s;
    uint8 v;
  }

  function settle(Permit calldata permit, address owner, Witness calldata witness, bytes calldata signature) external {
    pay(permit, owner, witness, signature);
    emit Settled();
  }

  /// Goes on where the token knows no permits, or refuses this one: Permit2 may be allowed already.
  function settleWithPermit(
    EIP2612Permit calldata permit2612,
    Permit calldata permit,
    address owner,
    Witness calldata witness,
    bytes calldata signature
  ) external {
    try
      Erc2612(permit.permitted.token).permit(
        owner,
        address(PERMIT2),
        permit2612.value,
        permit2612.deadline,
        permit2612.v,
        permit2612.r,
        permit2612.s
      )
    {} catch {}
    pay(permit, owner, witness, signature);
    emit SettledWithPermit();
  }

  function pay(Permit calldata permit, address owner, Witness calldata witness, bytes calldata signature) internal {
    require(block.timestamp >= witness.validAfter, "too early");
    PERMIT2.permitWitnessTransferFrom(
      permit,
      Details(witness.to, permit.permitted.amount),
      owner,
      keccak256(abi.encode(keccak256("Witness(address to,uint256 validAfter)"), witness.to, witness.validAfter)),
      "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)",
      signature
    );
  }
}

/// Pays the wallet that was signed for, by the facilitator that was signed for, at most what was signed for.
contract UptoProxy {
  event Settled();

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
    PERMIT2.permitWitnessTransferFrom(
      permit,
      Details(witness.to, amount),
      owner,
      hash,
      "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,address facilitator,uint256 validAfter)",
      signature
    );
    emit Settled();
  }
}
