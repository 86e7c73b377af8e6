package query

import (
	"context"
	"sync"

	"github.com/penstock-db/penstock/internal/memory"
	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/check"
	"github.com/penstock-db/penstock/internal/query/parse"
	"github.com/penstock-db/penstock/store"
)

// statement is one that has been parsed and makes sense.
type statement struct {
	tree       *ast.Statement
	access     store.Access
	merges     bool
	folds      bool // it calls what works on the snapshot
	parameters map[string]struct{}
	bytes      int64 // that it takes and nothing else counts: it is not remembered
}

// statements remembers those that were prepared last.
type statements struct {
	mu     sync.Mutex
	recent map[string]*statement
	older  map[string]*statement
}

// keep and longest bound what is remembered: two generations of so many statements, none
// longer than this.
const (
	keep    = 256
	longest = 4 << 10
)

func newStatements() *statements { return &statements{recent: map[string]*statement{}} }

func (c *statements) get(text string) (*statement, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.recent[text]
	if !ok {
		if s, ok = c.older[text]; ok {
			c.add(text, s)
		}
	}
	return s, ok
}

func (c *statements) put(text string, s *statement) {
	if len(text) > longest {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.add(text, s)
}

// add needs c.mu.
func (c *statements) add(text string, s *statement) {
	if len(c.recent) >= keep {
		c.recent, c.older = map[string]*statement{}, c.recent
	}
	c.recent[text] = s
}

// What a byte of a statement's text takes at most, about: while it is parsed, and as a tree.
// Texts of up to shortText do not count, so that they need not wait.
const (
	parsedBytes = 768
	treeBytes   = 48
	shortText   = 1 << 10
)

// prepare parses and checks a statement, unless that was done before. What parsing takes is
// charged to the account as long as it lasts.
func (e *Engine) prepare(ctx context.Context, account *memory.Account, text string) (*statement, error) {
	if s, ok := e.statements.get(text); ok {
		return s, nil
	}
	if len(text) > shortText {
		bytes := parsedBytes * int64(len(text))
		if err := account.Take(ctx, bytes); err != nil {
			return nil, asFault(err)
		}
		defer account.Give(bytes)
	}
	tree, err := parse.Statement(text)
	if err != nil {
		return nil, withText(err, text)
	}
	if err := check.Statement(tree, check.Registry(e.procedures)); err != nil {
		return nil, err
	}
	s := &statement{tree: tree, access: accessOf(tree, e.procedures), merges: mergesOf(tree),
		folds: foldsOf(tree, e.procedures), parameters: parametersOf(tree)}
	if len(text) > longest {
		s.bytes = treeBytes * int64(len(text))
	}
	e.statements.put(text, s)
	return s, nil
}
