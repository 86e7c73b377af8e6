// Package handshake agrees with a client on a version of the Bolt protocol.
//
//	client: 60 60 B0 17, then four proposals of 4 bytes: 0, how many minor versions before it, minor, major
//	server: 4 bytes: 0, 0, minor, major of the version that is spoken; all 0: none
package handshake
