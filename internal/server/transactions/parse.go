package transactions

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Parse reads a statement; nil: it is none about transactions.
//
//	command = ( "SHOW" | "TERMINATE" ) ( "TRANSACTION" | "TRANSACTIONS" ) [ id { "," id } ] [ yield ] [ ";" ]
//	id      = string | "$" name
//	yield   = "YIELD" ( "*" | column [ "AS" name ] { "," column [ "AS" name ] } )
//
// Errors: *Error.
func Parse(text string) (*Command, error) {
	p := &parser{rest: text}
	c := &Command{}
	if !p.begin(c) {
		return nil, nil
	}
	if err := p.command(c); err != nil {
		return nil, err
	}
	return c, nil
}

// Is tells whether a statement begins as these do.
func Is(text string) bool {
	p := &parser{rest: text}
	return p.begin(&Command{})
}

// begin reads what to do; false: it is something else.
func (p *parser) begin(c *Command) bool {
	if c.terminates = p.word("TERMINATE"); !c.terminates && !p.word("SHOW") {
		return false
	}
	return p.word("TRANSACTIONS") || p.word("TRANSACTION")
}

// parser reads from left to right.
type parser struct{ rest string }

func (p *parser) command(c *Command) error {
	var err error
	if !p.atEnd() && !p.ahead("YIELD") {
		if c.ids, err = list(p, p.operand); err != nil {
			return err
		}
	}
	if c.terminates && len(c.ids) == 0 {
		return problem(syntaxError, "TERMINATE TRANSACTIONS needs ids: TERMINATE TRANSACTIONS 'graph-transaction-1'")
	}
	if p.word("YIELD") && !p.symbol("*") {
		if c.yield, err = list(p, func() (column, error) { return p.column(c.all()) }); err != nil {
			return err
		}
	}
	if !p.atEnd() {
		return p.unexpected("an id, YIELD, or nothing")
	}
	return nil
}

// list reads one or more, with commas in between.
func list[T any](p *parser, one func() (T, error)) (all []T, err error) {
	for {
		v, err := one()
		if err != nil {
			return nil, err
		}
		if all = append(all, v); !p.symbol(",") {
			return all, nil
		}
	}
}

func (p *parser) operand() (operand, error) {
	switch {
	case p.symbol("$"):
		name, ok := p.name()
		if !ok {
			return operand{}, p.unexpected("the name of a parameter")
		}
		return operand{parameter: name}, nil
	case p.peek() == '\'' || p.peek() == '"':
		id, err := p.text()
		return operand{id: id}, err
	}
	return operand{}, p.unexpected("an id like 'graph-transaction-1'")
}

func (p *parser) column(known []string) (column, error) {
	name, ok := p.name()
	if !ok || !slices.Contains(known, name) {
		return column{}, problem(syntaxError, "YIELD %s: the columns are %s", name, strings.Join(known, ", "))
	}
	c := column{name, name}
	if p.word("AS") {
		if c.as, ok = p.name(); !ok {
			return c, p.unexpected("a name")
		}
	}
	return c, nil
}

// text is a string between quotes.
func (p *parser) text() (string, error) {
	quote := p.rest[:1]
	inside, after, ok := strings.Cut(p.rest[1:], quote)
	if !ok || strings.Contains(inside, `\`) {
		return "", p.unexpected("an id like 'graph-transaction-1'")
	}
	p.rest = after
	return inside, nil
}

// skip passes over white space and comments.
func (p *parser) skip() {
	for {
		p.rest = strings.TrimLeftFunc(p.rest, unicode.IsSpace)
		switch {
		case strings.HasPrefix(p.rest, "//"):
			_, p.rest, _ = strings.Cut(p.rest, "\n")
		case strings.HasPrefix(p.rest, "/*") && strings.Contains(p.rest[2:], "*/"):
			_, p.rest, _ = strings.Cut(p.rest[2:], "*/")
		default:
			return
		}
	}
}

// peek is the next byte; 0: there is none.
func (p *parser) peek() byte {
	if p.skip(); p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func (p *parser) symbol(s string) bool {
	p.skip()
	after, ok := strings.CutPrefix(p.rest, s)
	if ok {
		p.rest = after
	}
	return ok
}

// name reads letters, digits and underscores.
func (p *parser) name() (string, bool) {
	p.skip()
	end := strings.IndexFunc(p.rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	if end < 0 {
		end = len(p.rest)
	}
	name := p.rest[:end]
	if first, _ := utf8.DecodeRuneInString(name); name == "" || unicode.IsDigit(first) {
		return "", false
	}
	p.rest = p.rest[end:]
	return name, true
}

// word reads a keyword, in any case.
func (p *parser) word(keyword string) bool {
	before := p.rest
	if name, ok := p.name(); ok && strings.EqualFold(name, keyword) {
		return true
	}
	p.rest = before
	return false
}

func (p *parser) ahead(keyword string) bool {
	before := p.rest
	ok := p.word(keyword)
	p.rest = before
	return ok
}

func (p *parser) atEnd() bool {
	before := p.rest
	p.symbol(";")
	if p.peek() == 0 {
		return true
	}
	p.rest = before
	return false
}

func (p *parser) unexpected(wanted string) error {
	p.skip()
	const most = 20
	found := firstRunes(p.rest, most)
	if found == "" {
		return problem(syntaxError, "the statement ends where %s has to be", wanted)
	}
	return problem(syntaxError, "%q where %s has to be", found, wanted)
}

func firstRunes(s string, n int) string {
	for i := range s {
		if n--; n < 0 {
			return s[:i]
		}
	}
	return s
}
