import { BlockList, isIP } from 'node:net'

/** Addresses that no workplace has, but cloud machines answer secrets on: link-local, metadata services, "this machine" and multicast. */
const REFUSED = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['224.0.0.0', 4],
] as const) {
  REFUSED.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  ['::', 128],
  ['fe80::', 10],
  ['fd00:ec2::', 32],
  ['ff00::', 8],
  ['64:ff9b::', 96],
] as const) {
  REFUSED.addSubnet(network, bits, 'ipv6')
}

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Networks that are not the internet's: whoever may name an address there could look at the operator's own machines (RFC 1918, 6598, 4193). */
const PRIVATE = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['192.0.0.0', 24],
  ['198.18.0.0', 15],
  ['240.0.0.0', 4],
] as const) {
  PRIVATE.addSubnet(network, bits, 'ipv4')
}
PRIVATE.addSubnet('fc00::', 7, 'ipv6')

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether no request may ever go to this IP address. */
export const isRefusedAddress = (address: string): boolean => REFUSED.check(address, family(address))

/** Whether this IP address is this machine. */
export const isLoopback = (address: string): boolean => LOOPBACK.check(address, family(address))

/** Whether this IP address is this machine or inside a network of its own. */
export const isPrivateAddress = (address: string): boolean => isLoopback(address) || PRIVATE.check(address, family(address))
