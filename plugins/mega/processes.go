package mega

import (
	"fmt"
	"reflect"
)

// Processes says which of several processes this is, each of which has as many of the workers: the first ones the
// first. All run the same program on the same graph with the same options, and meet in memory that they share. What
// comes of it is what one process with so many workers comes to. The zero value: there is one.
//
// What a process tells of epochs and keeps by Done is the same in all. Report is of its own workers; State is that of
// all. One that ends, by an error or because it is killed, leaves the others waiting: who has started them ends these.
type Processes struct {
	Number, Of int
	// Room is memory that all of them map: zeros before the first starts. Start says how much is missing, if it is small.
	Room []byte
}

// several says whether there is more than one.
func (p Processes) several() bool { return p.Of > 1 }

// has says whether a worker of so many is this process's.
func (p Processes) has(worker, workers int) bool {
	return !p.several() || worker/(workers/p.Of) == p.Number
}

// check says what is wrong with it for so many workers.
func (p Processes) check(o Options) (what, do string) {
	switch {
	case !p.several():
		return "", ""
	case p.Number < 0 || p.Number >= p.Of:
		return fmt.Sprintf("process %d of %d", p.Number, p.Of), "number them from 0"
	case o.Workers%p.Of != 0:
		return fmt.Sprintf("%d workers in %d processes", o.Workers, p.Of), "give each process as many"
	case o.Cluster.linked():
		return fmt.Sprintf("a simulated network between %d processes", p.Of), "simulate it between workers of one process"
	}
	return "", ""
}

// checkProcesses refuses what processes cannot share.
func (p *Program[U, V, E]) checkProcesses(o Options, lefts int) error {
	switch of := o.Processes.Of; {
	case !o.Processes.several():
		return nil
	case o.Workers > lefts:
		return &Error{p.Name, fmt.Sprintf("%d workers in %d processes for %d left vertices", o.Workers, of, lefts),
			"give at most one for each vertex"}
	case !isPlain(reflect.TypeFor[U]()):
		return &Error{p.Name, fmt.Sprintf("rows of %T cannot be shared by processes", *new(U)),
			"have them be numbers, or structs of numbers"}
	}
	return nil
}
