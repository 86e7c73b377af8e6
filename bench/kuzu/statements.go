package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	kuzu "github.com/kuzudb/go-kuzu"
)

// statements answers statements on a graph with properties. Each is prepared once.
type statements struct {
	connection *kuzu.Connection
	config     config
	fresh      bool // nothing is loaded yet
	prepared   map[string]*kuzu.PreparedStatement
}

// statement is a line of input: it is run for each id, or once if there is none.
type statement struct {
	Text string  `json:"text"`
	IDs  []int64 `json:"ids"`
}

// load copies both files; its time is that of both. What is there already stays.
func (s statements) load() (answer, error) {
	if !s.fresh {
		return answer{}, nil
	}
	copies := []string{
		fmt.Sprintf("COPY Node FROM %q (header=true)", s.config.nodes),
		fmt.Sprintf("COPY Edge FROM %q (header=true)", s.config.edges),
	}
	g := graph{s.connection, s.config}
	err := g.all([]string{
		"CREATE NODE TABLE Node(id INT64 PRIMARY KEY, region STRING, score INT64)",
		"CREATE REL TABLE Edge(FROM Node TO Node, weight INT64)",
	})
	started := time.Now()
	if err == nil {
		err = g.all(copies)
	}
	return answer{Query: "COPY Node, COPY Edge", Seconds: time.Since(started).Seconds()}, err
}

// fresh tells whether there is no database yet.
func fresh(database string) bool {
	_, err := os.Stat(database)
	return errors.Is(err, fs.ErrNotExist)
}

// answer runs the statement of a line.
func (s statements) answer(line string) answer {
	var asked statement
	err := json.Unmarshal([]byte(line), &asked)
	if err != nil {
		return answer{Query: line, Error: err.Error()}
	}
	a := answer{Query: asked.Text}
	if err := s.run(asked, &a); err != nil {
		a.Error = err.Error()
	}
	return a
}

func (s statements) run(asked statement, a *answer) error {
	prepared, err := s.prepare(asked.Text)
	if err != nil {
		return err
	}
	started := time.Now()
	for _, arguments := range asked.arguments() {
		result, err := s.connection.Execute(prepared, arguments)
		if err != nil {
			return err
		}
		if a.Rows, err = rows(result, a.Rows); err != nil {
			return err
		}
	}
	a.Seconds = time.Since(started).Seconds()
	return nil
}

func (s statements) prepare(text string) (*kuzu.PreparedStatement, error) {
	if prepared, ok := s.prepared[text]; ok {
		return prepared, nil
	}
	prepared, err := s.connection.Prepare(text)
	if err == nil {
		s.prepared[text] = prepared
	}
	return prepared, err
}

// arguments of each run.
func (s statement) arguments() []map[string]any {
	if len(s.IDs) == 0 {
		return []map[string]any{nil}
	}
	all := make([]map[string]any, len(s.IDs))
	for i, id := range s.IDs {
		all[i] = map[string]any{"id": id}
	}
	return all
}

// rows appends each row as text.
func rows(result *kuzu.QueryResult, all []string) ([]string, error) {
	defer result.Close()
	for result.HasNext() {
		row, err := result.Next()
		if err != nil {
			return all, err
		}
		values, err := row.GetAsSlice()
		if err != nil {
			return all, err
		}
		fields := make([]string, len(values))
		for i, v := range values {
			fields[i] = fmt.Sprint(v)
		}
		all = append(all, strings.Join(fields, " "))
		row.Close()
	}
	return all, nil
}
