package launch

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/penstock-db/penstock/internal/plaintext"
)

const (
	tailBytes    = 64 << 10 // kept of what a plugin writes
	essenceLines = 12       // shown in an error
	// A plugin writes burst bytes as fast as it can, and then rate bytes a second: it waits, nothing is lost, and neither
	// a log nor the host is kept busy by it.
	burst = 1 << 20
	rate  = 1 << 20
)

// tail keeps the end of what is written to it: at most tailBytes.
type tail struct {
	done <-chan struct{} // the plugin has ended: what it has left need not wait; nil: it does not end

	mu     sync.Mutex // protects what is below: standard error and go-plugin's own stream both write
	log    io.Writer  // gets everything; may be nil
	bytes  []byte
	ahead  float64   // bytes that have come beyond the rate
	counts time.Time // ahead is as of then
}

func (t *tail) Write(p []byte) (int, error) {
	t.take(p)
	select {
	case <-t.done:
	case <-time.After(t.pause(len(p), time.Now())):
	}
	return len(p), nil
}

// pause is for how long a writer of n bytes more has to wait.
func (t *tail) pause(n int, now time.Time) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.counts.IsZero() {
		t.ahead = max(0, t.ahead-rate*now.Sub(t.counts).Seconds())
	}
	t.ahead, t.counts = t.ahead+float64(n), now
	return time.Duration(max(0, t.ahead-burst) / rate * float64(time.Second))
}

func (t *tail) take(p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.log != nil {
		_, _ = t.log.Write(p) // a log that is full must not stop the plugin
	}
	t.bytes = append(t.bytes, p...)
	if over := len(t.bytes) - tailBytes; over > 0 {
		t.bytes = t.bytes[:copy(t.bytes, t.bytes[over:])]
	}
}

func (t *tail) redirect(log io.Writer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.log = log
}

// essence is what explains a death: a panic and the top of its stack when there is one, also behind something that
// ended without a line's end, else the last lines.
func (t *tail) essence() string {
	t.mu.Lock()
	lines := strings.Split(string(bytes.TrimSpace(t.bytes)), "\n")
	t.mu.Unlock()
	from := max(0, len(lines)-essenceLines)
	for i, line := range lines {
		if panics(line) {
			from = i
			break
		}
		const stack = "goroutine " // of Go's own; above it an empty line, and above that what has happened
		if strings.HasPrefix(line, stack) && i >= 2 && lines[i-1] == "" && !slices.ContainsFunc(lines[i:], panics) {
			from = i - 2
			break
		}
	}
	return plaintext.Clean(strings.Join(lines[from:min(from+essenceLines, len(lines))], "\n"))
}

// panics tells whether a line is the first of how a Go program ends.
func panics(line string) bool {
	return strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ")
}
