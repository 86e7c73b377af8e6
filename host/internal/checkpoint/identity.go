package checkpoint

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/algorithms/mega/kept"
	"github.com/penstock-db/penstock/host/internal/plan"
)

// Identity is what a state belongs to: the very same computation. Only the kernel that has made a state knows what it
// means.
type Identity struct {
	Graph      string              `json:"graph"`
	Snapshot   uint64              `json:"snapshot"`
	Name       string              `json:"name"`
	Program    string              `json:"program"`
	Parameters map[string]string   `json:"parameters"`
	Device     string              `json:"device"`
	Plugin     string              `json:"plugin"` // SHA-256 of its program
	Kernel     string              `json:"kernel"`
	Settling   bool                `json:"settling"`
	State      []algorithms.Column `json:"state"`
	Vertices   uint64              `json:"vertices"`
	Sums       []string            `json:"sums,omitempty"` // of all vertices, which follow the active set
}

// differs says in what c is another computation than kept, or "".
func (c Identity) differs(kept Identity) string {
	for _, d := range []struct {
		what       string
		ours, kept any
	}{
		{"graph", c.Graph, kept.Graph},
		{"snapshot", c.Snapshot, kept.Snapshot},
		{"computation", c.Name, kept.Name},
		{"program", c.Program, kept.Program},
		{"set of parameters", c.Parameters, kept.Parameters},
		{"device", c.Device, kept.Device},
		{"program of the device", c.Plugin, kept.Plugin},
		{"kernel", c.Kernel, kept.Kernel},
		{"way to settle", c.Settling, kept.Settling},
		{"state", c.State, kept.State},
		{"number of vertices", c.Vertices, kept.Vertices},
		{"set of sums", c.Sums, kept.Sums},
	} {
		if !reflect.DeepEqual(d.ours, d.kept) {
			return fmt.Sprintf("it is of another %s: %v; here %v", d.what, d.kept, d.ours)
		}
	}
	return ""
}

// Identify says what a plan computes, on devices with these digests, and with what.
func Identify(p *plan.Plan, plugin string) Identity {
	m := p.Graph.Manifest()
	c := Identity{Graph: m.Graph, Snapshot: m.ID, Name: p.Request.Title(), Parameters: p.Parameters,
		Device: p.Device.Name, Plugin: plugin, Kernel: p.Kernel.Kernel, Settling: p.Settling, Vertices: m.Vertices}
	if p.Task.Program == nil {
		c.Program = procedureDigest(p)
		return c
	}
	c.Program = ProgramDigest(*p.Task.Program)
	for _, column := range p.StateColumns() {
		c.State = append(c.State, column.Column)
	}
	if p.Intervals != nil {
		c.Sums = p.Intervals.Program.Sums
		c.Device, c.Plugin = distinct(c.Device), distinct(plugin) // which of several like ones makes an interval is all one
	}
	return c
}

// distinct is a list of names, each once.
func distinct(names string) string {
	all := strings.Split(names, ",")
	slices.Sort(all)
	return strings.Join(slices.Compact(all), ",")
}

// procedureDigest is a hash of all that a procedure goes by, beside the graph: what it is given, too.
func procedureDigest(p *plan.Plan) string {
	args := p.Task.Args
	args.Ints = maps.Clone(args.Ints)
	delete(args.Ints, kept.Every) // how often it is kept changes nothing
	given := sha256.New()
	for _, r := range p.Rows {
		fmt.Fprintf(given, "%+v\n", r)
		if r.Given {
			for _, x := range p.Request.Given[r.Name] {
				given.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
			}
		}
	}
	return Hash(fmt.Sprintf("%s %+v %x", p.Task.Procedure, args, given.Sum(nil)))
}

// ProgramDigest is a hash of what the program says.
func ProgramDigest(p algorithms.Program) string {
	p.State, p.Aggregates = slices.Clone(p.State), slices.Clone(p.Aggregates)
	p.Process.Checked = nil
	for i := range p.State {
		p.State[i].Init.Checked, p.State[i].Apply.Checked = nil, nil
	}
	for i := range p.Aggregates {
		p.Aggregates[i].Expr.Checked = nil
	}
	return Hash(fmt.Sprintf("%+v", p))
}

// Hash is a short hash of a text.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:12])
}

// file is the name of a computation's checkpoint: there is one for each graph and thing to
// compute. That the graph has changed since, or the device, the file itself says.
func (c Identity) file() string {
	return FileOf(c.Graph, fmt.Sprint(c.Name, c.Program, c.Parameters))
}

// FileOf is the name of the checkpoint of something that is computed on a graph.
func FileOf(graph, what string) string { return graphPrefix(graph) + Hash(what) + suffix }

func graphPrefix(graph string) string { return Hash(graph) + "-" }

const suffix = ".checkpoint"
