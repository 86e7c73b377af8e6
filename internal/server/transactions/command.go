package transactions

import (
	"slices"
	"time"

	"github.com/penstock-db/penstock/formats/value"
)

// Command is a statement about transactions.
type Command struct {
	terminates bool
	ids        []operand
	yield      []column // nil: all columns
}

// operand is the id of a transaction, or a parameter that has one or a list of them.
type operand struct{ id, parameter string }

// column is one that YIELD names.
type column struct{ name, as string }

var (
	shown = []string{
		"database", "transactionId", "currentQueryId", "connectionId", "clientAddress", "username", "currentQuery",
		"startTime", "status", "elapsedTime", "allocatedBytes",
	}
	terminated = []string{"transactionId", "username", "message"}
)

func (c *Command) all() []string {
	if c.terminates {
		return terminated
	}
	return shown
}

// Columns of the command's rows.
func (c *Command) Columns() []string {
	if c.yield == nil {
		return c.all()
	}
	names := make([]string, len(c.yield))
	for i, column := range c.yield {
		names[i] = column.as
	}
	return names
}

// Run carries the command out for a viewer. Transactions that it ends have reason as their cause.
//
// Errors: *Error.
func (c *Command) Run(r *Registry, v Viewer, params map[string]value.Value, reason error) ([][]value.Value, error) {
	ids, err := c.bind(params)
	if err != nil {
		return nil, err
	}
	var rows [][]value.Value
	if c.terminates {
		for _, id := range ids {
			rows = append(rows, end(r, v, id, reason))
		}
	} else if len(c.ids) == 0 || len(ids) > 0 {
		for _, t := range r.visible(v, ids) {
			rows = append(rows, t.row())
		}
	}
	return c.project(rows), nil
}

func end(r *Registry, v Viewer, id string, reason error) []value.Value {
	user, found := r.terminate(v, id, reason)
	message := "Transaction terminated."
	if !found {
		message = "Transaction not found."
	}
	return []value.Value{value.OfString(id), value.OfString(user), value.OfString(message)}
}

// row has what shown names.
func (t *Transaction) row() []value.Value {
	status := "Running"
	if t.terminated {
		status = "Terminated"
	}
	var row []value.Value
	for _, s := range []string{
		t.Graph, t.ID, t.queryID, t.Connection, t.Client, t.User, t.query,
		t.Started.UTC().Format("2006-01-02T15:04:05.000Z"), status,
	} {
		row = append(row, value.OfString(s))
	}
	elapsed := time.Since(t.Started)
	span := value.Span{Seconds: int64(elapsed / time.Second), Nanos: int32(elapsed % time.Second)}
	return append(row, value.OfDuration(span), value.OfInt(t.held()))
}

// project keeps the columns that YIELD names.
func (c *Command) project(rows [][]value.Value) [][]value.Value {
	if c.yield == nil {
		return rows
	}
	for i, row := range rows {
		kept := make([]value.Value, len(c.yield))
		for j, column := range c.yield {
			kept[j] = row[slices.Index(c.all(), column.name)]
		}
		rows[i] = kept
	}
	return rows
}

// bind is the ids with parameters filled in.
func (c *Command) bind(params map[string]value.Value) (ids []string, err error) {
	for _, operand := range c.ids {
		if operand.parameter == "" {
			ids = append(ids, operand.id)
			continue
		}
		v, ok := params[operand.parameter]
		if !ok {
			return nil, problem(parameterMissing, "no value is given for parameter $%s", operand.parameter)
		}
		values := []value.Value{v}
		if v.Kind() == value.List {
			values = v.List()
		}
		for _, v := range values {
			if v.Kind() != value.String {
				return nil, problem(typeError, "parameter $%s has the %s %s where the id of a transaction has to be",
					operand.parameter, v.Kind(), v.Text())
			}
			ids = append(ids, v.Str())
		}
	}
	return ids, nil
}
