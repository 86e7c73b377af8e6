// Plugin is a device plugin of a third party, as small as one can be: a device that runs
// everything with the definitions in package algorithms, one edge at a time. Copy it,
// keep the tests passing, and replace what computes. docs/plugins.md tells the rest.
//
//	go build -o reference ./examples/plugin
//	penstock plugin install ./reference
//	penstock run --db DIR --graph GRAPH --device reference pagerank
package main

import (
	"github.com/penstock-db/penstock/examples/plugin/reference"
	"github.com/penstock-db/penstock/plugins"
)

func main() { plugins.Serve(reference.New()) }
