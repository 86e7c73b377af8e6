// Package numa knows which processors share a node's memory, and keeps a worker on them. It places no memory: the
// system gives a page out of the node whose processor touches it first. What that brings has not been measured, for it
// takes a machine of several nodes.
package numa

import (
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// Nodes are the processors of each node of the machine that has any; none where the system
// does not tell.
func Nodes() [][]int {
	nodes, err := read(os.DirFS("/sys/devices/system/node"))
	if err != nil {
		return nil
	}
	return nodes
}

// read reads what Linux tells: a folder for each node, with a list of its processors.
func read(system fs.FS) (nodes [][]int, err error) {
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
		if len(processors) > 0 {
			nodes = append(nodes, processors)
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
