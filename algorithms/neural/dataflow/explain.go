package dataflow

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// String is the schedule as people read it: stage by stage, what is computed at edges, gathered, computed row by row,
// summed up and stored.
func (s Schedule) String() string {
	var b strings.Builder
	for _, v := range s.leaves() {
		fmt.Fprintf(&b, "  %-8s %v\n", "given", v)
	}
	for _, part := range []struct {
		name   string
		stages []Stage
	}{{"once", s.Once}, {"each epoch", s.Epoch}} {
		for i, stage := range part.stages {
			fmt.Fprintf(&b, "%s, stage %d%s\n", part.name, i+1, stage.where())
			stage.write(&b)
		}
	}
	edges, stored := s.Numbers()
	held := "none is"
	if numbers := s.held(); numbers > 0 {
		held = fmt.Sprintf("%d are", numbers)
	}
	fmt.Fprintf(&b, "%d numbers are computed at an edge each epoch, and %s stored; %d are stored of a vertex\n", edges, held,
		stored)
	return b.String()
}

// leaves are what all else is made of, in the order of their IDs.
func (s Schedule) leaves() []*Value {
	found := map[*Value]bool{}
	for _, stage := range slices.Concat(s.Once, s.Epoch) {
		lists := [][]*Value{stage.Sums, stage.Small}
		for _, w := range stage.Waves {
			lists = append(lists, w.Edges, w.Gathers, w.Rows)
		}
		for _, v := range slices.Concat(lists...) {
			for _, a := range v.Args {
				if isLeaf(a) {
					found[a] = true
				}
			}
		}
	}
	return slices.SortedFunc(maps.Keys(found), func(a, b *Value) int { return a.ID - b.ID })
}

// Numbers is how many numbers an epoch computes at each edge, and how many it stores of each vertex.
func (s Schedule) Numbers() (edges, stored int) {
	for _, stage := range s.Epoch {
		for _, w := range stage.Waves {
			for _, v := range w.Edges {
				if len(v.Args) > 0 && v.Op != Source && v.Op != Target && v.Op != Hold {
					edges += v.Width
				}
			}
		}
		for _, v := range stage.Stored {
			stored += v.Width
		}
	}
	return edges, stored
}

// held is how many numbers an epoch stores of each edge.
func (s Schedule) held() (numbers int) {
	for _, stage := range s.Epoch {
		numbers += stage.Held()
	}
	return numbers
}

func (s Stage) where() string {
	for _, w := range s.Waves {
		if len(w.Gathers) > 0 {
			return fmt.Sprintf(", along lists of edges by their %v", s.End)
		}
	}
	return ", over vertices alone"
}

func (s Stage) write(b *strings.Builder) {
	line := func(what string, values []*Value) {
		for _, v := range values {
			fmt.Fprintf(b, "  %-8s %v\n", what, v)
		}
	}
	for _, w := range s.Waves {
		line("edge", w.Edges)
		line("gather", w.Gathers)
		line("vertex", w.Rows)
	}
	line("sum", s.Sums)
	line("small", s.Small)
	if len(s.Stored) == 0 {
		return
	}
	names := make([]string, len(s.Stored))
	for i, v := range s.Stored {
		names[i] = fmt.Sprintf("v%d", v.ID)
	}
	fmt.Fprintf(b, "  %-8s %s\n", "stored", strings.Join(names, " "))
}
