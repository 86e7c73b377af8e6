package admin

import (
	"fmt"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/internal/server/auth"
)

// SyntaxError is a statement that begins as one that administers, and is none.
type SyntaxError struct {
	At   int // byte
	What string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s (byte %d of the statement)", e.What, e.At)
}

// Code is Neo4j's.
func (e *SyntaxError) Code() string { return "Neo.ClientError.Statement.SyntaxError" }

// beginnings are the words with which statements begin that are for this package.
var beginnings = [][]string{
	{"SHOW", "USER"}, {"SHOW", "USERS"}, {"SHOW", "CURRENT", "USER"}, {"SHOW", "ROLE"}, {"SHOW", "ROLES"},
	{"SHOW", "PRIVILEGE"}, {"SHOW", "PRIVILEGES"},
	{"SHOW", "ALL", "ROLES"}, {"SHOW", "ALL", "PRIVILEGES"}, {"CREATE", "USER"}, {"CREATE", "OR", "REPLACE", "USER"},
	{"CREATE", "ROLE"}, {"ALTER"}, {"DROP", "USER"}, {"DROP", "ROLE"}, {"RENAME"}, {"GRANT"}, {"REVOKE"}, {"DENY"},
}

// Is tells whether a statement is for this package, right or wrong.
func Is(text string) bool {
	first := lexFirst(text, 4) // as many words as the longest beginning has
	return slices.ContainsFunc(beginnings, func(words []string) bool { return begin(first, words) })
}

func begin(tokens []token, words []string) bool {
	for i, w := range words {
		if i >= len(tokens) || !tokens[i].is(w) {
			return false
		}
	}
	return true
}

// longest is how many bytes a statement may have.
const longest = 64 << 10

// parse reads a statement; nil: it is no statement of this package.
func parse(text string) (statement, error) {
	if !Is(text) {
		return nil, nil
	}
	if len(text) > longest {
		return nil, &SyntaxError{At: longest, What: "the statement is too long: expected its end"}
	}
	p := &parser{tokens: lex(text)}
	s := p.statement()
	p.is(";")
	if p.peek().kind != end {
		p.fail("the end of the statement")
	}
	if p.err != nil {
		return nil, p.err
	}
	return s, nil
}

// parser reads tokens. After the first error nothing is accepted any more.
type parser struct {
	tokens []token // the last is the end
	err    error
}

func (t token) is(text string) bool {
	return (t.kind == word || t.kind == mark) && strings.EqualFold(t.text, text)
}

func (p *parser) peek() token { return p.tokens[0] }

func (p *parser) take() token {
	t := p.tokens[0]
	if t.kind != end {
		p.tokens = p.tokens[1:]
	}
	return t
}

// is takes these words if they are next.
func (p *parser) is(words ...string) bool {
	if p.err != nil || !begin(p.tokens, words) {
		return false
	}
	p.tokens = p.tokens[len(words):]
	return true
}

func (p *parser) expect(words ...string) {
	for _, w := range words {
		if !p.is(w) {
			p.fail(w)
		}
	}
}

// fail says what was expected. What there is instead is not shown: it may be a password.
func (p *parser) fail(expected string) {
	if p.err == nil {
		p.err = &SyntaxError{At: p.peek().from, What: "expected " + expected}
	}
}

func (p *parser) statement() statement {
	switch {
	case p.is("SHOW"):
		return p.show()
	case p.is("CREATE", "USER"):
		return p.createUser()
	case p.is("ALTER", "CURRENT", "USER"):
		p.expect("SET", "PASSWORD", "FROM")
		s := changePassword{old: p.password()}
		p.expect("TO")
		s.new = p.password()
		return s
	case p.is("ALTER", "USER"):
		return p.alterUser()
	case p.is("DROP", "USER"):
		return dropUser{name: p.name("a user's name"), tolerant: p.is("IF", "EXISTS")}
	case p.is("GRANT"):
		return p.roles(false)
	case p.is("REVOKE"):
		return p.roles(true)
	}
	p.fail(
		"SHOW, CREATE USER, ALTER USER, ALTER CURRENT USER, DROP USER, GRANT ROLE or REVOKE ROLE: other administration statements are not known here")
	return nil
}

func (p *parser) show() statement {
	p.is("ALL")
	switch {
	case p.is("USERS"), p.is("USER"):
		return showUsers{}
	case p.is("CURRENT", "USER"):
		return showCurrentUser{}
	case p.is("ROLES"), p.is("ROLE"):
		return showRoles{}
	case p.is("PRIVILEGES"), p.is("PRIVILEGE"):
		return showPrivileges{}
	}
	p.fail("USERS, CURRENT USER, ROLES or PRIVILEGES")
	return nil
}

func (p *parser) createUser() statement {
	s := createUser{name: p.name("a user's name"), tolerant: p.is("IF", "NOT", "EXISTS")}
	s.password, s.expired = p.setPassword(true)
	return s
}

func (p *parser) alterUser() statement {
	s := alterUser{name: p.name("a user's name"), tolerant: p.is("IF", "EXISTS")}
	s.password, s.expired = p.setPassword(true)
	return s
}

// setPassword reads SET [PLAINTEXT] PASSWORD 'secret' [[SET PASSWORD] CHANGE [NOT] REQUIRED].
func (p *parser) setPassword(expired bool) (operand, bool) {
	p.expect("SET")
	p.is("PLAINTEXT")
	p.expect("PASSWORD")
	password := p.password()
	p.is("SET", "PASSWORD")
	if p.is("CHANGE") {
		expired = !p.is("NOT")
		p.expect("REQUIRED")
	}
	return password, expired
}

func (p *parser) roles(revoke bool) statement {
	s := changeRoles{revoke: revoke}
	if !p.is("ROLE") {
		if !p.is("ROLES") {
			p.fail("ROLE: there are no privileges to grant but the roles " + strings.Join(auth.Roles(), ", "))
		}
	}
	for p.err == nil {
		role, err := auth.ParseRole(p.peek().text)
		if t := p.take(); err != nil || t.kind != word && t.kind != quoted {
			p.fail("a role: " + strings.Join(auth.Roles(), ", "))
		}
		s.roles = append(s.roles, role)
		if !p.is(",") {
			break
		}
	}
	if p.is("ON") {
		if !p.is("GRAPHS") {
			p.expect("GRAPH")
		}
		if !p.is("*") {
			s.graphs = p.names("a graph's name, or *")
		}
	}
	p.expect(map[bool]string{false: "TO", true: "FROM"}[revoke])
	s.users = p.names("a user's name")
	return s
}

// names reads several, with commas in between.
func (p *parser) names(what string) (names []operand) {
	for p.err == nil {
		names = append(names, p.name(what))
		if !p.is(",") {
			break
		}
	}
	return names
}

func (p *parser) name(what string) operand {
	switch t := p.peek(); t.kind {
	case word, quoted:
		return operand{text: p.take().text}
	case parameter:
		return operand{parameter: p.take().text}
	}
	p.fail(what)
	return operand{}
}

func (p *parser) password() operand {
	switch t := p.peek(); t.kind {
	case literal:
		return operand{text: p.take().text}
	case parameter:
		return operand{parameter: p.take().text}
	}
	p.fail("a password: a string in quotes, or a parameter")
	return operand{}
}
