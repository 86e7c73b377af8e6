package store

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/formats/chunk"
	"github.com/penstock-db/penstock/store/internal/arrays"
	"github.com/penstock-db/penstock/store/internal/load"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// A test binary started with these in its environment does as told and exits.
const (
	childEnv    = "PENSTOCK_STORE_CHILD" // open, load, replace, property, edges, project, reclaim or commit
	childDirEnv = "PENSTOCK_STORE_DIR"
	childSeed   = "PENSTOCK_STORE_SEED"
)

// child is the main function of such a process.
func child(what string) int {
	if err := childWork(what); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// children are those that open the database themselves.
var children = map[string]func(dir string, seed uint64) error{}

func childWork(what string) error {
	seed, _ := strconv.ParseUint(os.Getenv(childSeed), 10, 64)
	if work, ok := children[what]; ok {
		return work(os.Getenv(childDirEnv), seed)
	}
	db, err := Open(os.Getenv(childDirEnv), Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	fmt.Println("working")
	switch what {
	case "load":
		return crashLoad(db, "new", seed)
	case "replace":
		return crashLoad(db, "old", seed)
	case "commit":
		return crashCommits(db, seed)
	case "reclaim":
		return crashReclaim(db)
	case "property":
		return crashProperty(db, int64(seed))
	case "edges":
		return crashEdges(db, float64(seed))
	case "project":
		return crashProject(db)
	}
	return nil
}

// crashLoad loads the graph that seed draws, by way of files and many chunks.
func crashLoad(db *DB, graph string, seed uint64) error {
	m := randomModel(rand.New(rand.NewPCG(seed, 2)), memory.DefaultAllocator, 1500, 8000)
	m.batch = 997
	options := load.Options{Replace: true, Memory: tiny, ChunkBytes: 1 << 13, Order: manifest.OrderDegree}
	_, err := db.Load(context.Background(), graph, m, options)
	for short := new(load.MemoryError); errors.As(err, &short); {
		options.Memory = short.Least
		_, err = db.Load(context.Background(), graph, m, options)
	}
	return err
}

// crashProperty writes the property "mark", whose every value is mark.
func crashProperty(db *DB, mark int64) error {
	s, err := db.Snapshot("old")
	if err != nil {
		return err
	}
	defer s.Close()
	return writeMark(db, s, mark)
}

// writeMark writes the property "mark" of a snapshot.
func writeMark(db *DB, s *snapshot.Snapshot, mark int64) error {
	values := make([]int64, s.Manifest().Vertices)
	for i := range values {
		values[i] = mark
	}
	column := arrays.Wrap(arrow.PrimitiveTypes.Int64, values)
	defer column.Release()
	_, err := db.WriteProperties(context.Background(), s, []PropertyColumn{{"mark", column}},
		manifest.Provenance{Seed: uint64(mark)})
	return err
}

// crashProject makes parts until the process is killed.
func crashProject(db *DB) error {
	for {
		whole, err := db.Snapshot("old")
		if err != nil {
			return err
		}
		part, err := db.Project(context.Background(), whole, Projection{Orientation: "reverse"})
		if err != nil {
			return err
		}
		part.Close()
	}
}

// crashEdges writes the edge property "mark", whose every value is mark.
func crashEdges(db *DB, mark float64) error {
	s, err := db.Snapshot("old")
	if err != nil {
		return err
	}
	defer s.Close()
	_, err = db.WriteEdgeProperties(context.Background(), s, []EdgePropertyColumn{{Name: "mark",
		Type: arrow.PrimitiveTypes.Float64, Of: func(c *chunk.Chunk) (arrow.Array, error) {
			values := make([]float64, c.Edges())
			for i := range values {
				values[i] = mark
			}
			b := array.NewFloat64Builder(memory.DefaultAllocator)
			defer b.Release()
			b.AppendValues(values, nil)
			return b.NewArray(), nil
		}}}, manifest.Provenance{})
	return err
}
