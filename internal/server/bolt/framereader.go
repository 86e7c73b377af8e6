package bolt

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"sync/atomic"

	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/server/status"
)

// frameReader puts messages together. A message is chunks, each with its length of two bytes
// before it; a chunk of no length ends it. Alone, that keeps the connection alive.
type frameReader struct {
	r       *bufio.Reader
	limit   atomic.Int64    // bytes of a message
	account *memory.Account // has what messages take; nil: nobody counts

	within bool                    // a message is not whole yet
	wait   func(within bool) error // called before the connection is read; nil: never
}

func newFrameReader(r io.Reader, limit int, account *memory.Account) *frameReader {
	f := &frameReader{account: account}
	f.r = bufio.NewReaderSize(readerFunc(func(p []byte) (int, error) {
		if f.wait != nil {
			if err := f.wait(f.within); err != nil {
				return 0, err
			}
		}
		return r.Read(p)
	}), 4<<10)
	f.limit.Store(int64(limit))
	return f
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// next is the next message, never empty. It takes up to 1.5 times the memory of what has arrived,
// or 4 KiB, and 2.5 times while it grows. The account gets that back by drop.
//
// Errors: *memory.FullError when a message was passed over, as there is no memory for it. All
// others end the connection.
func (f *frameReader) next(ctx context.Context) (message []byte, err error) {
	defer func() {
		if err != nil {
			f.drop(message)
			message = nil
		}
	}()
	var refused error // why the message is passed over
	f.within = false
	for size := int64(0); ; f.within = size > 0 {
		n, err := f.length()
		if err != nil {
			return message, err
		}
		if n == 0 && size > 0 {
			return message, refused
		}
		if size += int64(n); size > f.limit.Load() {
			return message, status.Errorf(status.RequestInvalid, "a message is larger than %d bytes: send it in several, or give the server a greater limit", f.limit.Load())
		}
		if refused == nil {
			message, n, err = f.chunk(ctx, message, n)
		}
		if full := new(memory.FullError); errors.As(err, &full) {
			f.drop(message)
			message, refused, err = nil, err, nil
		}
		if err == nil {
			err = f.skip(n)
		}
		if err != nil {
			return message, err
		}
	}
}

func (f *frameReader) length() (int, error) {
	var head [2]byte
	_, err := io.ReadFull(f.r, head[:])
	return int(binary.BigEndian.Uint16(head[:])), late(err)
}

// chunk appends n bytes to the message as they arrive, and tells how many are left when it fails.
func (f *frameReader) chunk(ctx context.Context, message []byte, n int) ([]byte, int, error) {
	for n > 0 {
		var err error
		if message, err = f.room(ctx, message, n); err != nil {
			return message, n, err
		}
		read, err := f.r.Read(message[len(message):min(cap(message), len(message)+n)])
		message, n = message[:len(message)+read], n-read
		if err != nil {
			return message, n, late(err)
		}
	}
	return message, 0, nil
}

// room makes room for some of n bytes more: for no more than have arrived, or for half as many. The
// memory is taken before; until the message is copied it takes both.
func (f *frameReader) room(ctx context.Context, message []byte, n int) ([]byte, error) {
	const least = 4 << 10
	if len(message) < cap(message) {
		return message, nil
	}
	capacity := min(len(message)+n, max(2*len(message), least))
	capacity = max(capacity, len(message)+len(message)/2)
	if f.account != nil {
		if err := f.account.Take(ctx, int64(capacity)); err != nil {
			return message, err
		}
	}
	larger := append(make([]byte, 0, capacity), message...)
	f.drop(message)
	return larger, nil
}

// drop gives back what a message takes.
func (f *frameReader) drop(message []byte) {
	if f.account != nil {
		f.account.Give(int64(cap(message)))
	}
}

func (f *frameReader) skip(n int) error {
	_, err := f.r.Discard(n)
	return late(err)
}

// late names the deadline that has passed while the rest of a message was waited for.
func late(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return errTooSlow
	}
	return err
}
