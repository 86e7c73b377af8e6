package shell

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/backend"
)

const shellHelp = `:use GRAPH              go on with another graph
:param NAME => VALUE    set a parameter to the value of an expression
:params                 show the parameters
:begin                  begin a transaction, in which what follows runs
:commit                 make its changes last
:rollback               give them up
:help                   show this
:exit                   leave, as Ctrl-D does
`

// command carries out a line that is for the shell.
func (s *session) command(ctx context.Context, line string) error {
	name, argument, _ := strings.Cut(strings.TrimRight(line, "; \t"), " ")
	argument = strings.TrimSpace(argument)
	switch name {
	case ":help":
		fmt.Fprint(s.out, shellHelp)
		return nil
	case ":exit", ":quit":
		return errLeave
	case ":use":
		return s.use(argument)
	case ":param":
		return s.param(ctx, argument)
	case ":params":
		return s.params()
	case ":begin":
		return s.begin(ctx)
	case ":commit":
		return s.commit(ctx)
	case ":rollback":
		return s.giveUp()
	}
	return fmt.Errorf("the shell does not know %s; it knows\n%s", name, shellHelp)
}

func (s *session) use(graph string) error {
	if graph == "" {
		return errors.New(":use GRAPH: which one?")
	}
	if s.tx != nil {
		return errors.New("a transaction is open, and is of one graph: :commit or :rollback before")
	}
	s.graph = graph
	return nil
}

var parameter = regexp.MustCompile(`^\$?(\w+)\s*(?:=>|:|\s)\s*(.+)$`)

// param has the expression computed by a statement.
func (s *session) param(ctx context.Context, text string) error {
	parts := parameter.FindStringSubmatch(text)
	if parts == nil {
		return errors.New("write :param name => value")
	}
	result, err := s.start(ctx, "RETURN "+parts[2]+" AS value")
	if err != nil {
		return s.failed(err)
	}
	var v value.Value
	if result.Next() {
		v = result.Row()[0]
	}
	if err := errors.Join(result.Err(), result.Close()); err != nil {
		return s.failed(err)
	}
	if s.parameters == nil {
		s.parameters = make(map[string]value.Value)
	}
	s.parameters[parts[1]] = v
	return nil
}

func (s *session) params() error {
	for _, name := range slices.Sorted(maps.Keys(s.parameters)) {
		fmt.Fprintf(s.out, "%s => %s\n", name, s.parameters[name].Text())
	}
	return nil
}

func (s *session) begin(ctx context.Context) (err error) {
	if s.tx != nil {
		return errors.New("a transaction is open: :commit or :rollback before")
	}
	tx, err := s.db.Begin(ctx, s.graph, backend.Write)
	if err == nil {
		s.tx = tx
	}
	return err
}

func (s *session) commit(ctx context.Context) error {
	if s.tx == nil {
		return errNoTransaction
	}
	defer s.rollback()
	_, err := s.tx.Commit(ctx)
	return err
}

func (s *session) giveUp() error {
	if s.tx == nil {
		return errNoTransaction
	}
	s.rollback()
	return nil
}

var errNoTransaction = errors.New("no transaction is open: :begin begins one")
