package execute

import "github.com/penstock-db/penstock/store"

// name is a label, type or key as a plan has it. Its token is looked up until it is known: the
// statement itself may make it.
type name struct {
	text  string
	token store.Token
	known bool
}

func (n *name) find(lookup func(string) (store.Token, bool)) (store.Token, bool) {
	if !n.known {
		n.token, n.known = lookup(n.text)
	}
	return n.token, n.known
}

// make gives the token, which is made where it is not known.
func (n *name) make(create func(string) store.Token) store.Token {
	if !n.known {
		n.token, n.known = create(n.text), true
	}
	return n.token
}

// types are the relationship types of a pattern.
type types struct {
	names  []name
	tokens []store.Token
}

func newTypes(texts []string) *types {
	t := &types{}
	for _, text := range texts {
		t.names = append(t.names, name{text: text})
	}
	return t
}

// in are the tokens of the types that the graph knows; none: any type. It tells false when no
// relationship can be of any of them.
func (t *types) in(g Graph) ([]store.Token, bool) {
	if len(t.tokens) == len(t.names) {
		return t.tokens, true
	}
	t.tokens = t.tokens[:0]
	for i := range t.names {
		if token, ok := t.names[i].find(g.Type); ok {
			t.tokens = append(t.tokens, token)
		}
	}
	return t.tokens, len(t.tokens) > 0
}
