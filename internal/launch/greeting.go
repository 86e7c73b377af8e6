package launch

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/penstock-db/penstock/internal/plaintext"
)

// greeting is the first line that a plugin writes to standard output. The host looks there for how to reach it, so that
// it is of no use for anything else: a line that a program prints when it starts keeps it from starting.
type greeting struct {
	mu    sync.Mutex
	bytes []byte
}

// longestGreeting bounds what is kept of it.
const longestGreeting = 1 << 10

// hear takes what has been read of standard output.
func (g *greeting) hear(p []byte) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.bytes = append(g.bytes, p[:min(len(p), longestGreeting-len(g.bytes))]...)
}

func (g *greeting) line() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	line, _, _ := strings.Cut(strings.TrimSpace(string(g.bytes)), "\n")
	return line
}

// failed says why a plugin was not met, where its greeting tells more than err does.
func (g *greeting) failed(err error, ended string) error {
	const parts = 4 // at least, between bars, the first of them a number
	line := g.line()
	first, _, _ := strings.Cut(line, "|")
	switch {
	case line == "" && ended != "":
		return errors.New("it ended before it served: " + ended)
	case line == "":
		return err
	case strings.Count(line, "|") < parts-1 || strings.Trim(first, "0123456789") != "":
		return fmt.Errorf("it wrote %.200q to standard output, where the host looks for how to reach it. A plugin writes to "+
			"standard error alone; is it one, built for %s/%s?", plaintext.Clean(line), runtime.GOOS, runtime.GOARCH)
	}
	return err
}
