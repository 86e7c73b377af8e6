package transactions

import (
	"errors"
	"slices"
	"testing"

	"github.com/penstock-db/penstock/formats/value"
)

// opened is a registry with a transaction of each of two users. What was ended is recorded.
func opened() (r *Registry, ended map[string]error) {
	r, ended = NewRegistry(), map[string]error{}
	for _, user := range []string{"ann", "bob"} {
		t := r.Begin(Origin{Graph: "g", Connection: "bolt-1", Client: "127.0.0.1:1", User: user},
			func() int64 { return 42 }, func(cause error) { ended[user] = cause })
		t.Run("RETURN 1")
	}
	return r, ended
}

var errEnded = errors.New("ended")

// texts runs a statement and gives its rows as text.
func texts(t *testing.T, r *Registry, v Viewer, statement string, params map[string]value.Value) (rows [][]string) {
	t.Helper()
	c, err := Parse(statement)
	if c == nil || err != nil {
		t.Fatalf("%s: %v, %v", statement, c, err)
	}
	all, err := c.Run(r, v, params, errEnded)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range all {
		if len(row) != len(c.Columns()) {
			t.Fatalf("%s: %d values in columns %q", statement, len(row), c.Columns())
		}
		var cells []string
		for _, v := range row {
			cells = append(cells, v.Plain())
		}
		rows = append(rows, cells)
	}
	return rows
}

func TestShow(t *testing.T) {
	r, _ := opened()
	everybody := Viewer{User: "ann", All: true}
	for _, c := range []struct {
		statement string
		viewer    Viewer
		ids       []string
	}{
		{"SHOW TRANSACTIONS", everybody, []string{"g-transaction-1", "g-transaction-2"}},
		{"show transaction YIELD *;", everybody, []string{"g-transaction-1", "g-transaction-2"}},
		{"SHOW TRANSACTIONS", Viewer{User: "bob"}, []string{"g-transaction-2"}},
		{"SHOW TRANSACTIONS 'g-transaction-1', \"nothing\"", everybody, []string{"g-transaction-1"}},
		{"SHOW /* all */ TRANSACTIONS 'g-transaction-1' // mine", Viewer{User: "bob"}, nil},
		{"SHOW TRANSACTIONS $ids", everybody, []string{"g-transaction-2"}},
		{"SHOW TRANSACTIONS $none", everybody, nil},
	} {
		params := map[string]value.Value{"ids": value.OfList([]value.Value{value.OfString("g-transaction-2")}),
			"none": value.OfList(nil)}
		var ids []string
		for _, row := range texts(t, r, c.viewer, c.statement, params) {
			ids = append(ids, row[1])
		}
		if !slices.Equal(ids, c.ids) {
			t.Errorf("%s: %q, not %q", c.statement, ids, c.ids)
		}
	}
	row := texts(
		t, r, Viewer{User: "ann"}, "SHOW TRANSACTIONS YIELD username AS who, currentQuery, allocatedBytes, status, database, currentQueryId", nil)
	if want := []string{"ann", "RETURN 1", "42", "Running", "g", "query-1"}; len(row) != 1 || !slices.Equal(row[0], want) {
		t.Errorf("%q, not %q", row, want)
	}
}

func TestTerminate(t *testing.T) {
	r, ended := opened()
	rows := texts(t, r, Viewer{User: "bob"}, "TERMINATE TRANSACTIONS 'g-transaction-1', 'g-transaction-2'", nil)
	want := [][]string{{"g-transaction-1", "", "Transaction not found."},
		{"g-transaction-2", "bob", "Transaction terminated."}}
	if !slices.EqualFunc(rows, want, slices.Equal) {
		t.Errorf("%q, not %q", rows, want)
	}
	if len(ended) != 1 || !errors.Is(ended["bob"], errEnded) {
		t.Errorf("ended: %v", ended)
	}
	if status := texts(t, r, Viewer{User: "bob"}, "SHOW TRANSACTIONS YIELD status", nil); status[0][0] != "Terminated" {
		t.Errorf("the status is %q", status)
	}
	r.open["g-transaction-2"].End()
	if left := texts(t, r, Viewer{User: "bob"}, "SHOW TRANSACTIONS", nil); len(left) != 0 {
		t.Errorf("%q is left", left)
	}
}

func TestParse_Others(t *testing.T) {
	for _, statement := range []string{"", "RETURN 1", "SHOW INDEXES", "SHOWTRANSACTIONS", "TERMINATE",
		"MATCH (SHOW)-[:TRANSACTIONS]->() RETURN 1", "SHOW", "$"} {
		if c, err := Parse(statement); c != nil || err != nil {
			t.Errorf("%q: %v, %v", statement, c, err)
		}
	}
}

func TestParse_Errors(t *testing.T) {
	for _, statement := range []string{
		"TERMINATE TRANSACTIONS", "TERMINATE TRANSACTIONS YIELD *", "SHOW TRANSACTIONS 'a", "SHOW TRANSACTIONS 'a',",
		"SHOW TRANSACTIONS 7", "SHOW TRANSACTIONS $",
		"SHOW TRANSACTIONS YIELD nonsense", "SHOW TRANSACTIONS YIELD status AS", "SHOW TRANSACTIONS WHERE true",
		"TERMINATE TRANSACTION 'a' YIELD status",
		"SHOW TRANSACTIONS; RETURN 1", `SHOW TRANSACTIONS 'a\n'`,
	} {
		var known *Error
		if _, err := Parse(statement); !errors.As(err, &known) || known.Code() != syntaxError {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

func TestRun_BadParameters(t *testing.T) {
	r, _ := opened()
	c, err := Parse("TERMINATE TRANSACTION $id")
	if err != nil {
		t.Fatal(err)
	}
	for code, params := range map[string]map[string]value.Value{
		parameterMissing: nil, typeError: {"id": value.OfInt(1)},
	} {
		var known *Error
		if _, err := c.Run(r, Viewer{}, params, errEnded); !errors.As(err, &known) || known.Code() != code {
			t.Errorf("%v, not %s", err, code)
		}
	}
}

// FuzzParse: no text makes the parser panic, and what it takes for a command runs.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"SHOW TRANSACTIONS", "TERMINATE TRANSACTION 'a', $b YIELD *",
		"SHOW TRANSACTIONS \"a\" YIELD status AS s, database ;", "SHOW /**/ TRANSACTIONS // x\n"} {
		f.Add(seed)
	}
	r, _ := opened()
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse(text)
		if c == nil {
			return
		}
		if err != nil {
			t.Fatal("both a command and an error: ", err)
		}
		rows, err := c.Run(r, Viewer{All: true}, nil, errEnded)
		if err == nil && len(rows) > 0 && len(rows[0]) != len(c.Columns()) {
			t.Fatalf("%d values in columns %q", len(rows[0]), c.Columns())
		}
	})
}
