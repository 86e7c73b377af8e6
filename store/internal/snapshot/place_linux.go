package snapshot

import (
	"bytes"
	"os"
	"path/filepath"
	"unsafe"

	"github.com/penstock-db/penstock/internal/pages"
	"github.com/penstock-db/penstock/store/internal/tree"
)

// finder finds values in the value logs that Badger has mapped.
type finder struct{ pages.Finder }

// place is where a value lies in a value log. Badger must keep it mapped meanwhile.
func (r *Reader) place(value []byte) (Place, bool) {
	for range 2 {
		at, ok := r.mapped(value)
		if !ok || at.has(value) {
			return at, ok
		}
		r.finder.Forget() // Badger has mapped another file there since
	}
	return Place{}, false
}

// mapped is where a value lies by the mappings as they were some time ago. A small one lies beside its key, in no value
// log: to look for it would read all mappings each time.
func (r *Reader) mapped(value []byte) (Place, bool) {
	if len(value) < tree.ValueThreshold {
		return Place{}, false
	}
	address := uintptr(unsafe.Pointer(unsafe.SliceData(value)))
	m, err := r.finder.Find(address)
	if err != nil || filepath.Ext(m.Path) != ".vlog" {
		return Place{}, false
	}
	return Place{Path: m.Path, Offset: m.Offset + int64(address-m.From), Length: int64(len(value))}, true
}

// has tells whether value lies there, by its end: that of a chunk vouches for the rest.
func (p Place) has(value []byte) bool {
	file, err := os.Open(p.Path)
	if err != nil {
		return false
	}
	defer file.Close()
	var end [64]byte
	n := min(len(value), len(end))
	_, err = file.ReadAt(end[:n], p.Offset+p.Length-int64(n))
	return err == nil && bytes.Equal(end[:n], value[len(value)-n:])
}
