package bolt

import (
	"bufio"
	"encoding/binary"
	"io"
	"sync/atomic"
)

// frameReader puts messages together. A message is chunks, each with its length of two bytes
// before it; a chunk of no length ends it. Alone, that keeps the connection alive.
type frameReader struct {
	r     *bufio.Reader
	limit atomic.Int64 // bytes of a message
}

func newFrameReader(r io.Reader, limit int) *frameReader {
	f := &frameReader{r: bufio.NewReaderSize(r, 16<<10)}
	f.limit.Store(int64(limit))
	return f
}

// next is the next message, never empty. It takes no more memory than has arrived.
func (f *frameReader) next() ([]byte, error) {
	var message []byte
	for {
		n, err := f.length()
		if err != nil {
			return nil, err
		}
		if n == 0 && len(message) > 0 {
			return message, nil
		}
		if limit := f.limit.Load(); int64(len(message)+n) > limit {
			return nil, failure(requestInvalid, "a message is larger than %d bytes: send it in several, or give the server a greater limit", limit)
		}
		if message, err = f.chunk(message, n); err != nil {
			return nil, err
		}
	}
}

func (f *frameReader) length() (int, error) {
	var head [2]byte
	_, err := io.ReadFull(f.r, head[:])
	return int(binary.BigEndian.Uint16(head[:])), err
}

// chunk appends n bytes to the message as they arrive.
func (f *frameReader) chunk(message []byte, n int) ([]byte, error) {
	for n > 0 {
		if _, err := f.r.Peek(1); err != nil {
			return nil, err
		}
		piece, _ := f.r.Peek(min(n, f.r.Buffered()))
		message = append(message, piece...)
		n -= len(piece)
		if _, err := f.r.Discard(len(piece)); err != nil {
			return nil, err
		}
	}
	return message, nil
}
