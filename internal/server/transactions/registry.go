package transactions

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Registry is the transactions that are open.
type Registry struct {
	mu      sync.Mutex // protects all below, and what changes in a transaction
	open    map[string]*Transaction
	began   uint64 // transactions, ever
	queries uint64 // ever
}

// NewRegistry is an empty one.
func NewRegistry() *Registry { return &Registry{open: make(map[string]*Transaction)} }

// Origin is where a transaction comes from.
type Origin struct {
	Graph      string // empty: none
	Connection string // its id
	Client     string // its address
	User       string // empty: the client has not logged in
}

// Transaction is one that is open.
type Transaction struct {
	Origin
	ID      string
	Started time.Time

	registry   *Registry
	held       func() int64
	end        context.CancelCauseFunc
	query      string // that runs; empty: none
	queryID    string
	terminated bool
}

// Begin lists a transaction until its End. Held tells what memory it takes; end ends it.
func (r *Registry) Begin(from Origin, held func() int64, end context.CancelCauseFunc) *Transaction {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.began++
	t := &Transaction{Origin: from, ID: fmt.Sprintf("%s-transaction-%d", cmp.Or(from.Graph, "system"), r.began),
		Started: time.Now(), registry: r, held: held, end: end}
	r.open[t.ID] = t
	return t
}

// Run tells what runs now; empty: nothing.
func (t *Transaction) Run(query string) {
	r := t.registry
	r.mu.Lock()
	defer r.mu.Unlock()
	if t.query, t.queryID = query, ""; query != "" {
		r.queries++
		t.queryID = fmt.Sprintf("query-%d", r.queries)
	}
}

// End takes the transaction off the list.
func (t *Transaction) End() {
	t.registry.mu.Lock()
	defer t.registry.mu.Unlock()
	delete(t.registry.open, t.ID)
}

// Viewer is the user that asks for transactions.
type Viewer struct {
	User string
	All  bool // those of others are shown, too
}

func (v Viewer) sees(t *Transaction) bool { return v.All || t.User == v.User }

// visible are the transactions of these ids that a viewer sees; without ids all, by age.
func (r *Registry) visible(v Viewer, ids []string) []Transaction {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []Transaction
	for _, t := range r.open {
		if v.sees(t) && (len(ids) == 0 || slices.Contains(ids, t.ID)) {
			all = append(all, *t)
		}
	}
	slices.SortFunc(all, func(a, b Transaction) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.ID, b.ID))
	})
	return all
}

// terminate ends the transaction with that id, for a reason that its client is told. False: there
// is none that the viewer sees.
func (r *Registry) terminate(v Viewer, id string, reason error) (user string, found bool) {
	r.mu.Lock()
	t := r.open[id]
	found = t != nil && v.sees(t)
	if found {
		t.terminated, user = true, t.User
	}
	r.mu.Unlock()
	if found {
		t.end(reason)
	}
	return user, found
}
