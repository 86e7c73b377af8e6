// Package handshake is what a host and a plugin process show each other at launch, before they speak by the contract
// (package plugins).
//
//	host                                                plugin
//	 ├─ cookie, own certificate, a pipe ──environment──▶ │   Config, HostCertificate, IdentityPipe
//	 │ ◀──pipe──────────────────────── own certificate ──┤   Identify
//	 │ ◀──standard output── protocol version, address ───┤   Sets
//	 └────────────── gRPC over mutual TLS ───────────────┘   Ends
//
// Each side makes a certificate for one launch and shows it to the other alone: the host in the environment, as
// go-plugin's AutoMTLS does and under its name, the plugin on a pipe that it inherits. AutoMTLS would do it all,
// but with keys on P-521, for which either side computes for some 20 ms; a run on a graph of a million edges takes
// less. A plugin that knows of no pipe still answers by AutoMTLS.
package handshake

import (
	"context"
	"os"

	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

// Config is the cookie. It is no secret: it tells a user who starts a plugin by hand that it is not a program of its
// own.
var Config = goplugin.HandshakeConfig{
	MagicCookieKey:   "PENSTOCK_PLUGIN",
	MagicCookieValue: "9d3d6b0f-device",
}

// The range of contract versions that this module speaks. A host and a plugin use the highest version that both have.
const (
	ProtocolMin = 1
	ProtocolMax = 1 // 1: the first (programs, procedures, one arena)
)

// Name is what a host dispenses from a plugin process.
const Name = "device"

// CPUProfile names a file in the environment, to which a plugin writes a CPU profile of itself.
const CPUProfile = "PENSTOCK_CPUPROFILE"

// Launched tells whether a host has started this process as a plugin.
func Launched() bool { return os.Getenv(Config.MagicCookieKey) == Config.MagicCookieValue }

// Ends are the two ends of a connection. A host has Connect alone, a plugin Serve.
type Ends struct {
	Connect func(grpc.ClientConnInterface) any // what is served at the other end
	Serve   func(grpc.ServiceRegistrar)
}

// Sets offers both ends, for every protocol version of a range, in go-plugin's terms.
func Sets(from, to int, ends Ends) map[int]goplugin.PluginSet {
	sets := map[int]goplugin.PluginSet{}
	for version := from; version <= to; version++ {
		sets[version] = goplugin.PluginSet{Name: &adapter{ends: ends}}
	}
	return sets
}

// adapter is Ends as go-plugin wants them.
type adapter struct {
	goplugin.NetRPCUnsupportedPlugin
	ends Ends
}

func (a *adapter) GRPCServer(_ *goplugin.GRPCBroker, s *grpc.Server) error {
	a.ends.Serve(s)
	return nil
}

func (a *adapter) GRPCClient(_ context.Context, _ *goplugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return a.ends.Connect(conn), nil
}
