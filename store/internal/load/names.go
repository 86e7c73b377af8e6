package load

import (
	"strings"
)

// names numbers distinct names in the order in which they are first met.
type names struct {
	list  []string
	codes map[string]uint32
	text  int64 // bytes of all of them
}

func newNames() *names { return &names{codes: map[string]uint32{}} }

func (n *names) code(name string) uint32 {
	if code, ok := n.codes[name]; ok {
		return code
	}
	code := uint32(len(n.list))
	name = strings.Clone(name)
	n.codes[name] = code
	n.list = append(n.list, name)
	n.text += int64(len(name))
	return code
}

// bytes is what the names take, here and once more in the manifest.
func (n *names) bytes() int64 {
	const each = 64 + 2*16 // in the map, and in the list as it grows
	return each*int64(len(n.list)) + 3*n.text
}
