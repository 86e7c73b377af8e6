package bolt

import (
	"context"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/bolt/packstream"
	"github.com/penstock-db/penstock/internal/server/status"
)

// Tags of messages.
const (
	tagHello     = 0x01
	tagGoodbye   = 0x02
	tagReset     = 0x0F
	tagRun       = 0x10
	tagBegin     = 0x11
	tagCommit    = 0x12
	tagRollback  = 0x13
	tagDiscard   = 0x2F
	tagPull      = 0x3F
	tagTelemetry = 0x54
	tagRoute     = 0x66
	tagLogon     = 0x6A
	tagLogoff    = 0x6B

	tagSuccess = 0x70
	tagRecord  = 0x71
	tagIgnored = 0x7E
	tagFailure = 0x7F
)

// request is what there is to know of a kind of requests.
type request struct {
	name    string
	fields  []value.Kind
	allowed func(*session) bool
	perform func(s *session, ctx context.Context, fields []value.Value) ([]value.Entry, error)
}

// requests are all but RESET and GOODBYE, which have to be understood in every state.
var requests = map[byte]request{
	tagHello:     {"HELLO", []value.Kind{value.Map}, (*session).isNew, (*session).hello},
	tagLogon:     {"LOGON", []value.Kind{value.Map}, (*session).isStranger, (*session).logon},
	tagLogoff:    {"LOGOFF", nil, (*session).isReady, (*session).logoff},
	tagRun:       {"RUN", []value.Kind{value.String, value.Map, value.Map}, (*session).canRun, (*session).run},
	tagPull:      {"PULL", []value.Kind{value.Map}, (*session).hasWork, (*session).pull},
	tagDiscard:   {"DISCARD", []value.Kind{value.Map}, (*session).hasWork, (*session).discard},
	tagBegin:     {"BEGIN", []value.Kind{value.Map}, (*session).isReady, (*session).begin},
	tagCommit:    {"COMMIT", nil, (*session).hasTransaction, (*session).commit},
	tagRollback:  {"ROLLBACK", nil, (*session).hasTransaction, (*session).rollback},
	tagRoute:     {"ROUTE", []value.Kind{value.Map, value.List, value.Map}, (*session).isReady, (*session).route},
	tagTelemetry: {"TELEMETRY", []value.Kind{value.Int}, (*session).isAdmitted, (*session).telemetry},
}

func isReset(message []byte) bool { return len(message) > 1 && message[1] == tagReset }

// decode reads the fields of a request.
func (r request) decode(decoder *packstream.Decoder, fields int) ([]value.Value, error) {
	if fields != len(r.fields) {
		return nil, status.Violation("%s has %d fields, not %d", r.name, len(r.fields), fields)
	}
	values := make([]value.Value, fields)
	for i, kind := range r.fields {
		v, err := decoder.Value()
		if err != nil {
			return nil, err
		}
		if v.Kind() != kind {
			return nil, status.Violation("field %d of %s is of type %s, not %s", i+1, r.name, kind, v.Kind())
		}
		values[i] = v
	}
	return values, decoder.End()
}

func (s *session) isNew() bool          { return !s.greeted }
func (s *session) isStranger() bool     { return s.greeted && !s.admitted && s.version.atLeast(5, 1) }
func (s *session) isAdmitted() bool     { return s.admitted }
func (s *session) isReady() bool        { return s.admitted && s.work == nil }
func (s *session) hasWork() bool        { return s.work != nil }
func (s *session) hasTransaction() bool { return s.work != nil && s.work.tx != nil }
func (s *session) canRun() bool         { return s.isReady() || s.hasTransaction() }

// telemetry is thanked for.
func (s *session) telemetry(context.Context, []value.Value) ([]value.Entry, error) { return nil, nil }
