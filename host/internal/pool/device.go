// Package pool keeps devices that are running, each with the chunks it has been given, from one run to the next. A
// device serves one run at a time.
//
//	Take ──▶ warm device, or none ──run──▶ Keep ──idle, outdated, no room──▶ end
package pool

import (
	"strings"
	"time"

	"github.com/penstock-db/penstock/host/internal/supply"
	"github.com/penstock-db/penstock/internal/launch"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/store"
)

// Device is a running device and the memory it shares with the host.
type Device struct {
	Key    Key
	Plugin *launch.Plugin
	About  plugins.Description
	Cache  *supply.Cache
	Bytes  uint64 // of memory in use, as of the end of the last run

	expiry *time.Timer // while it is idle
}

// Key says for which runs a device is warm: those with the same program of the
// device, on the same chunks with the same edge columns.
type Key struct {
	graph      string
	generation uint64 // of the chunks: the store never gives a number out again
	edges      string
	program    string
}

// KeyOf is that of a run on a graph, with these edge columns.
func KeyOf(m *store.Manifest, edgeNames []string, spec launch.Spec) Key {
	return Key{graph: m.Graph, generation: m.Topology(), edges: strings.Join(edgeNames, "\x00"), program: spec.Identity()}
}

func (k Key) outdatedBy(newer Key) bool {
	return k.graph == newer.graph && k.generation != newer.generation
}

// dead tells whether the process has ended by itself.
func (d *Device) dead() bool {
	select {
	case <-d.Plugin.Exited():
		return true
	default:
		return false
	}
}

// Close asks the device to end, and gives up the memory that it has shared.
func (d *Device) Close() {
	d.Plugin.Close()
	d.Cache.Close()
}
