package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
)

// market is a Matrix Market file of a graph, as 'penstock export --format mtx' writes it: Boisvert,
// Pozo and Remington, "The Matrix Market Exchange Formats", 1996.
type market struct {
	path      string
	symmetric bool // each edge is written once and leads both ways
	vertices  uint32
	edges     uint64
}

// openMarket reads what a file says of itself.
func openMarket(path string) (m *market, err error) {
	m = &market{path: path}
	return m, m.scan(nil)
}

// each calls edge with all edges, in the file's order. Vertices count from 0.
func (m *market) each(edge func(from, to uint32, weight float64) error) error { return m.scan(edge) }

func (m *market) scan(edge func(from, to uint32, weight float64) error) error {
	file, err := os.Open(m.path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	in := bufio.NewReaderSize(file, 1<<20)
	line, err := m.head(in)
	if err != nil || edge == nil {
		return err
	}
	return m.entries(in, line, edge)
}

// head reads the banner, the comments and the sizes, and says which line those are on.
func (m *market) head(in *bufio.Reader) (line int, err error) {
	banner, err := in.ReadSlice('\n')
	words := bytes.Fields(banner)
	if err != nil || len(words) != 5 || string(words[0]) != "%%MatrixMarket" || string(words[2]) != "coordinate" {
		return 0, fmt.Errorf("%s: is no Matrix Market file of coordinates", m.path)
	}
	m.symmetric = string(words[4]) == "symmetric"
	for line = 2; ; line++ {
		text, err := in.ReadSlice('\n')
		if err != nil {
			return line, fmt.Errorf("%s: has no sizes", m.path)
		}
		if text[0] != '%' {
			return line, m.sizes(bytes.Fields(text))
		}
	}
}

func (m *market) sizes(words [][]byte) error {
	if len(words) != 3 || !bytes.Equal(words[0], words[1]) {
		return fmt.Errorf("%s: sizes are %q, not those of a square matrix", m.path, bytes.Join(words, []byte(" ")))
	}
	vertices, err := strconv.ParseUint(string(words[0]), 10, 32)
	if err != nil {
		return fmt.Errorf("%s: %w", m.path, err)
	}
	m.vertices = uint32(vertices)
	m.edges, err = strconv.ParseUint(string(words[2]), 10, 64)
	return err
}

func (m *market) entries(in *bufio.Reader, line int, edge func(from, to uint32, weight float64) error) error {
	for range m.edges {
		line++
		text, err := in.ReadSlice('\n')
		if err == io.EOF {
			return fmt.Errorf("%s:%d: the file ends before its %d edges", m.path, line, m.edges)
		}
		if err != nil {
			return err
		}
		from, rest, ok1 := m.vertex(text)
		to, rest, ok2 := m.vertex(rest)
		if !ok1 || !ok2 {
			return fmt.Errorf("%s:%d: %q is no edge between vertices of 1 to %d", m.path, line, bytes.TrimSpace(text),
				m.vertices)
		}
		if err := edge(from, to, weight(rest)); err != nil {
			return fmt.Errorf("%s:%d: %w", m.path, line, err)
		}
	}
	return nil
}

// vertex takes a number off the front.
func (m *market) vertex(text []byte) (v uint32, rest []byte, ok bool) {
	i, x := 0, uint64(0)
	for i < len(text) && text[i] == ' ' {
		i++
	}
	for ; i < len(text) && '0' <= text[i] && text[i] <= '9' && x <= math.MaxUint32; i++ {
		x = 10*x + uint64(text[i]-'0')
	}
	return uint32(x - 1), text[i:], 1 <= x && x <= uint64(m.vertices)
}

// weight is the third number; a matrix of pattern has none.
func weight(text []byte) float64 {
	x, err := strconv.ParseFloat(string(bytes.TrimSpace(text)), 64)
	if err != nil {
		return math.NaN()
	}
	return x
}
