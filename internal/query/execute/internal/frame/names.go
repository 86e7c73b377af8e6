package frame

import "github.com/penstock-db/penstock/store"

// Name is a label, type or key as a plan has it. Its token is looked up until it is known: the
// statement itself may make it.
type Name struct {
	text  string
	token store.Token
	known bool
}

// NewName is a name that is not looked up yet.
func NewName(text string) Name { return Name{text: text} }

// Names are several of them.
func Names(texts []string) []Name {
	all := make([]Name, len(texts))
	for i, text := range texts {
		all[i].text = text
	}
	return all
}

// Token gives the token, if it is known already.
func (n *Name) Token() (store.Token, bool) { return n.token, n.known }

// Find gives the token, if lookup knows it.
func (n *Name) Find(lookup func(string) (store.Token, bool)) (store.Token, bool) {
	if !n.known {
		n.token, n.known = lookup(n.text)
	}
	return n.token, n.known
}

// Make gives the token, which is made where it is not known.
func (n *Name) Make(create func(string) store.Token) store.Token {
	if !n.known {
		n.token, n.known = create(n.text), true
	}
	return n.token
}

// Types are the relationship types of a pattern.
type Types struct {
	names  []Name
	tokens []store.Token
}

// NewTypes are types of these names; none: any type.
func NewTypes(texts []string) *Types { return &Types{names: Names(texts)} }

// In are the tokens of the types that the graph knows; none: any type. It tells false when no
// relationship can be of any of them.
func (t *Types) In(g Graph) ([]store.Token, bool) {
	if len(t.tokens) == len(t.names) {
		return t.tokens, true
	}
	t.tokens = t.tokens[:0]
	for i := range t.names {
		if token, ok := t.names[i].Find(g.Type); ok {
			t.tokens = append(t.tokens, token)
		}
	}
	return t.tokens, len(t.tokens) > 0
}

// Known are the tokens that In has found last.
func (t *Types) Known() []store.Token { return t.tokens }
