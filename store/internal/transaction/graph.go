package transaction

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/apache/arrow/go/v15/arrow/memory"
	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/delta"
	"github.com/penstock-db/penstock/store/internal/failure"
	"github.com/penstock-db/penstock/store/internal/manifest"
	"github.com/penstock-db/penstock/store/internal/snapshot"
)

// Graph is a graph that transactions work on: its base and the changes that were committed
// since, rebuilt from the log by the first transaction.
type Graph struct {
	all                 *Graphs
	Name                string
	Log                 uint64
	labels, types, keys *base.Vocabulary

	nextNode, nextRelationship atomic.Uint64 // ids that were never given out
	nextID                     atomic.Int64  // the same of user ids

	writing chan struct{} // holds one token: who took it may commit
	commit  uint64        // the last in the log; needs the token

	mu      sync.Mutex
	version *version // nil: the graph was replaced or dropped

	writers    int           // transactions that write and have not ended
	CompactAt  int64         // how many bytes of changes are due for the compactor
	compacting chan struct{} // closed when the compactor is done; nil: it is not at work
}

// version is what a transaction sees when it begins.
type version struct {
	Base  *base.Base
	state *delta.State
}

// Graphs are the graphs that transactions work on.
type Graphs struct {
	Shared
	mu     sync.Mutex
	byName map[string]*Graph
}

// Shared is what the graphs of a database share.
type Shared struct {
	Log      *Log
	Snapshot func(graph string) (*snapshot.Snapshot, error)
	// Compact makes one snapshot of a graph and its changes.
	Compact func(ctx context.Context, graph string) (*manifest.Manifest, error)
	// Due has a graph compacted soon; false: the compactor is at work.
	Due        func(g *Graph) bool
	Cache      base.Cache
	IndexBytes int64 // that an index may take
	Limit      int64 // of the bytes of changes of each graph
	Mem        memory.Allocator
}

// New are no graphs yet, of which cacheBytes of decoded chunks and columns are kept.
func New(cacheBytes int64) *Graphs {
	o := &Graphs{byName: map[string]*Graph{}}
	o.Cache.Limit = cacheBytes
	return o
}

// Open finds a graph or rebuilds it from its log.
func (o *Graphs) Open(ctx context.Context, name string) (*Graph, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if g := o.byName[name]; g != nil {
		return g, nil
	}
	s, err := o.Snapshot(name)
	if err != nil {
		return nil, err
	}
	g, err := o.openGraph(ctx, s)
	if err != nil {
		s.Close()
		return nil, err
	}
	o.byName[name] = g
	return g, nil
}

// openGraph makes the graph of a snapshot and its log.
func (o *Graphs) openGraph(ctx context.Context, s *snapshot.Snapshot) (*Graph, error) {
	m := s.Manifest()
	g := &Graph{
		all: o, Name: m.Graph, Log: m.LogID(), writing: make(chan struct{}, 1),
		labels: base.NewVocabulary(), types: base.NewVocabulary(), keys: base.NewVocabulary(),
	}
	b, err := base.Open(s, &o.Cache, o.IndexBytes, g.labels, g.types, g.keys)
	if err != nil {
		return nil, err
	}
	if b.IDs != nil {
		next, err := s.NextID(ctx)
		if err != nil {
			return nil, err
		}
		g.nextID.Store(next)
	}
	g.nextNode.Store(b.Vertices)
	g.nextRelationship.Store(b.Out.Entries())
	g.CompactAt = o.Limit / 4
	g.version = &version{b, &delta.State{NodeBase: b.Vertices, RelationshipBase: b.Out.Entries()}}
	if err := g.replay(ctx); err != nil {
		return nil, err
	}
	if g.version, err = g.version.reindexed(); err != nil {
		return nil, err
	}
	g.writing <- struct{}{}
	return g, nil
}

// replay applies all commits of the log.
func (g *Graph) replay(ctx context.Context) error {
	return g.all.Log.Each(ctx, g.Name, g.Log, func(number uint64, payload []byte) error {
		changes, err := delta.Decode(payload, g.Vocabulary())
		if err != nil {
			return &failure.DamagedError{Graph: g.Name, Kind: "log, commit", Number: int64(number), Err: err}
		}
		g.commit = number
		g.mendIDs(changes)
		g.version.state = g.version.state.Apply(changes)
		g.skipIDs(changes)
		return nil
	})
}

// skipIDs sees to it that no id of the changes is given out again.
func (g *Graph) skipIDs(c *delta.Changes) {
	for _, n := range c.Nodes {
		g.nextNode.Store(max(g.nextNode.Load(), n.ID+1))
		g.skipUserID(n.Node)
	}
	for _, r := range c.Relationships {
		g.nextRelationship.Store(max(g.nextRelationship.Load(), r.ID+1))
	}
}

func (g *Graph) skipUserID(n *delta.Node) {
	if g.version.Base.IDs == nil {
		return
	}
	if id, ok := delta.Lookup(n.Properties, g.version.Base.IDs.Key); ok {
		g.raiseNextID(id)
	}
}

func (g *Graph) Vocabulary() delta.Vocabulary {
	return delta.Vocabulary{Labels: g.labels, Types: g.types, Keys: g.keys}
}

// Current is the newest version, held; nil: the graph was replaced or dropped.
func (g *Graph) Current() *version {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.version != nil {
		g.version.Base.Hold()
	}
	return g.version
}

// Acquire waits for the token of who commits.
func (g *Graph) Acquire(ctx context.Context) error {
	select {
	case <-g.writing:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (g *Graph) Release() { g.writing <- struct{}{} }

// become makes v, whose base it takes over, the newest version; nil: there is none any more.
func (g *Graph) become(v *version) {
	g.mu.Lock()
	old := g.version
	g.version = v
	g.mu.Unlock()
	if v == nil || v.Base != old.Base {
		old.Base.Release()
	}
}

// Publish runs write, which makes m the manifest of its graph, while nobody commits to that
// or opens it, and has later transactions begin with m. holds is the graph if the caller has its token.
func (o *Graphs) Publish(ctx context.Context, m *manifest.Manifest, holds *Graph, write func() error) error {
	return o.exchange(ctx, m.Graph, holds, func(g *Graph) error {
		if err := write(); err != nil || g == nil {
			return err
		}
		if m.LogID() != g.Log {
			g.become(nil)
			delete(o.byName, m.Graph)
			return nil
		}
		return o.rebase(g)
	})
}

// rebase puts a new snapshot, in which all ids are as before, under the changes of g.
func (o *Graphs) rebase(g *Graph) error {
	s, err := o.Snapshot(g.Name)
	if err != nil {
		return err
	}
	b, err := base.Open(s, &o.Cache, o.IndexBytes, g.labels, g.types, g.keys)
	if err != nil {
		s.Close()
		return err
	}
	next, err := (&version{b, g.version.state}).reindexed()
	if err != nil {
		b.Release()
		return err
	}
	g.become(next)
	return nil
}

// exchange runs change with the graph of that name, if it is open, while nobody commits to it or opens it.
func (o *Graphs) exchange(ctx context.Context, name string, holds *Graph, change func(*Graph) error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	g := o.byName[name]
	if g != nil && g != holds {
		if err := g.Acquire(ctx); err != nil {
			return err
		}
		defer g.Release()
	}
	return change(g)
}

// Drop runs write, which removes a graph.
func (o *Graphs) Drop(ctx context.Context, name string, write func() error) error {
	return o.exchange(ctx, name, nil, func(g *Graph) error {
		if err := write(); err != nil || g == nil {
			return err
		}
		g.become(nil)
		delete(o.byName, name)
		return nil
	})
}
