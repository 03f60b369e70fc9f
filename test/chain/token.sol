// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

/// The part of ERC-20 that a payment needs, with six decimals like USDC.
contract Token {
  event Transfer(address indexed from, address indexed to, uint256 value);

  uint8 public constant decimals = 6;
  mapping(address => uint256) public balanceOf;

  function mint(address to, uint256 value) external {
    balanceOf[to] += value;
    emit Transfer(address(0), to, value);
  }

  function transfer(address to, uint256 value) public returns (bool) {
    balanceOf[msg.sender] -= value;
    balanceOf[to] += value;
    emit Transfer(msg.sender, to, value);
    return true;
  }

  /// Several payments in one transaction: each is a log of its own.
  function transferMany(address[] calldata to, uint256[] calldata values) external {
    for (uint256 i = 0; i < to.length; i++) transfer(to[i], values[i]);
  }
}
