package wire

import (
	"encoding/binary"
	"math"
	"net"
	"slices"
	"sync"
	"time"
)

// Writer gathers messages and sends them in chunks. Its methods may be called from several
// goroutines: noops come from another.
type Writer struct {
	conn     net.Conn
	patience time.Duration // for the client to take something

	mu    sync.Mutex // for all below
	out   []byte     // whole messages
	quiet bool       // nothing was sent since the last noop was due
	err   error      // the first one; nothing is sent after it
}

// NewWriter writes to a connection. The client must take what is sent within patience.
func NewWriter(conn net.Conn, patience time.Duration) *Writer {
	return &Writer{conn: conn, patience: patience}
}

// Full is how many bytes of messages are sent without a Flush.
const Full = 64 << 10

// Message adds what encode appends, about size bytes. With more than limit bytes it is dropped,
// and false returned.
func (w *Writer) Message(limit, size int, encode func(dst []byte) []byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	start := len(w.out)
	w.out = slices.Grow(w.out, min(size, limit)+size/math.MaxUint16*2+4)
	w.out = encode(append(w.out, 0, 0))
	size = len(w.out) - start - 2
	if size > limit {
		w.out = w.out[:start]
		return false
	}
	w.frame(start, size)
	if len(w.out) >= Full {
		w.send()
	}
	return true
}

// frame makes chunks of a message that lies in out, two bytes after start. They are moved apart
// in place, the last one first.
func (w *Writer) frame(start, size int) {
	const most = math.MaxUint16
	before := (size - 1) / most // chunks before the last one
	w.out = append(w.out, make([]byte, 2*before+2)...)
	for i := before; i >= 0; i-- {
		from, to := start+2+i*most, start+2+i*(most+2)
		chunk := w.out[from : start+2+min(size, (i+1)*most)]
		copy(w.out[to:], chunk)
		binary.BigEndian.PutUint16(w.out[to-2:], uint16(len(chunk)))
	}
	clear(w.out[len(w.out)-2:])
}

// Flush sends what is there.
func (w *Writer) Flush() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.send()
	return w.err
}

// Noop sends what is there; if nothing was sent for a while, an empty message.
func (w *Writer) Noop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.quiet && len(w.out) == 0 {
		w.out = append(w.out, 0, 0)
	}
	w.send()
	if w.quiet {
		w.out = nil // nothing is expected soon
	}
	w.quiet = true
}

// send is called with mu held. It waits for the client to take everything.
func (w *Writer) send() {
	if len(w.out) > 0 && w.err == nil {
		w.quiet = false
		if w.err = w.conn.SetWriteDeadline(time.Now().Add(w.patience)); w.err == nil {
			_, w.err = w.conn.Write(w.out)
		}
	}
	w.out = w.out[:0]
	if cap(w.out) > 2*Full {
		w.out = nil
	}
}

// Err is why nothing is sent any more; nil: nothing has failed.
func (w *Writer) Err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
