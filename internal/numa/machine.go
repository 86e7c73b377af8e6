// Package numa knows which processors share a node's memory, keeps a worker on them, and places memory there. What that
// brings has not been measured: it takes a machine of several nodes.
package numa

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
)

// Machine is what there is of nodes, and what can be done with them. Tests make their own.
type Machine struct {
	Nodes []Node
	// Stay keeps the goroutine that calls it on these processors until it ends, if the system lets it.
	Stay func(processors []int)
	// Place has the whole pages of memory lie on a node: those that are there move, others come there.
	Place func(memory []byte, node int) error
}

// Node is some processors with memory of their own.
type Node struct {
	Number     int // the system's
	Processors []int
}

// This is the machine that it runs on. It has no nodes where the system does not tell.
func This() Machine {
	nodes, err := read(os.DirFS("/sys/devices/system/node"))
	if err != nil {
		nodes = nil
	}
	return Machine{Nodes: nodes, Stay: stay, Place: place}
}

// read reads what Linux tells: a folder for each node, with a list of its processors. A node without any is left out.
func read(system fs.FS) (nodes []Node, err error) {
	files, err := fs.Glob(system, "node[0-9]*/cpulist")
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := fs.ReadFile(system, file)
		if err != nil {
			return nil, err
		}
		processors, err := parse(strings.TrimSpace(string(text)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		number, err := strconv.Atoi(strings.TrimPrefix(path.Dir(file), "node"))
		if err != nil {
			continue // a folder that is called like one
		}
		if len(processors) > 0 {
			nodes = append(nodes, Node{Number: number, Processors: processors})
		}
	}
	return nodes, nil
}

// parse reads a list such as "0-3,8,10-11".
func parse(list string) (processors []int, err error) {
	if list == "" {
		return nil, nil
	}
	for _, part := range strings.Split(list, ",") {
		first, last, isRange := strings.Cut(part, "-")
		from, err := strconv.ParseUint(first, 10, 16)
		if err != nil {
			return nil, fmt.Errorf("%q is no list of processors", list)
		}
		to := from
		if isRange {
			if to, err = strconv.ParseUint(last, 10, 16); err != nil || to < from {
				return nil, fmt.Errorf("%q is no list of processors", list)
			}
		}
		for ; from <= to; from++ {
			processors = append(processors, int(from))
		}
	}
	return processors, nil
}
