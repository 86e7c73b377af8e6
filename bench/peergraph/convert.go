package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
)

// spare vertices without edges are put behind the graph's own: Subway's reader leaves the degree of
// the last vertex but one unset, whose edges it would then not see.
const spare = 2

// adjacency is compressed rows, as Subway reads them: all numbers have 32 bits.
type adjacency struct {
	offsets []uint32
	entries []uint32 // neighbors, each with its weight behind it if there are any
	weights bool
}

// convert writes a graph as Subway's .bcsr, or with weights as its .bwcsr. It takes 4 bytes a vertex,
// and of each direction of an edge 4 bytes, or 8 with the weight.
func convert(from, to string) (err error) {
	extension := filepath.Ext(to)
	if extension != ".bcsr" && extension != ".bwcsr" {
		return fmt.Errorf("%s: ends neither in .bcsr nor in .bwcsr", to)
	}
	m, err := openMarket(from)
	if err != nil {
		return err
	}
	rows, err := m.adjacency(extension == ".bwcsr")
	if err != nil {
		return err
	}
	return rows.save(to)
}

// adjacency sorts the edges by where they begin: counts them, then puts each in its place.
func (m *market) adjacency(weights bool) (*adjacency, error) {
	if m.edges > math.MaxUint32/4 || m.vertices > math.MaxUint32-spare-1 {
		return nil, fmt.Errorf("%s: %d vertices and %d edges are more than Subway counts", m.path, m.vertices, m.edges)
	}
	a := &adjacency{offsets: make([]uint32, m.vertices+spare+1), weights: weights}
	err := m.arcs(func(from, _ uint32, _ float64) error { a.offsets[from+1]++; return nil })
	if err != nil {
		return nil, err
	}
	for v := range a.offsets[1:] {
		a.offsets[v+1] += a.offsets[v]
	}
	a.entries = make([]uint32, a.width()*int(a.arcs()))
	return a, a.place(m)
}

func (a *adjacency) place(m *market) error {
	next := append([]uint32(nil), a.offsets...)
	return m.arcs(func(from, to uint32, weight float64) error {
		at := a.width() * int(next[from])
		next[from]++
		a.entries[at] = to
		if !a.weights {
			return nil
		}
		if weight != math.Trunc(weight) || weight < 0 || weight > math.MaxUint32 {
			return fmt.Errorf("the weight is %v, and Subway wants a whole number", weight)
		}
		a.entries[at+1] = uint32(weight)
		return nil
	})
}

// arcs calls arc with each edge in each direction in which it leads.
func (m *market) arcs(arc func(from, to uint32, weight float64) error) error {
	return m.each(func(from, to uint32, weight float64) error {
		if err := arc(from, to, weight); err != nil || !m.symmetric || from == to {
			return err
		}
		return arc(to, from, weight)
	})
}

func (a *adjacency) arcs() uint32 { return a.offsets[len(a.offsets)-1] }

func (a *adjacency) width() int {
	if a.weights {
		return 2
	}
	return 1
}

func (a *adjacency) save(path string) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := file.Close(); err == nil {
			err = e
		}
	}()
	out := bufio.NewWriterSize(file, 1<<20)
	if err := a.write(out); err != nil {
		return err
	}
	return out.Flush()
}

// write gives the numbers of vertices and entries, where each vertex's begin, and the entries.
func (a *adjacency) write(out io.Writer) error {
	vertices := len(a.offsets) - 1
	for _, part := range [][]uint32{{uint32(vertices), a.arcs()}, a.offsets[:vertices], a.entries} {
		for len(part) > 0 {
			n := min(len(part), 1<<16)
			if err := binary.Write(out, binary.LittleEndian, part[:n]); err != nil {
				return err
			}
			part = part[n:]
		}
	}
	return nil
}
