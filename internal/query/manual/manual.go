// Package manual is what is written of the functions that expressions can call: how to call them, and what they do.
package manual

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/penstock-db/penstock/internal/query/function"
)

// Entry is what SHOW FUNCTIONS tells of a function.
type Entry struct {
	Name, Category, Description string
	Signature                   string // how to call it, as Neo4j writes it: "left(original :: STRING, length :: INTEGER) :: STRING"
	Arguments                   []Argument
	Returns                     string // a type
}

// Argument of a function. What its Default says, if there is one, it is where it is left out.
type Argument struct{ Name, Default, Type string }

//go:embed functions.txt
var functionsText string

// entries is functions.txt: below the heading of each category, "# List", the signatures of its functions, and
// below each of these what it does, indented.
var entries = sync.OnceValue(func() map[string]Entry {
	all, category := map[string]Entry{}, ""
	var last Entry
	for line := range strings.Lines(functionsText) {
		switch text := strings.TrimSpace(line); {
		case text == "":
		case strings.HasPrefix(line, "# "):
			category = text[2:]
		case strings.HasPrefix(line, "  "):
			last.Description = text
			all[last.Name] = last
		default:
			last = Signed(text)
			last.Category = category
		}
	}
	return all
})

// argument of a signature: "step = 1 :: INTEGER".
var argument = regexp.MustCompile(`(\w+)(?: = (\S+))? :: ((?:(?:ZONED|LOCAL) )?[A-Z]+(?:<[^>]*>)?(?: \| [A-Z]+(?:<[^>]*>)?)*)`)

// Signed reads a signature.
func Signed(signature string) Entry {
	name, rest, _ := strings.Cut(signature, "(")
	end := strings.LastIndex(rest, ") :: ")
	d := Entry{Name: name, Signature: signature, Returns: rest[end+len(") :: "):]}
	for _, a := range argument.FindAllStringSubmatch(rest[:end], -1) {
		d.Arguments = append(d.Arguments, Argument{Name: a[1], Default: a[2], Type: a[3]})
	}
	return d
}

// inGrammar are the functions that the grammar has, as they name variables: nobody registers them.
var inGrammar = []string{"all", "any", "none", "reduce", "single"}

// All is all functions, by their names: those that are registered, and those that the grammar has.
func All() []Entry {
	names := append(function.Names(), inGrammar...)
	slices.Sort(names)
	all := make([]Entry, len(names))
	for i, name := range names {
		all[i] = entries()[name]
		all[i].Name = name // also where nothing is written of it
	}
	return all
}
