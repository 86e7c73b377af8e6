package backup

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/penstock-db/penstock/store"
)

// Header is the first record of a backup.
type Header struct {
	Penstock string    `json:"penstock"` // the version that wrote it
	Previous *Previous `json:"previous,omitempty"`
}

// Previous is the backup that another follows.
type Previous struct {
	File   string `json:"file"` // seen from the folder of the one that follows
	SHA256 string `json:"sha256"`
}

// Graph is a graph of a backup.
type Graph struct {
	Manifest *store.Manifest
	Commits  uint64 // of its log, from 1 on
	Held     uint64 // how many of them, the last ones, are in this file and not in those before

	last uint64 // fingerprint of the last commit's head
}

// storedGraph is a Graph in JSON.
type storedGraph struct {
	Manifest json.RawMessage `json:"manifest"`
	Commits  uint64          `json:"commits"`
	Held     uint64          `json:"held"`
	Last     uint64          `json:"last"`
}

func (g Graph) encode() ([]byte, error) {
	manifest, err := store.EncodeManifest(g.Manifest)
	if err != nil {
		return nil, err
	}
	return json.Marshal(storedGraph{manifest, g.Commits, g.Held, g.last})
}

func decodeGraph(payload []byte) (Graph, error) {
	var s storedGraph
	if err := json.Unmarshal(payload, &s); err != nil {
		return Graph{}, err
	}
	m, err := store.DecodeManifest(s.Manifest)
	if err != nil {
		return Graph{}, err
	}
	if s.Held > s.Commits {
		return Graph{}, fmt.Errorf("it holds %d of %d commits", s.Held, s.Commits)
	}
	return Graph{m, s.Commits, s.Held, s.Last}, nil
}

// End is the last record of a backup.
type End struct {
	Time       time.Time `json:"time"`       // the instant that it shows
	Generation uint64    `json:"generation"` // the last that the database gave out
	Values     uint64    `json:"values"`     // chunks and blocks of columns in this file
	Inherited  uint64    `json:"inherited"`  // those in files before
}

// contents is what a backup says about all that it shows.
type contents struct {
	graphs []Graph
	prints map[string]uint64 // by key: the fingerprint of each value that the graphs name
	end    End
}

func (c *contents) write(w *recordWriter) error {
	for _, g := range c.graphs {
		payload, err := g.encode()
		if err != nil {
			return err
		}
		if err := w.record(graphRecord, payload); err != nil {
			return err
		}
	}
	b := batch{to: w, kind: printRecord}
	for _, g := range c.graphs {
		for v := range g.Manifest.Stored() {
			if err := b.add(v.Key, binary.BigEndian.AppendUint64(nil, c.prints[string(v.Key)])); err != nil {
				return err
			}
		}
	}
	payload, err := json.Marshal(c.end)
	return errors.Join(err, b.flush(), w.record(endRecord, payload))
}

// readContents reads what write has written, and checks that every value is listed that a
// manifest names.
func readContents(r *recordReader) (*contents, record, error) {
	c := &contents{prints: map[string]uint64{}}
	for {
		rec, err := r.next()
		if errors.Is(err, io.EOF) {
			return nil, rec, errors.New("its end is missing")
		}
		if err == nil {
			err = c.read(rec)
		}
		if err != nil {
			return nil, rec, err
		}
		if rec.kind == endRecord {
			return c, rec, c.complete(r)
		}
	}
}

func (c *contents) read(rec record) error {
	switch rec.kind {
	case graphRecord:
		g, err := decodeGraph(rec.payload)
		c.graphs = append(c.graphs, g)
		return err
	case printRecord:
		return eachPair(rec.payload, func(key, value []byte) error {
			if len(value) != 8 {
				return errPairs
			}
			c.prints[string(key)] = binary.BigEndian.Uint64(value)
			return nil
		})
	case endRecord:
		return json.Unmarshal(rec.payload, &c.end)
	}
	return fmt.Errorf("it is of the unknown kind %q", byte(rec.kind))
}

func (c *contents) complete(r *recordReader) error {
	if r.offset != r.end {
		return errors.New("more follows the end")
	}
	seen := map[string]bool{}
	named := 0
	for _, g := range c.graphs {
		if seen[g.Manifest.Graph] {
			return fmt.Errorf("graph %q is there twice", g.Manifest.Graph)
		}
		seen[g.Manifest.Graph] = true
		for v := range g.Manifest.Stored() {
			if _, ok := c.prints[string(v.Key)]; !ok {
				return fmt.Errorf("a value of graph %q is not listed", g.Manifest.Graph)
			}
			named++
		}
	}
	if named != len(c.prints) {
		return fmt.Errorf("%d values are listed, the graphs name %d", len(c.prints), named)
	}
	return nil
}

// graph finds a graph by name.
func (c *contents) graph(name string) (Graph, bool) {
	for _, g := range c.graphs {
		if g.Manifest.Graph == name {
			return g, true
		}
	}
	return Graph{}, false
}

// only is what of the contents is about these graphs.
func (c *contents) only(graphs []string) *contents {
	some := &contents{prints: map[string]uint64{}, end: c.end}
	for _, g := range c.graphs {
		if !slices.Contains(graphs, g.Manifest.Graph) {
			continue
		}
		some.graphs = append(some.graphs, g)
		for v := range g.Manifest.Stored() {
			some.prints[string(v.Key)] = c.prints[string(v.Key)]
		}
	}
	return some
}

// Base is what a backup to be made need not hold, because another does.
type Base struct {
	previous Previous
	contents *contents
}

// ReadBase reads the end of a backup, as File.Tail gives it. file is where that lies, seen
// from the folder of the backup to be made.
func ReadBase(file string, tail []byte) (*Base, error) {
	t, err := readTrailer(bytes.NewReader(tail), int64(len(tail)))
	if err != nil {
		return nil, &DamagedError{Path: file, Offset: -1, What: "trailer", Err: err}
	}
	end := int64(len(tail)) - trailerSize
	c, rec, err := readContents(&recordReader{from: bytes.NewReader(tail), end: end})
	if err != nil {
		return nil, &DamagedError{Path: file, Offset: t.contents + rec.offset, What: "contents", Err: err}
	}
	return &Base{Previous{file, t.sha256}, c}, nil
}
