package instance

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/penstock-db/penstock/store"
)

// parts keeps parts of graphs for a while after the last run on each, as devices are kept: several algorithms on a
// part, one after the other, wait for it once. A part is used by one run at a time.
//
//	take ──▶ kept part, or a new one ──run──▶ keep ──idle, outdated, too many──▶ closed
type parts struct {
	idle   time.Duration      // after which a part is closed; 0: at once
	forget func(graph string) // ends devices that hold chunks of a part

	mu     sync.Mutex // protects what is below
	kept   []*keptPart
	closed bool
}

// keptPart is a part that no run uses.
type keptPart struct {
	*store.Part
	of     store.Projection
	expiry *time.Timer
}

// mostParts are kept.
const mostParts = 4

// take is a part of a snapshot, which is the part's from then on, and tells whether it was kept. Parts of older
// snapshots of the graph are closed.
func (p *parts) take(ctx context.Context, db *store.DB, whole *store.Snapshot, of store.Projection) (_ *store.Part,
	kept bool, err error) {
	graph, id := whole.Manifest().Graph, whole.Manifest().ID
	p.close(func(k *keptPart) bool { m := k.Whole().Manifest(); return m.Graph == graph && m.ID != id })
	p.mu.Lock()
	i := slices.IndexFunc(p.kept, func(k *keptPart) bool {
		return k.Whole().Manifest().ID == id && reflect.DeepEqual(k.of, of)
	})
	if i < 0 {
		p.mu.Unlock()
		part, err := db.Project(ctx, whole, of)
		return part, false, err
	}
	k := p.kept[i]
	k.expiry.Stop()
	p.kept = slices.Delete(p.kept, i, i+1)
	p.mu.Unlock()
	whole.Close()
	return k.Part, true, nil
}

// keep takes a part over from a run that has ended.
func (p *parts) keep(part *store.Part, of store.Projection) {
	k := &keptPart{Part: part, of: of}
	p.mu.Lock()
	p.kept = append(p.kept, k)
	k.expiry = time.AfterFunc(max(p.idle, time.Millisecond), func() {
		p.close(func(other *keptPart) bool { return other == k })
	})
	unwanted, over := p.closed || p.idle == 0, len(p.kept)-mostParts
	p.mu.Unlock()
	p.close(func(other *keptPart) bool { over--; return over >= 0 || unwanted && other == k })
}

// closeOf closes the parts of a graph.
func (p *parts) closeOf(graph string) {
	p.close(func(k *keptPart) bool { return k.Whole().Manifest().Graph == graph })
}

// closeAll closes all parts; those that are kept later are closed at once.
func (p *parts) closeAll() {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.close(func(*keptPart) bool { return true })
}

// close closes the parts that are chosen; it is asked about each once, oldest first.
func (p *parts) close(chosen func(*keptPart) bool) {
	p.mu.Lock()
	var closed []*keptPart
	p.kept = slices.DeleteFunc(p.kept, func(k *keptPart) bool {
		if chosen(k) {
			k.expiry.Stop()
			closed = append(closed, k)
			return true
		}
		return false
	})
	p.mu.Unlock()
	for _, k := range closed {
		p.forget(k.Manifest().Graph)
		k.Close()
	}
}
