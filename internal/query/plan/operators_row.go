package plan

import (
	"strings"

	"github.com/penstock-db/penstock/internal/query/ast"
	"github.com/penstock-db/penstock/internal/query/procedure"
)

// Filter keeps the rows for which the condition is true.
type Filter struct {
	Step
	Where ast.Expression
}

// Assignment gives the value of an expression to a slot.
type Assignment struct {
	Slot       int
	Name       string
	Expression ast.Expression
}

// Project computes slots.
type Project struct {
	Step
	Items []Assignment
}

// Distinct keeps the first of rows that are the same in Slots.
type Distinct struct {
	Step
	Slots []int
	Names []string
}

// SortKey is what rows are sorted by.
type SortKey struct {
	Expression ast.Expression
	Descending bool
}

// Sort puts rows in order. Of the rows, Live is what is still used. With a Limit it keeps no
// more than Skip and Limit together say, though it does not skip.
type Sort struct {
	Step
	Keys        []SortKey
	Live        []int
	Limit, Skip ast.Expression // nil: none
}

// Skip leaves out the first rows.
type Skip struct {
	Step
	Count ast.Expression
}

// Limit ends after some rows. If Exhaust is set, the input is run to its end all the same, for
// what it changes.
type Limit struct {
	Step
	Count   ast.Expression
	Exhaust bool
}

// Aggregate makes a row of each group of rows that are the same in Keys; without keys one row of
// all.
type Aggregate struct {
	Step
	Keys   []Assignment
	Values []Aggregation
	Weight int // the slot that says for how many rows a row stands; < 0: one
}

// Aggregation is an aggregate function of the rows of a group.
type Aggregation struct {
	Slot      int
	Function  string // in lower case; "count(*)"
	Distinct  bool
	Arguments []ast.Expression
	Text      string
	Procedure *procedure.Procedure // that gathers; nil: the function is one of the language's own
}

// Unwind makes a row of each element of a list.
type Unwind struct {
	Step
	Slot int
	Name string
	List ast.Expression
}

// Union runs its parts one after the other. Parts leave their columns in the same slots.
type Union struct {
	Step
	Parts []Operator
}

// Optional runs a plan for each row; where that gives none, the row stays with nulls in Slots.
type Optional struct {
	Step
	Plan  Operator
	Slots []int
}

// Apply runs a plan for each row. Unit: its rows do not matter, the row is given on once.
type Apply struct {
	Step
	Plan Operator
	Unit bool
}

// HashJoin joins the rows of the input with those of a plan that does not depend on them, where
// two expressions are equal.
type HashJoin struct {
	Step
	Plan        Operator
	Left, Right ast.Expression // of a row of the input, of one of the plan
	Live        []int          // what is kept of the plan's rows
}

// CallProcedure makes rows of those of a procedure, or only calls it, if it has no columns.
type CallProcedure struct {
	Step
	Procedure *procedure.Procedure
	Arguments []ast.Expression
	Columns   []int // the slot of each column; < 0: not used
}

// Eager takes all rows before it gives the first: what reads and what writes do not meet.
type Eager struct {
	Step
	Live []int
}

// Result gives rows out.
type Result struct {
	Step
	Slots []int
	Names []string
}

func (*Filter) Title() string        { return "Filter" }
func (*Project) Title() string       { return "Project" }
func (*Distinct) Title() string      { return "Distinct" }
func (*Skip) Title() string          { return "Skip" }
func (*Limit) Title() string         { return "Limit" }
func (*Aggregate) Title() string     { return "Aggregate" }
func (*Unwind) Title() string        { return "Unwind" }
func (*Union) Title() string         { return "Union" }
func (*Optional) Title() string      { return "Optional" }
func (*Apply) Title() string         { return "Apply" }
func (*HashJoin) Title() string      { return "HashJoin" }
func (*CallProcedure) Title() string { return "CallProcedure" }
func (*Eager) Title() string         { return "Eager" }
func (*Result) Title() string        { return "Result" }

func (o *Sort) Title() string {
	if o.Limit != nil {
		return "Top"
	}
	return "Sort"
}

func (o *Filter) Inner() []Operator   { return nestedIn(o.Where) }
func (o *Union) Inner() []Operator    { return o.Parts }
func (o *Optional) Inner() []Operator { return []Operator{o.Plan} }
func (o *Apply) Inner() []Operator    { return []Operator{o.Plan} }
func (o *HashJoin) Inner() []Operator { return []Operator{o.Plan} }

func (o *Filter) Detail() string        { return Text(o.Where) }
func (o *Project) Detail() string       { return assignmentTexts(o.Items) }
func (o *Distinct) Detail() string      { return commas(o.Names) }
func (o *Skip) Detail() string          { return Text(o.Count) }
func (o *Limit) Detail() string         { return Text(o.Count) }
func (o *Unwind) Detail() string        { return Text(o.List) + " AS " + o.Name }
func (o *HashJoin) Detail() string      { return Text(o.Left) + " = " + Text(o.Right) }
func (o *CallProcedure) Detail() string { return o.Procedure.Name + "(" + texts(o.Arguments) + ")" }
func (o *Result) Detail() string        { return commas(o.Names) }

func (o *Project) Inner() []Operator {
	var all []Operator
	for _, item := range o.Items {
		all = append(all, nestedIn(item.Expression)...)
	}
	return all
}

// nestedIn are the plans that an expression runs.
func nestedIn(e ast.Expression) []Operator {
	var all []Operator
	ast.Visit(e, func(e ast.Expression) bool {
		if nested, ok := e.(*Nested); ok {
			all = append(all, nested.Root)
		}
		return true
	})
	return all
}

func (o *Sort) Detail() string {
	keys := make([]string, len(o.Keys))
	for i, k := range o.Keys {
		keys[i] = Text(k.Expression)
		if k.Descending {
			keys[i] += " DESC"
		}
	}
	text := strings.Join(keys, ", ")
	if o.Limit != nil {
		text += " LIMIT " + Text(o.Limit)
	}
	return text
}

func (o *Aggregate) Detail() string {
	values := make([]string, len(o.Values))
	for i, v := range o.Values {
		values[i] = v.Text
	}
	if len(o.Keys) == 0 {
		return commas(values)
	}
	return commas(values) + " BY " + assignmentTexts(o.Keys)
}

func assignmentTexts(items []Assignment) string {
	all := make([]string, len(items))
	for i, item := range items {
		all[i] = Text(item.Expression)
		if item.Name != "" && item.Name != all[i] {
			all[i] += " AS " + item.Name
		}
	}
	return strings.Join(all, ", ")
}
