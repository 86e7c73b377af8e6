package plan

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

var binaryText = map[ast.BinaryOp]string{
	ast.Or: "OR", ast.Xor: "XOR", ast.And: "AND", ast.Equal: "=", ast.NotEqual: "<>", ast.Less: "<", ast.LessEqual: "<=",
	ast.Greater: ">", ast.GreaterEqual: ">=", ast.Add: "+", ast.Subtract: "-", ast.Multiply: "*", ast.Divide: "/",
	ast.Modulo: "%", ast.Power: "^", ast.In: "IN", ast.StartsWith: "STARTS WITH", ast.EndsWith: "ENDS WITH",
	ast.Contains: "CONTAINS", ast.Matches: "=~", ast.Concatenate: "||",
}

// Text is an expression as EXPLAIN shows it. Expressions of the same text mean the same.
func Text(e ast.Expression) string {
	switch e := e.(type) {
	case *Slot:
		return e.Name
	case *ast.Variable:
		return e.Name
	case *ast.Literal:
		return literalText(e.Value)
	case *ast.Parameter:
		return "$" + e.Name
	case *ast.Property:
		return Text(e.Subject) + "." + e.Key
	case *ast.HasLabels:
		return Text(e.Subject) + ":" + strings.Join(e.Labels, ":")
	case *ast.ListLiteral:
		return "[" + texts(e.Elements) + "]"
	case *ast.MapLiteral:
		return mapText(e)
	case *ast.Unary:
		return unaryText(e)
	case *ast.Binary:
		return "(" + Text(e.Left) + " " + binaryText[e.Op] + " " + Text(e.Right) + ")"
	case *ast.Index:
		return Text(e.Subject) + "[" + Text(e.Index) + "]"
	case *ast.Slice:
		return Text(e.Subject) + "[" + someText(e.From) + ".." + someText(e.To) + "]"
	case *ast.Call:
		return callText(e)
	case *ast.CountStar:
		return "count(*)"
	case *HasProperties:
		return e.Subject.Name + " " + Text(e.Expression)
	}
	return localText(e)
}

func localText(e ast.Expression) string {
	switch e := e.(type) {
	case *Local:
		return localText(e.Expression)
	case *Nested:
		return localText(e.Expression)
	case *ast.Case:
		return "CASE " + someText(e.Subject) + " WHEN " + texts(e.When) + " THEN " + texts(e.Then) + " ELSE " +
			someText(e.Else) + " END"
	case *ast.ListComprehension:
		return "[" + e.Variable + " IN " + Text(e.List) + " WHERE " + someText(e.Where) + " | " + someText(e.Result) + "]"
	case *ast.Quantifier:
		return [...]string{"all", "any", "none", "single"}[e.Kind] + "(" + e.Variable + " IN " + Text(e.List) + " WHERE " +
			someText(e.Where) + ")"
	case *ast.Reduce:
		return "reduce(" + e.Accumulator + " = " + Text(e.Initial) + ", " + e.Variable + " IN " + Text(e.List) + " | " +
			Text(e.Result) + ")"
	case *ast.MapProjection:
		return projectionText(e)
	case *ast.PatternExpression:
		return patternText(&e.Pattern)
	case *ast.PatternComprehension:
		return "[" + patternText(&e.Pattern) + " WHERE " + someText(e.Where) + " | " + Text(e.Result) + "]"
	case *ast.Exists:
		return existsText(e)
	}
	return fmt.Sprintf("%s@%d", reflect.TypeOf(e), e.At().Offset) // only itself
}

func literalText(v value.Value) string {
	switch v.Kind() {
	case value.Null:
		return "null"
	case value.Bool:
		return strconv.FormatBool(v.Bool())
	case value.Int:
		return strconv.FormatInt(v.Int(), 10)
	case value.Float:
		return strconv.FormatFloat(v.Float(), 'e', -1, 64)
	case value.String:
		return "'" + strings.ReplaceAll(v.Str(), "'", `\'`) + "'"
	}
	return v.Kind().String()
}

func unaryText(e *ast.Unary) string {
	operand := Text(e.Operand)
	return map[ast.UnaryOp]string{
		ast.Not: "NOT " + operand, ast.Minus: "-" + operand, ast.Plus: "+" + operand,
		ast.IsNull: operand + " IS NULL", ast.IsNotNull: operand + " IS NOT NULL",
	}[e.Op]
}

