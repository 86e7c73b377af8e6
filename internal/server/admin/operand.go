package admin

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/server/auth"
	"github.com/penstock-db/penstock/internal/server/status"
)

// operand is a text in a statement, or the parameter that has it.
type operand struct {
	text      string
	parameter string // empty: text is given
}

// operands reads the operands of one statement. err is the error of the first that cannot be read;
// what is read counts only without one.
type operands struct {
	params map[string]value.Value
	err    error
}

func (by call) operands() *operands { return &operands{params: by.params} }

func (r *operands) text(o operand) string {
	if r.err != nil || o.parameter == "" {
		return o.text
	}
	v, given := r.params[o.parameter]
	switch {
	case !given:
		r.err = &status.Error{Status: missing, Message: "no value is given for parameter $" + o.parameter}
		return ""
	case v.Kind() != value.String:
		r.err = &status.Error{Status: invalid, Message: "parameter $" + o.parameter + " is not a string"}
		return ""
	}
	return v.Str()
}

func (r *operands) texts(all []operand) []string {
	texts := make([]string, len(all))
	for i, o := range all {
		texts[i] = r.text(o)
	}
	return texts
}

// hash is that of a password, which takes long: it is not computed after an error.
func (r *operands) hash(o operand) auth.Hash {
	password := r.text(o)
	if r.err == nil && password == "" {
		r.err = &status.Error{Status: invalid, Message: "the password is empty"}
	}
	if r.err != nil {
		return auth.Hash{}
	}
	return auth.HashOf(password)
}
