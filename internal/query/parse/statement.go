package parse

import (
	"errors"

	"github.com/antlr4-go/antlr/v4"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/internal/query/parse/grammar"
)

// Statement reads one statement, with or without a semicolon at its end. Errors are *fault.Error.
func Statement(text string) (*ast.Statement, error) {
	stmt, err := statement(text)
	if err == nil {
		return stmt, nil
	}
	var f *fault.Error
	if errors.As(err, &f) {
		f.Text = text
	}
	return nil, err
}

func statement(text string) (*ast.Statement, error) {
	tokens, err := scan(text)
	if err != nil {
		return nil, err
	}
	stmt, refused, err := parse(tokens, antlr.PredictionModeSLL)
	if refused != nil {
		tokens.Reset()
		stmt, refused, err = parse(tokens, antlr.PredictionModeLL)
	}
	if refused != nil {
		return nil, refused.fault()
	}
	return stmt, err
}

// parse runs the grammar over the tokens, up to the first that it refuses.
func parse(tokens *tokens, mode int) (stmt *ast.Statement, refused *refusal, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *refusal:
			refused = r
		default:
			panic(r)
		}
	}()
	parser := grammar.NewCypher(tokens)
	parser.RemoveErrorListeners()
	parser.SetErrorHandler(&refuse{DefaultErrorStrategy: antlr.NewDefaultErrorStrategy()})
	parser.GetInterpreter().SetPredictionMode(mode)
	b := newBuilder(tokens)
	parser.AddParseListener(&early{builder: b})
	stmt = b.statement(parser.Statement())
	if b.fault != nil {
		return nil, nil, b.fault
	}
	return stmt, nil, nil
}
