// Package handover gives open files of a host's to a plugin process, which need not be able to open them itself: the
// arena, to read and write, and the files that chunks lie in, to read only. What the host does not hand over, a plugin
// that is confined does not see.
//
//	host                                                    plugin
//	Pair ──┬─ end of a socket, inherited ──Variable────────▶ Inherited
//	       └─ Give("/db/000017.vlog", file) ──SCM_RIGHTS───▶ Open("/db/000017.vlog"): the same open file
//
// One message is one file: its name, and beside it the descriptor. The host gives a file before it sends the command
// that names it, so that it has arrived when the plugin looks. A plugin that has inherited no socket opens files by
// their names, and so does one that was not given a file.
package handover

import (
	"os"
	"strconv"
	"sync"
)

// Variable says in the environment of a plugin which descriptor is its end of the socket.
const Variable = "PENSTOCK_FILES"

// maxName is the longest name of a file, in bytes, as Linux has it.
const maxName = 4096

// Inherited is what this process has inherited from its host. Nil: nothing. Its methods may be called all the same.
var Inherited = sync.OnceValue(func() *Taker {
	descriptor, err := strconv.Atoi(os.Getenv(Variable))
	if err != nil || !isSocket(descriptor) {
		return nil
	}
	return newTaker(descriptor)
})

// Taker is the plugin's end: the files that it was given, each under the name that it was given last.
type Taker struct {
	socket int

	mu    sync.Mutex // protects what is below, and that messages are read in their order
	given map[string]*os.File
}

func newTaker(socket int) *Taker { return &Taker{socket: socket, given: map[string]*os.File{}} }

// Open is the file of this name, or nil if it was not given. The caller closes it; it can be opened again until another
// is given under the name or Drop is called.
func (t *Taker) Open(name string) (*os.File, error) {
	if t == nil {
		return nil, nil //nolint:nilnil // as said above
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.receive(); err != nil || t.given[name] == nil {
		return nil, err
	}
	return duplicate(t.given[name])
}

// Drop closes the file of this name, if there is one.
func (t *Taker) Drop(name string) error {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.replace(name, nil)
}

// replace has name be of another file, or of none. It needs t.mu.
func (t *Taker) replace(name string, file *os.File) (err error) {
	if old := t.given[name]; old != nil {
		err = old.Close()
	}
	t.given[name] = file
	if file == nil {
		delete(t.given, name)
	}
	return err
}
