package driver

// #include <cuda.h>
import "C"

import (
	"errors"
	"runtime"
	"sync"

	"gorgonia.org/cu"
)

// Context is a card's primary context, retained. There is one a card in the process, however often it is opened.
type Context struct {
	Card    Card
	device  cu.Device
	context cu.CUContext
	pool    C.CUmemoryPool // of cards with pools
	link    func() (uint64, error)
}

// Open retains the card's primary context, from any goroutine. What is freed on it stays in the card's pool
// for the next to be allocated, until Trim.
func Open(ordinal int) (*Context, error) {
	if err := Status(); err != nil {
		return nil, err
	}
	card, err := card(ordinal)
	if err != nil {
		return nil, err
	}
	c := &Context{Card: card, device: cu.Device(ordinal)}
	c.link = sync.OnceValues(c.measureLink)
	if c.context, err = c.device.RetainPrimaryCtx(); err != nil {
		return nil, wrap("cuDevicePrimaryCtxRetain", err)
	}
	if err := c.keepPool(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Use makes the context the one that functions are about on this OS thread, to which the goroutine is locked.
func (c *Context) Use() error { return wrap("cuCtxSetCurrent", cu.SetCurrentContext(c.context)) }

// Close releases the context. What was allocated on it goes when the last one that was opened is closed.
func (c *Context) Close() error {
	return wrap("cuDevicePrimaryCtxRelease", c.device.ReleasePrimaryCtx())
}

// Synchronize waits for everything that was begun on the context, on any stream.
func (c *Context) Synchronize() error {
	return c.during(func() error { return wrap("cuCtxSynchronize", cu.Synchronize()) })
}

// Free is how much memory of the card can be allocated here, of how much.
func (c *Context) Free() (free, total uint64, err error) {
	err = c.during(func() error {
		f, t, err := cu.MemInfo()
		free, total = uint64(f), uint64(t)
		return wrap("cuMemGetInfo", err)
	})
	if err != nil {
		return 0, 0, err
	}
	spare, err := c.spare()
	return free + spare, total, err
}

// Peer tells whether kernels and copies here reach memory of the other context without the host, and
// sees to it that they do.
func (c *Context) Peer(other *Context) (bool, error) {
	can, err := c.device.CanAccessPeer(other.device)
	if err != nil || can == 0 {
		return false, wrap("cuDeviceCanAccessPeer", err)
	}
	err = c.during(func() error { return wrap("cuCtxEnablePeerAccess", other.context.EnablePeerAccess(0)) })
	var e *Error
	if errors.As(err, &e) && e.Code == C.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED {
		err = nil
	}
	return err == nil, err
}

// during does something with the context current, on whatever thread, and leaves that as it was.
func (c *Context) during(do func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, err := cu.CurrentContext()
	if err != nil {
		return wrap("cuCtxGetCurrent", err)
	}
	if err := c.Use(); err != nil {
		return err
	}
	return errors.Join(do(), wrap("cuCtxSetCurrent", cu.SetCurrentContext(before)))
}
