package backend

import (
	"context"
	"net"
	"net/netip"
)

// Caller is who asks for something.
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

// WithCaller is a context in which somebody asks for something.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf is who asks. The Authenticator, the Database and Commands are called in such contexts.
func CallerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}
