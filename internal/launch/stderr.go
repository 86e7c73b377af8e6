package launch

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

const (
	tailBytes    = 64 << 10 // kept of what a plugin writes
	essenceLines = 12       // shown in an error
)

// tail keeps the end of what is written to it: at most tailBytes.
type tail struct {
	mu    sync.Mutex // protects the two below: standard error and go-plugin's own stream both write
	log   io.Writer  // gets everything; may be nil
	bytes []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.log != nil {
		_, _ = t.log.Write(p) // a log that is full must not stop the plugin
	}
	t.bytes = append(t.bytes, p...)
	if over := len(t.bytes) - tailBytes; over > 0 {
		t.bytes = t.bytes[:copy(t.bytes, t.bytes[over:])]
	}
	return len(p), nil
}

func (t *tail) redirect(log io.Writer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.log = log
}

// essence is what explains a death: a panic and the top of its stack when there is one,
// else the last lines.
func (t *tail) essence() string {
	t.mu.Lock()
	lines := strings.Split(string(bytes.TrimSpace(t.bytes)), "\n")
	t.mu.Unlock()
	from := max(0, len(lines)-essenceLines)
	for i, line := range lines {
		if strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: ") {
			from = i
			break
		}
	}
	return strings.Join(lines[from:min(from+essenceLines, len(lines))], "\n")
}