func callText(e *ast.Call) string {
	distinct := ""
	if e.Distinct {
		distinct = "DISTINCT "
	}
	return strings.ToLower(e.Function) + "(" + distinct + texts(e.Arguments) + ")"
}

func mapText(e *ast.MapLiteral) string {
	entries := make([]string, len(e.Keys))
	for i, key := range e.Keys {
		entries[i] = key + ": " + Text(e.Values[i])
	}
	return "{" + strings.Join(entries, ", ") + "}"
}

func projectionText(e *ast.MapProjection) string {
	items := make([]string, len(e.Items))
	for i, item := range e.Items {
		switch {
		case item.All:
			items[i] = ".*"
		case item.Value == nil:
			items[i] = "." + item.Key
		default:
			items[i] = item.Key + ": " + Text(item.Value)
		}
	}
	return Text(e.Subject) + " {" + strings.Join(items, ", ") + "}"
}

func existsText(e *ast.Exists) string {
	if e.Query != nil {
		return fmt.Sprintf("%s {query@%d}", map[bool]string{false: "EXISTS", true: "COLLECT"}[e.Collect], e.Offset)
	}
	patterns := make([]string, len(e.Patterns))
	for i := range e.Patterns {
		patterns[i] = patternText(&e.Patterns[i])
	}
	return map[bool]string{false: "EXISTS", true: "COUNT"}[e.Count] + " {" + strings.Join(patterns, ", ") + " WHERE " +
		someText(e.Where) + "}"
}

func patternText(p *ast.PathPattern) string {
	var b strings.Builder
	fmt.Fprint(&b, selectorText(p))
	for i := range p.Nodes {
		if i > 0 {
			fmt.Fprint(&b, relationshipText(&p.Relationships[i-1]))
		}
		n := &p.Nodes[i]
		fmt.Fprintf(&b, "(%s%s%s%s%s)", shown(n.Variable), colons(n.Labels, ":"), testText(n.Is), someText(n.Properties),
			whereText(n.Where))
	}
	return b.String()
}

func selectorText(p *ast.PathPattern) string {
	switch p.Shortest {
	case ast.ShortestPath:
		return "shortestPath "
	case ast.AllShortest:
		return "allShortestPaths "
	case ast.ShortestPaths:
		return fmt.Sprintf("SHORTEST %d ", p.Count)
	case ast.ShortestGroups:
		return fmt.Sprintf("SHORTEST %d GROUPS ", p.Count)
	}
	return ""
}

func relationshipText(r *ast.RelationshipPattern) string {
	length := ""
	if r.Length != nil {
		length = lengthText(r.Length)
	}
	return arrow(r.Direction, shown(r.Variable)+colons(r.Types, "|")+testText(r.Is)+length+someText(r.Properties)+
		whereText(r.Where))
}

// testText is a test of labels as it may be written.
func testText(t *ast.LabelTest) string {
	if t == nil {
		return ""
	}
	return ":" + operandText(*t)
}

func operandText(t ast.LabelTest) string {
	switch {
	case t.Label != "":
		return t.Label
	case t.Op == ast.NotLabel:
		return "!" + operandText(t.Operands[0])
	}
	by := map[ast.LabelOp]string{ast.BothLabels: "&", ast.EitherLabel: "|"}[t.Op]
	return "(" + operandText(t.Operands[0]) + by + operandText(t.Operands[1]) + ")"
}

func whereText(e ast.Expression) string {
	if e == nil {
		return ""
	}
	return " WHERE " + Text(e)
}

func lengthText(l *ast.Length) string {
	text := "*"
	if l.Min != nil {
		text += strconv.FormatInt(*l.Min, 10)
	}
	text += ".."
	if l.Max != nil {
		text += strconv.FormatInt(*l.Max, 10)
	}
	return text
}

func arrow(d ast.Direction, inside string) string {
	switch d {
	case ast.Outgoing:
		return "-[" + inside + "]->"
	case ast.Incoming:
		return "<-[" + inside + "]-"
	}
	return "-[" + inside + "]-"
}

// colons joins labels or types, with a colon before the first.
func colons(names []string, by string) string {
	if len(names) == 0 {
		return ""
	}
	return ":" + strings.Join(names, by)
}

func texts(list []ast.Expression) string {
	all := make([]string, len(list))
	for i, e := range list {
		all[i] = Text(e)
	}
	return strings.Join(all, ", ")
}

func someText(e ast.Expression) string {
	if e == nil {
		return ""
	}
	return Text(e)
}
