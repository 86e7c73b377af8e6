package main

import (
	"fmt"
	"time"

	kuzu "github.com/kuzudb/go-kuzu"
)

// graph is one graph in Kuzu.
type graph struct {
	connection *kuzu.Connection
	config     config
}

// load makes tables and projections: the time is that of COPY of the edges.
func (g graph) load() (answer, error) {
	before := []string{
		"CREATE NODE TABLE Node(id INT64 PRIMARY KEY)",
		"CREATE REL TABLE Edge(FROM Node TO Node)",
		"CREATE REL TABLE Back(FROM Node TO Node)",
		fmt.Sprintf("COPY Node FROM (UNWIND range(0, %d) AS id RETURN id)", g.config.vertices-1),
	}
	if err := g.all(before); err != nil {
		return answer{}, err
	}
	file := fmt.Sprintf("%q (file_format='csv', delim=' ', header=false)", g.config.edges)
	started := time.Now()
	if err := g.all([]string{"COPY Edge FROM " + file}); err != nil {
		return answer{}, err
	}
	copied := answer{Query: "COPY Edge FROM " + file, Seconds: time.Since(started).Seconds(),
		Figure: float64(g.config.vertices)}
	return copied, g.all([]string{
		"COPY Back FROM (LOAD FROM " + file + " RETURN column1, column0)",
		"CALL project_graph('both', ['Node'], ['Edge', 'Back'])",
		"CALL project_graph('once', ['Node'], ['Edge'])",
	})
}

func (g graph) all(queries []string) error {
	for _, q := range queries {
		result, err := g.connection.Query(q)
		if err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
		result.Close()
	}
	return nil
}

// query of a kernel; each returns one figure.
func (g graph) query(name string) (string, error) {
	switch name {
	case "page_rank":
		return fmt.Sprintf("CALL page_rank('both', maxIterations := %d, tolerance := 0.0) RETURN max(rank)",
			g.config.iterations), nil
	case "wcc":
		return "CALL weakly_connected_components('once') RETURN count(DISTINCT group_id)", nil
	case "scc":
		return "CALL strongly_connected_components('both') RETURN count(DISTINCT group_id)", nil
	case "k_core":
		return "CALL k_core_decomposition('once') RETURN max(k_degree)", nil
	}
	return "", fmt.Errorf("there is no kernel %q; known are page_rank, wcc, scc, k_core", name)
}

// answer times a kernel's query.
func (g graph) answer(name string) answer {
	a := answer{Query: name}
	query, err := g.query(name)
	if err == nil {
		a.Query = query
		started := time.Now()
		a.Figure, err = g.number(query)
		a.Seconds = time.Since(started).Seconds()
	}
	if err != nil {
		a.Error = err.Error()
	}
	return a
}

// number is the only value that query returns.
func (g graph) number(query string) (float64, error) {
	result, err := g.connection.Query(query)
	if err != nil {
		return 0, err
	}
	defer result.Close()
	row, err := result.Next()
	if err != nil {
		return 0, err
	}
	defer row.Close()
	value, err := row.GetValue(0)
	if err != nil {
		return 0, err
	}
	switch x := value.(type) {
	case int64:
		return float64(x), nil
	case uint64:
		return float64(x), nil
	case float64:
		return x, nil
	}
	return 0, fmt.Errorf("%s returned a %T", query, value)
}
