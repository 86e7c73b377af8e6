package wire

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

// Reader puts messages together. A message is chunks, each with its length of two bytes
// before it; a chunk of length 0 ends it. Alone, such a chunk keeps the connection alive.
type Reader struct {
	r       *bufio.Reader
	limit   atomic.Int64    // bytes of a message
	account *memory.Account // has what messages take; nil: messages are not accounted for

	within bool                    // a message is not whole yet
	Wait   func(within bool) error // called before the connection is read; nil: never
}

// NewReader reads from r messages of at most limit bytes.
func NewReader(r io.Reader, limit int, account *memory.Account) *Reader {
	f := &Reader{account: account}
	f.r = bufio.NewReaderSize(readerFunc(func(p []byte) (int, error) {
		if f.Wait != nil {
			if err := f.Wait(f.within); err != nil {
				return 0, err
			}
		}
		return r.Read(p)
	}), 4<<10)
	f.SetLimit(limit)
	return f
}

// SetLimit is the most bytes of a message from now on.
func (f *Reader) SetLimit(bytes int) { f.limit.Store(int64(bytes)) }

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// Next is the next message, never empty. It takes up to 1.5 times the memory of what has arrived,
// or 4 KiB, and 2.5 times while it grows. The account gets that back by Drop.
//
// Errors: *memory.FullError when a message was passed over, as there is no memory for it. All
// others end the connection.
func (f *Reader) Next(ctx context.Context) (message []byte, err error) {
	defer func() {
		if err != nil {
			f.Drop(message)
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
			return message, status.Errorf(status.RequestInvalid,
				"a message is larger than %d bytes: send it in several, or give the server a greater limit", f.limit.Load())
		}
		if refused == nil {
			message, n, err = f.chunk(ctx, message, n)
		}
		if full := new(memory.FullError); errors.As(err, &full) {
			f.Drop(message)
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

func (f *Reader) length() (int, error) {
	var head [2]byte
	_, err := io.ReadFull(f.r, head[:])
	return int(binary.BigEndian.Uint16(head[:])), late(err)
}

// chunk appends n bytes to the message as they arrive, and tells how many are left when it fails.
func (f *Reader) chunk(ctx context.Context, message []byte, n int) ([]byte, int, error) {
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
func (f *Reader) room(ctx context.Context, message []byte, n int) ([]byte, error) {
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
	f.Drop(message)
	return larger, nil
}

// Drop gives back what a message takes.
func (f *Reader) Drop(message []byte) {
	if f.account != nil {
		f.account.Give(int64(cap(message)))
	}
}

func (f *Reader) skip(n int) error {
	_, err := f.r.Discard(n)
	return late(err)
}

// ErrTooSlow is a client that does not send the rest of a message in time.
var ErrTooSlow = status.Errorf(status.TimedOut, "the rest of a message did not come in time")

// late names the deadline that has passed while the rest of a message was waited for.
func late(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return ErrTooSlow
	}
	return err
}
