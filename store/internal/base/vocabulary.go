package base

import (
	"strings"
	"sync"

	"github.com/penstock-db/penstock/store/internal/delta"
)

// Token stands for the name of a label, a relationship type or a property key in one graph,
// as long as it is open.
type Token = delta.Token

// Vocabulary gives names tokens. Nothing is ever forgotten, whether or not the transaction
// that made it commits.
type Vocabulary struct {
	mu     sync.RWMutex
	names  []string
	tokens map[string]Token
}

func NewVocabulary(names ...string) *Vocabulary {
	v := &Vocabulary{tokens: map[string]Token{}}
	for _, name := range names {
		v.Token(name)
	}
	return v
}

// Token of a name, made when it is new.
func (v *Vocabulary) Token(name string) Token {
	if t, ok := v.Find(name); ok {
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

func (v *Vocabulary) Find(name string) (Token, bool) {
	v.mu.RLock()
	defer v.mu.RUnlock()
	t, ok := v.tokens[name]
	return t, ok
}

// Name of a token.
func (v *Vocabulary) Name(t Token) string {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.names[t]
}

// All names, by token.
func (v *Vocabulary) All() []string {
	v.mu.RLock()
	defer v.mu.RUnlock()
	return v.names[:len(v.names):len(v.names)]
}
