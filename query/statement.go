package query

import (
	"sync"

	"github.com/penstock-db/penstock/query/ast"
	"github.com/penstock-db/penstock/query/check"
	"github.com/penstock-db/penstock/query/parse"
	"github.com/penstock-db/penstock/store"
)

// statement is one that has been parsed and makes sense.
type statement struct {
	tree       *ast.Statement
	access     store.Access
	merges     bool
	folds      bool // it calls what works on the snapshot
	parameters map[string]struct{}
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
	longest = 16 << 10
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

// prepare parses and checks a statement, unless that was done before.
func (e *Engine) prepare(text string) (*statement, error) {
	if s, ok := e.statements.get(text); ok {
		return s, nil
	}
	tree, err := parse.Statement(text)
	if err != nil {
		return nil, withText(err, text)
	}
	if err := check.Statement(tree, check.Registry(e.procedures)); err != nil {
		return nil, err
	}
	s := &statement{tree: tree, access: accessOf(tree, e.procedures), merges: mergesOf(tree), folds: foldsOf(tree, e.procedures), parameters: parametersOf(tree)}
	e.statements.put(text, s)
	return s, nil
}
