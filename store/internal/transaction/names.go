package transaction

import (
	"slices"

	"github.com/penstock-db/penstock/store/internal/base"
	"github.com/penstock-db/penstock/store/internal/manifest"
)

// Names are the labels, relationship types and property keys of a graph, and the tokens that stand for them.
type Names struct{ graph *Graph }

// Label is the token of a known label.
func (n *Names) Label(name string) (base.Token, bool) { return n.graph.labels.Find(name) }

// Type is the token of a known relationship type.
func (n *Names) Type(name string) (base.Token, bool) { return n.graph.types.Find(name) }

// Key is the token of a known property key.
func (n *Names) Key(name string) (base.Token, bool) { return n.graph.keys.Find(name) }

// NewLabel is the token of a label, which need not be known.
func (n *Names) NewLabel(name string) base.Token { return n.graph.labels.Token(name) }

// NewType is the token of a relationship type, which need not be known.
func (n *Names) NewType(name string) base.Token { return n.graph.types.Token(name) }

// NewKey is the token of a property key, which need not be known.
func (n *Names) NewKey(name string) base.Token { return n.graph.keys.Token(name) }

// LabelName is the label that a token stands for.
func (n *Names) LabelName(t base.Token) string { return n.graph.labels.Name(t) }

// TypeName is the relationship type that a token stands for; empty for relationships that
// were loaded without one.
func (n *Names) TypeName(t base.Token) string { return n.graph.types.Name(t) }

// KeyName is the property key that a token stands for.
func (n *Names) KeyName(t base.Token) string { return n.graph.keys.Name(t) }

// Labels are all known labels.
func (n *Names) Labels() []string { return named(n.graph.labels.All()) }

// Types are all known relationship types.
func (n *Names) Types() []string { return named(n.graph.types.All()) }

// Keys are all known property keys.
func (n *Names) Keys() []string { return named(n.graph.keys.All()) }

// named are names without those that are none.
func named(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		return name == "" ||
			name == manifest.HiddenIDProperty
	})
}
