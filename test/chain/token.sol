// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// The part of USDC that a payment needs: ERC-20 with six decimals, and transfers by signed authorization (EIP-3009).
contract Token {
  event Transfer(address indexed from, address indexed to, uint256 value);
  event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce);

  string public constant name = "USD Coin";
  string public constant version = "2";
  uint8 public constant decimals = 6;
  bytes32 constant AUTHORIZATION =
    keccak256(
      "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
  bytes32 constant RECEIVING =
    keccak256(
      "ReceiveWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
    );
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  mapping(address => mapping(bytes32 => bool)) public authorizationState;

  function mint(address to, uint256 value) external {
    balanceOf[to] += value;
    emit Transfer(address(0), to, value);
  }

  function transfer(address to, uint256 value) public returns (bool) {
    return move(msg.sender, to, value);
  }

  function approve(address spender, uint256 value) external returns (bool) {
    allowance[msg.sender][spender] = value;
    return true;
  }

  function transferFrom(address from, address to, uint256 value) external returns (bool) {
    allowance[from][msg.sender] -= value;
    return move(from, to, value);
  }

  /// Several payments in one transaction: each is a log of its own.
  function transferMany(address[] calldata to, uint256[] calldata values) external {
    for (uint256 i = 0; i < to.length; i++) transfer(to[i], values[i]);
  }

  function transferWithAuthorization(
    address from,
    address to,
    uint256 value,
    uint256 validAfter,
    uint256 validBefore,
    bytes32 nonce,
    uint8 v,
    bytes32 r,
    bytes32 s
  ) external {
    use(from, nonce, keccak256(abi.encode(AUTHORIZATION, from, to, value, validAfter, validBefore, nonce)), v, r, s);
    require(block.timestamp > validAfter && block.timestamp < validBefore, "not the time");
    move(from, to, value);
  }

  function receiveWithAuthorization(
    address from,
    address to,
    uint256 value,
    uint256 validAfter,
    uint256 validBefore,
    bytes32 nonce,
    uint8 v,
    bytes32 r,
    bytes32 s
  ) external {
    require(msg.sender == to, "not the payee");
    use(from, nonce, keccak256(abi.encode(RECEIVING, from, to, value, validAfter, validBefore, nonce)), v, r, s);
    require(block.timestamp > validAfter && block.timestamp < validBefore, "not the time");
    move(from, to, value);
  }

  function use(address from, bytes32 nonce, bytes32 message, uint8 v, bytes32 r, bytes32 s) internal {
    require(!authorizationState[from][nonce], "used");
    require(ecrecover(keccak256(abi.encodePacked("\x19\x01", domain(), message)), v, r, s) == from, "not signed");
    authorizationState[from][nonce] = true;
    emit AuthorizationUsed(from, nonce);
  }

  function domain() internal view returns (bytes32) {
    return
      keccak256(
        abi.encode(
          keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
          keccak256(bytes(name)),
          keccak256(bytes(version)),
          block.chainid,
          address(this)
        )
      );
  }

  function move(address from, address to, uint256 value) internal returns (bool) {
    balanceOf[from] -= value;
    balanceOf[to] += value;
    emit Transfer(from, to, value);
    return true;
  }
}
