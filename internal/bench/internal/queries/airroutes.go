package queries

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// airRoutes is the graph of Kelvin R. Lawrence's book on Gremlin, in the files that Amazon
// Neptune loads: a folder air-routes of Options.Data. Region is an airport's country, score its
// elevation in feet, weight the distance of a route in miles.
const airRoutes = "air-routes"

const airports, routes = "air-routes-latest-nodes.csv.gz", "air-routes-latest-edges.csv.gz"

func (g *propertyGraph) readAirRoutes(data string) error {
	number := map[string]uint64{}
	var nodes []propertyNode
	err := eachRecord(filepath.Join(data, airRoutes, airports), func(field func(string) string) error {
		if field("~label") != "airport" {
			return nil
		}
		elevation, err := strconv.ParseInt(field("elev:int"), 10, 64)
		number[field("~id")] = uint64(len(nodes))
		nodes = append(nodes, propertyNode{field("country:string"), elevation})
		return err
	})
	if err != nil {
		return err
	}
	miles := map[uint64]uint64{}
	err = eachRecord(filepath.Join(data, airRoutes, routes), func(field func(string) string) error {
		if field("~label") != "route" {
			return nil
		}
		u, v := number[field("~from")], number[field("~to")]
		distance, err := strconv.ParseUint(field("dist:int"), 10, 64)
		miles[min(u, v)<<32|max(u, v)] = distance
		return err
	})
	if err != nil {
		return err
	}
	return g.write(nodes, slices.Sorted(maps.Keys(miles)), func(edge uint64) uint64 { return miles[edge] })
}

// eachRecord reads a compressed table; field gives what a record has in a column of the heading.
func eachRecord(name string, yield func(field func(column string) string) error) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	records := csv.NewReader(text)
	heading, err := records.Read()
	for err == nil {
		var record []string
		if record, err = records.Read(); err == nil {
			err = yield(func(column string) string { return record[slices.Index(heading, column)] })
		}
	}
	if !errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
