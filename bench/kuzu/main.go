// Command kuzu loads an edge list into Kuzu and answers kernels' names with their times, for
// penstock bench --kuzu. It is a module of its own: Kuzu's client needs cgo.
//
//	penstock bench --kuzu bench/kuzu
//
//	edges ──COPY──▶ Node, Edge, Back ──project_graph──▶ page_rank, wcc, k_core, scc
//
// Each line of standard input names a kernel; each line of standard output is a JSON object,
// the first of them for COPY: {"query": "wcc", "seconds": 1.34, "figure": 12}. The time is
// that of a query that folds all results into a figure, on a graph that is projected already.
//
// Kuzu's relations have a direction. Back holds the edges the other way, so that page_rank
// sees the undirected graph; wcc and k_core ignore directions and take Edge alone. COPY is
// timed for Edge alone, which is the file as it is.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	kuzu "github.com/kuzudb/go-kuzu"
)

// answer is what is printed for a query.
type answer struct {
	Query   string  `json:"query"`
	Seconds float64 `json:"seconds"`
	Figure  float64 `json:"figure"`
	Error   string  `json:"error,omitempty"`
}

func main() {
	var c config
	flag.StringVar(&c.edges, "edges", "", "text file, two ids a line")
	flag.Uint64Var(&c.vertices, "vertices", 0, "how many there are; ids are 0, 1, …")
	flag.StringVar(&c.database, "db", "", "where Kuzu puts its files")
	flag.Uint64Var(&c.threads, "threads", 0, "of every query; 0: as many as there are cores")
	flag.IntVar(&c.iterations, "iterations", 20, "of page_rank")
	flag.Parse()
	if err := run(c); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

type config struct {
	edges, database   string
	vertices, threads uint64
	iterations        int
}

func run(c config) error {
	system := kuzu.DefaultSystemConfig()
	system.MaxNumThreads = c.threads
	db, err := kuzu.OpenDatabase(c.database, system)
	if err != nil {
		return err
	}
	defer db.Close()
	connection, err := kuzu.OpenConnection(db)
	if err != nil {
		return err
	}
	defer connection.Close()
	g := graph{connection, c}
	copied, err := g.load()
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(copied); err != nil {
		return err
	}
	for names := bufio.NewScanner(os.Stdin); names.Scan(); {
		if err := out.Encode(g.compute(names.Text())); err != nil {
			return err
		}
	}
	return nil
}
