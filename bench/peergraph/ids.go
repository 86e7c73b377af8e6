package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
)

// ids are what the graph calls its vertices, by the number that they have in the exported matrix.
type ids struct{ numbers map[string]uint32 }

// readIDs reads graph.ids.csv of an exported graph; there is none if vertex v is called v+1.
func readIDs(directory string) (*ids, error) {
	all := &ids{map[string]uint32{}}
	err := table(filepath.Join(directory, "graph.ids.csv"), func(row []string) error {
		number, err := strconv.ParseUint(row[0], 10, 32)
		all.numbers[row[1]] = uint32(number - 1)
		return err
	})
	if errors.Is(err, os.ErrNotExist) {
		return &ids{}, nil
	}
	return all, err
}

func (i *ids) number(id string) (uint32, error) {
	if i.numbers == nil {
		number, err := strconv.ParseUint(id, 10, 32)
		return uint32(number - 1), err
	}
	number, ok := i.numbers[id]
	if !ok {
		return 0, fmt.Errorf("the graph has no vertex %q", id)
	}
	return number, nil
}

// vertex is the number of the vertex that the graph calls id.
func vertex(directory, id string) (string, error) {
	all, err := readIDs(directory)
	if err != nil {
		return "", err
	}
	number, err := all.number(id)
	return fmt.Sprint(number), err
}

// table calls row with the rows of two columns of a file, but the first, of their names.
func table(path string, row func([]string) error) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	rows := csv.NewReader(file)
	rows.FieldsPerRecord, rows.ReuseRecord = 2, true
	if _, err := rows.Read(); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for {
		switch columns, err := rows.Read(); {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", path, err)
		default:
			if err := row(columns); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
	}
}
