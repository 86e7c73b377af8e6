package store

import (
	"strings"
	"sync"

	"github.com/penstock-db/penstock/store/internal/delta"
)

// Token stands for the name of a label, a relationship type or a property key in one graph,
// as long as it is open.
type Token = delta.Token

// vocabulary gives names tokens. Nothing is ever forgotten, whether or not the transaction
// that made it commits.
type vocabulary struct {
	mu     sync.RWMutex
	names  []string
	tokens map[string]Token
}

func newVocabulary(names ...string) *vocabulary {
	v := &vocabulary{tokens: map[string]Token{}}
	for _, name := range names {
		v.Token(name)
	}
	return v
}

// Token of a name, made when it is new.
func (v *vocabulary) Token(name string) Token {
	if t, ok := v.find(name); ok {
		return t
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if t, ok := v.tokens[name]; ok {
		return t
	}
	name = strings.Clone(name)
	t := Token(len(v.names))
	v.names, v.tokens[name] = append(v.names, name), t
	return t
}

func (v *vocabulary) find(name string) (Token, bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	t, ok := v.tokens[name]
	return t, ok
}

// Name of a token.
func (v *vocabulary) Name(t Token) string {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.names[t]
}

// all names, by token.
func (v *vocabulary) all() []string {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.names[:len(v.names):len(v.names)]
}
