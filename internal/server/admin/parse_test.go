package admin

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/penstock-db/penstock/internal/server/auth"
)

func given(text string) operand { return operand{text: text} }

func TestParse(t *testing.T) {
	for text, want := range map[string]statement{
		"SHOW USERS":                 showUsers{},
		" show /* all */ users ; ":   showUsers{},
		"// who\nSHOW CURRENT USER":  showCurrentUser{},
		"SHOW ALL ROLES":             showRoles{},
		"SHOW PRIVILEGES":            showPrivileges{},
		"DROP USER `a``b` IF EXISTS": dropUser{name: given("a`b"), tolerant: true},
		`CREATE USER ann IF NOT EXISTS SET PLAINTEXT PASSWORD 'it\'s \\ \u00e9' CHANGE NOT REQUIRED;`: createUser{given(
			"ann"), true, given(`it's \ é`), false},
		"CREATE USER $n SET PASSWORD $`p w`": createUser{operand{parameter: "n"}, false,
			operand{parameter: "p w"}, true},
		`ALTER USER ann SET PASSWORD "x" SET PASSWORD CHANGE REQUIRED`: alterUser{given("ann"), false, given("x"), true},
		"ALTER CURRENT USER SET PASSWORD FROM 'a' TO $b": changePassword{given("a"),
			operand{parameter: "b"}},
		"GRANT ROLE reader TO ann": changeRoles{roles: []auth.Role{auth.Reader},
			users: []operand{given("ann")}},
		"GRANT ROLES reader, WRITER ON GRAPHS air, `the sea` TO ann, $bob": changeRoles{false,
			[]auth.Role{auth.Reader, auth.Writer}, []operand{given("air"), given("the sea")},
			[]operand{given("ann"), {parameter: "bob"}}},
		"REVOKE ROLE admin ON GRAPH * FROM ann": changeRoles{revoke: true,
			roles: []auth.Role{auth.Admin}, users: []operand{given("ann")}},
	} {
		if got, err := parse(text); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %#v %v", text, got, err)
		}
	}
}

func TestParse_OfOthers(t *testing.T) {
	for _, text := range []string{"", ";", "MATCH (n) RETURN n", "SHOW INDEXES", "SHOW CONSTRAINTS", "SHOW TRANSACTIONS",
		"SHOW ALL", "CREATE (user)", "CREATE INDEX i", "DROP INDEX i", "'SHOW' USERS", "EXPLAIN SHOW USERS"} {
		if s, err := parse(text); s != nil || err != nil || Is(text) {
			t.Errorf("%s: %#v %v", text, s, err)
		}
	}
}

// What is wrong is told without what is there, which may be a password.
func TestParse_Wrong(t *testing.T) {
	for _, text := range []string{
		"SHOW USERS secret", "SHOW USER", "CREATE USER", "CREATE USER ann", "CREATE USER ann SET PASSWORD secret",
		"CREATE USER ann SET PASSWORD 'secret", "CREATE USER ann SET PASSWORD 'secret' 'secret'",
		"CREATE USER 'secret' SET PASSWORD 'secret'", `CREATE USER ann SET PASSWORD '\q secret'`,
		"CREATE OR REPLACE USER ann SET PASSWORD 'secret'", "ALTER secret", "ALTER CURRENT USER SET PASSWORD 'secret'",
		"DROP USER", "DROP ROLE reader", "CREATE ROLE secret", "RENAME USER a TO b", "DENY secret", "GRANT secret",
		"GRANT ROLE secret TO ann", "GRANT ROLE 'reader' TO ann", "GRANT ROLE reader, TO ann",
		"GRANT ROLE reader ON TO ann", "GRANT ROLE reader FROM ann", "REVOKE ROLE reader TO ann", "GRANT ROLE reader TO",
		"GRANT ROLE reader TO ann,", "CREATE USER $ SET PASSWORD 'secret'",
	} {
		s, err := parse(text)
		if text == "SHOW USER" {
			continue // Neo4j takes it for SHOW USERS
		}
		var syntax *SyntaxError
		if s != nil || !errors.As(err, &syntax) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %#v %v", text, s, err)
		}
	}
}

func TestRedact(t *testing.T) {
	for text, want := range map[string]string{
		"MATCH (n {name: 'Ann'}) RETURN n":                            "MATCH (n {name: 'Ann'}) RETURN n",
		"CREATE USER ann SET PASSWORD 'secret' CHANGE NOT REQUIRED":   "CREATE USER ann SET PASSWORD '******' CHANGE NOT REQUIRED",
		`alter current user set password from "se\"cret" to 'secret'`: "alter current user set password from '******' to '******'",
		"CRATE USR ann SET PASWORD 'secret":                           "CRATE USR ann SET PASWORD '******'",
		"/* it's */ CREATE USER `x'` SET PASSWORD 'secret' // 'a":     "/* it's */ CREATE USER `x'` SET PASSWORD '******' // 'a",
		"MATCH (n:User {pass: 'secret'}) RETURN n":                    "MATCH (n:User {pass: '******'}) RETURN n",
		"CREATE USER `ann SET PASSWORD 'secret'":                      "CREATE USER '******'",
	} {
		if got := Redact(text, len(text)); got != want {
			t.Errorf("%s became %s", text, got)
		}
	}
}

func TestRedact_Cut(t *testing.T) {
	const text = "CREATE USER é SET PASSWORD 'secret'"
	for most := range len(text) + 1 {
		if got := Redact(text, most); strings.Contains(got, "s") || !utf8.ValidString(got) || len(got) > most+len("…")+
			len("'******'") {
			t.Errorf("%d bytes: %s", most, got)
		}
	}
	if _, err := parse("SHOW USERS" + strings.Repeat(" ", longest)); err == nil {
		t.Error("a statement may be of any length")
	}
}

// FuzzParse: nothing panics, and whatever string a statement has that may be a password is blanked out.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"SHOW USERS", "CREATE USER ann SET PASSWORD 'secret'",
		"GRANT ROLE reader ON GRAPH `g` TO $x", "/* ' */ ALTER USER \"x\\u0041\"", "DROP USER é //"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parse(text)
		if s != nil && err != nil || (s != nil || err != nil) != Is(text) {
			t.Fatalf("%q: %v %v", text, s, err)
		}
		if !utf8.ValidString(text) || !secretive.MatchString(text) {
			return
		}
		for _, token := range lex(Redact(text, len(text))) {
			if token.kind == broken || token.kind == literal && token.text != "******" {
				t.Fatalf("%q became %q, which shows %q", text, Redact(text, len(text)), token.text)
			}
		}
	})
}
