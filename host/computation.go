package host

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/internal/launch"
)

// computation is what a state belongs to. What a state means only the kernel knows that has
// made it.
type computation struct {
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
}

// differs says in what c is another computation than kept, or "".
func (c computation) differs(kept computation) string {
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
	} {
		if !reflect.DeepEqual(d.ours, d.kept) {
			return fmt.Sprintf("it is of another %s: %v; here %v", d.what, d.kept, d.ours)
		}
	}
	return ""
}

// computation is what the run computes, and with what.
func (r *run) computation() (computation, error) {
	digest, err := r.digest()
	m := r.snap.Manifest()
	c := computation{Graph: m.Graph, Snapshot: m.ID, Name: r.req.name(), Program: programDigest(*r.task.Program), Parameters: r.parameters,
		Device: r.device.Name, Plugin: digest, Kernel: r.kernel.Kernel, Settling: r.settling, Vertices: m.Vertices}
	for _, column := range r.stateColumns() {
		c.State = append(c.State, column.Column)
	}
	return c, err
}

// digest is that of the plugin, also when it is named by its path; of several, all of theirs.
func (r *run) digest() (string, error) {
	var all []string
	for _, d := range r.devices {
		digest, err := d.digest()
		if err != nil {
			return "", err
		}
		all = append(all, digest)
	}
	return strings.Join(all, ","), nil
}

func (d *device) digest() (string, error) {
	if !d.spec.Lasting() {
		return launch.Digest(d.spec.Path)
	}
	return d.plugin.Digest()
}

// programDigest is a hash of what the program says.
func programDigest(p algorithms.Program) string {
	p.State, p.Aggregates = slices.Clone(p.State), slices.Clone(p.Aggregates)
	p.Process.Checked = nil
	for i := range p.State {
		p.State[i].Init.Checked, p.State[i].Apply.Checked = nil, nil
	}
	for i := range p.Aggregates {
		p.Aggregates[i].Expr.Checked = nil
	}
	return hash(fmt.Sprintf("%+v", p))
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:12])
}

// file is the name of a computation's checkpoint: there is one for each graph and thing to
// compute. That the graph has changed since, or the device, the file itself says.
func (c computation) file() string {
	return graphPrefix(c.Graph) + hash(fmt.Sprint(c.Name, c.Program, c.Parameters)) + checkpointSuffix
}

func graphPrefix(graph string) string { return hash(graph) + "-" }

const checkpointSuffix = ".checkpoint"
