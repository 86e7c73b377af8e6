package session

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/cursor"
	"github.com/penstock-db/penstock/internal/server/bolt/internal/message"
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
	"github.com/penstock-db/penstock/internal/server/status"
)

// request is a message while it is answered. Steps add to it.
type request struct {
	decoder *packstream.Decoder
	count   int // of fields
	fields  []value.Value
	charge  *cursor.Charge         // has what the values take
	params  map[string]value.Value // of a statement
}

// rule is how requests of a kind are answered.
type rule struct {
	form    message.Form
	allowed func(state) bool
	steps   []step
}

// step is a part of an answer: from one state to the next. With an error, too, the state is the next one.
type step func(ctx context.Context, s *Session, st state, r *request) (state, []value.Entry, error)

// rules are for all requests but RESET and GOODBYE, which have to be understood in every state.
var rules = map[byte]rule{
	message.TagHello:  {form("HELLO", value.Map), state.isNew, []step{hello}},
	message.TagLogon:  {form("LOGON", value.Map), state.canLogin, []step{logon}},
	message.TagLogoff: {form("LOGOFF"), state.isReady, []step{logoff}},
	message.TagRun: {form("RUN", value.String, value.Map, value.Map), state.canRun,
		[]step{readParameters, prepare, run}},
	message.TagPull:      {form("PULL", value.Map), state.hasResult, []step{pull}},
	message.TagDiscard:   {form("DISCARD", value.Map), state.hasResult, []step{discard}},
	message.TagBegin:     {form("BEGIN", value.Map), state.isReady, []step{open, begin}},
	message.TagCommit:    {form("COMMIT"), state.hasTransaction, []step{commit}},
	message.TagRollback:  {form("ROLLBACK"), state.hasTransaction, []step{rollback}},
	message.TagRoute:     {form("ROUTE", value.Map, value.List, value.Map), state.isReady, []step{route}},
	message.TagTelemetry: {form("TELEMETRY", value.Int), state.isLoggedIn, nil},
}

func form(name string, fields ...value.Kind) message.Form {
	return message.Form{Name: name, Fields: fields}
}

// ruleFor is the rule for a tag, if the state allows such requests.
func ruleFor(tag byte, st state) (rule, error) {
	rule, known := rules[tag]
	if !known {
		return rule, status.Violation("%#x is no request", tag)
	}
	if !rule.allowed(st) {
		return rule, status.Violation("%s is not allowed now", rule.form.Name)
	}
	return rule, nil
}
