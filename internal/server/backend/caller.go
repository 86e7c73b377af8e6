package backend

import (
	"context"
	"net"
	"net/netip"
)

// Caller is the client that a request comes from.
type Caller struct {
	User       string // that the Authenticator has let in; empty: it asked for no name
	Address    net.Addr
	Connection string // its number, as the log has it
}

// IP is the caller's IP address; the zero address, if there is none.
func (c Caller) IP() netip.Addr {
	if tcp, ok := c.Address.(*net.TCPAddr); ok {
		return tcp.AddrPort().Addr()
	}
	return netip.Addr{}
}

type callerKey struct{}

// WithCaller is a context of a request by a caller.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf is the caller of the request that a context is of. The Authenticator, the Database and Commands are called
// in such contexts.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
