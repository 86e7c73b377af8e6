// Command kuzu loads an edge list into Kuzu and answers kernels' names with their times, for
// penstock-bench --kuzu. It is a module of its own: Kuzu's client needs cgo.
//
//	penstock-bench --kuzu bench/kuzu
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
//
// With -nodes, nodes and edges are tables with properties and a line is a statement, for
// penstock-bench query: {"text": "MATCH (n {id: $id}) RETURN n.score", "ids": [3, 7]} is
// answered by all rows, and the seconds of both runs: {"seconds": 0.001, "rows": ["12", "5"]}.
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
	Query   string   `json:"query"`
	Seconds float64  `json:"seconds"`
	Figure  float64  `json:"figure"`
	Rows    []string `json:"rows,omitempty"`
	Error   string   `json:"error,omitempty"`
}

func main() {
	var c config
	flag.StringVar(&c.nodes, "nodes", "", "CSV file with a heading: id, region, score; without, -edges are all")
	flag.StringVar(
		&c.edges, "edges", "", "text file, two ids a line; with -nodes a CSV file with a heading: start, end, weight")
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
	nodes             string
	edges, database   string
	vertices, threads uint64
	iterations        int
}

// source answers lines, once it has loaded.
type source interface {
	load() (answer, error)
	answer(line string) answer
}

func run(c config) error {
	fresh := fresh(c.database)
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
	if c.nodes != "" {
		return serve(statements{connection, c, fresh, map[string]*kuzu.PreparedStatement{}})
	}
	return serve(graph{connection, c})
}

// serve answers lines of standard input.
func serve(s source) error {
	copied, err := s.load()
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	if err := out.Encode(copied); err != nil {
		return err
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		if err := out.Encode(s.answer(lines.Text())); err != nil {
			return err
		}
	}
	return lines.Err()
}

// longestLine bounds a line of input: a statement with its ids.
const longestLine = 1 << 20
