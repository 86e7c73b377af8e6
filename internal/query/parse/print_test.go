package parse

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

// printer writes syntax trees as text, with all the parentheses and quotes there can be.
type printer struct{ strings.Builder }

func printed(s *ast.Statement) string {
	p := &printer{}
	p.WriteString(map[ast.Mode]string{ast.Execute: "", ast.Explain: "EXPLAIN ", ast.Profile: "profile "}[s.Mode])
	switch {
	case s.Query != nil:
		p.query(s.Query)
	case s.Call != nil:
		p.clause(s.Call)
	default:
		p.schema(s.Schema)
	}
	return p.String()
}

func (p *printer) f(format string, args ...any) { fmt.Fprintf(&p.Builder, format, args...) }

func quotedName(s string) string { return "`" + strings.ReplaceAll(s, "`", "``") + "`" }

func (p *printer) query(q *ast.Query) {
	for i, part := range q.Parts {
		if i > 0 {
			p.WriteString(map[bool]string{true: "UNION ALL ", false: "UNION "}[q.All[i-1]])
		}
		for _, c := range part.Clauses {
			p.clause(c)
		}
	}
}

func (p *printer) clause(c ast.Clause) {
	switch c := c.(type) {
	case *ast.MatchClause:
		p.WriteString(map[bool]string{true: "OPTIONAL MATCH ", false: "MATCH "}[c.Optional])
		p.patterns(c.Patterns)
		p.where(c.Where)
	case *ast.UnwindClause:
		p.f("UNWIND %s AS %s ", text(c.List), quotedName(c.As))
	case *ast.ProjectClause:
		p.projection(c)
	case *ast.CallClause:
		p.call(c)
	case *ast.SubqueryClause:
		p.WriteString("CALL { ")
		p.query(c.Query)
		p.WriteString("} ")
	case *ast.CreateClause:
		p.WriteString("CREATE ")
		p.patterns(c.Patterns)
	case *ast.MergeClause:
		p.WriteString("MERGE ")
		p.pattern(c.Pattern)
		p.set("ON CREATE SET ", c.OnCreate)
		p.set("ON MATCH SET ", c.OnMatch)
	case *ast.SetClause:
		p.set("SET ", c.Items)
	case *ast.RemoveClause:
		p.set("REMOVE ", c.Items)
	case *ast.DeleteClause:
		p.f("%sDELETE %s ", map[bool]string{true: "DETACH "}[c.Detach], texts(c.Expressions))
	case *ast.ForeachClause:
		p.f("FOREACH (%s IN %s | ", quotedName(c.Variable), text(c.List))
		for _, inner := range c.Clauses {
			p.clause(inner)
		}
		p.WriteString(") ")
	}
}

func (p *printer) projection(c *ast.ProjectClause) {
	p.WriteString(map[bool]string{true: "RETURN ", false: "WITH "}[c.Return] +
		map[bool]string{true: "DISTINCT "}[c.Distinct])
	var items []string
	if c.Star {
		items = append(items, "*")
	}
	for _, item := range c.Items {
		items = append(items, text(item.Expression)+" AS "+quotedName(item.Alias))
	}
	p.WriteString(strings.Join(items, ", ") + " ")
	for i, item := range c.OrderBy {
		p.f("%s%s%s ", map[bool]string{true: "ORDER BY ", false: ", "}[i == 0], text(item.Expression),
			map[bool]string{true: " DESC"}[item.Descending])
	}
	if c.Skip != nil {
		p.f("SKIP %s ", text(c.Skip))
	}
	if c.Limit != nil {
		p.f("LIMIT %s ", text(c.Limit))
	}
	p.where(c.Where)
}

func (p *printer) call(c *ast.CallClause) {
	p.f("CALL %s", c.Procedure)
	if !c.Implicit {
		p.f("(%s)", texts(c.Arguments))
	}
	var items []string
	if c.YieldAll {
		items = append(items, "*")
	}
	for _, item := range c.Yield {
		items = append(items, quotedName(item.Column)+" AS "+quotedName(item.As))
	}
	if c.Yields {
		p.f(" YIELD %s", strings.Join(items, ", "))
	}
	p.WriteString(" ")
	p.where(c.Where)
}

func (p *printer) where(e ast.Expression) {
	if e != nil {
		p.f("WHERE %s ", text(e))
	}
}

func (p *printer) set(word string, items []ast.SetItem) {
	for i, item := range items {
		if i > 0 {
			word = ", "
		}
		p.f("%s(%s)", word, text(item.Target))
		switch {
		case item.Key != "":
			p.f(".%s", quotedName(item.Key))
		case item.Labels != nil:
			p.labels(":", item.Labels)
		}
		if item.Value != nil {
			p.f(" %s %s", map[bool]string{true: "+=", false: "="}[item.Merge], text(item.Value))
		}
		p.WriteString(" ")
	}
}

func (p *printer) labels(separator string, labels []string) {
	for i, label := range labels {
		if i == 0 {
			p.f(":%s", quotedName(label))
		} else {
			p.f("%s%s", separator, quotedName(label))
		}
	}
}

func (p *printer) patterns(all []ast.PathPattern) {
	for i, pattern := range all {
		if i > 0 {
			p.WriteString(", ")
		}
		p.pattern(pattern)
	}
}

func (p *printer) pattern(pattern ast.PathPattern) {
	if pattern.Variable != "" {
		p.f("%s = ", quotedName(pattern.Variable))
	}
	p.path(pattern)
}

func (p *printer) path(pattern ast.PathPattern) {
	p.WriteString(map[ast.Shortest]string{ast.ShortestPath: "shortestPath(",
		ast.AllShortest:    "allShortestPaths(",
		ast.ShortestPaths:  fmt.Sprintf("SHORTEST %d (", pattern.Count),
		ast.ShortestGroups: fmt.Sprintf("SHORTEST %d GROUPS (", pattern.Count)}[pattern.Shortest])
	for i, node := range pattern.Nodes {
		p.node(node)
		if i < len(pattern.Relationships) {
			p.relationship(pattern.Relationships[i])
		}
	}
	p.WriteString(map[bool]string{true: ")"}[pattern.Shortest != ast.AnyPath] + " ")
}

func (p *printer) node(n ast.NodePattern) {
	p.WriteString("(")
	p.filling(n.Variable, n.Labels, ":", nil, n.Properties, n.Where)
	p.WriteString(")")
}

func (p *printer) relationship(r ast.RelationshipPattern) {
	p.WriteString(map[bool]string{true: "<-[", false: "-["}[r.Direction == ast.Incoming])
	p.filling(r.Variable, r.Types, "|", r.Length, r.Properties, r.Where)
	p.WriteString(map[bool]string{true: "]->", false: "]-"}[r.Direction == ast.Outgoing])
}

func (p *printer) filling(variable string, labels []string, separator string, length *ast.Length, properties,
	where ast.Expression) {
	if variable != "" {
		p.WriteString(quotedName(variable))
	}
	p.labels(separator, labels)
	if length != nil {
		p.WriteString("*")
		if length.Min != nil {
			p.f("%d", *length.Min)
		}
		p.WriteString("..")
		if length.Max != nil {
			p.f("%d", *length.Max)
		}
	}
	if properties != nil {
		p.WriteString(" " + text(properties))
	}
	p.WriteString(" ")
	p.where(where)
}

func (p *printer) schema(s *ast.SchemaCommand) {
	constraint := map[bool]string{true: "CONSTRAINT", false: "INDEX"}[s.What != ast.RangeIndex]
	switch s.Action {
	case ast.Show:
		p.f("SHOW %sS", strings.Replace(constraint, "INDEX", "INDEXE", 1))
		return
	case ast.Drop:
		p.f("DROP %s %s%s", constraint, quotedName(s.Name), map[bool]string{true: " IF EXISTS"}[s.IfTolerated])
		return
	}
	p.f("CREATE %s ", constraint)
	if s.Name != "" {
		p.WriteString(quotedName(s.Name))
	}
	p.f("%s FOR %s ", map[bool]string{true: " IF NOT EXISTS"}[s.IfTolerated],
		fmt.Sprintf(map[bool]string{true: "()-[x:%s]-()", false: "(x:%s)"}[s.OnRelationship], quotedName(s.Label)))
	var properties []string
	for _, property := range s.Properties {
		properties = append(properties, "x."+quotedName(property))
	}
	p.f("%s (%s)", map[bool]string{true: "ON", false: "REQUIRE"}[s.What == ast.RangeIndex], strings.Join(properties, ", "))
	p.WriteString(map[ast.SchemaKind]string{ast.UniqueConstraint: " IS UNIQUE", ast.ExistsConstraint: " IS NOT NULL",
		ast.KeyConstraint: " IS NODE KEY"}[s.What])
}

func texts(all []ast.Expression) string {
	var list []string
	for _, e := range all {
		list = append(list, text(e))
	}
	return strings.Join(list, ", ")
}

var operatorText = [...]string{
	"OR", "XOR", "AND", "=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "^", "IN", "STARTS WITH", "ENDS WITH",
	"CONTAINS", "=~",
}

func text(e ast.Expression) string {
	p := &printer{}
	p.expression(e)
	return p.String()
}

func (p *printer) expression(e ast.Expression) {
	switch e := e.(type) {
	case *ast.Literal:
		p.WriteString(literalText(e.Value))
	case *ast.Variable:
		p.WriteString(quotedName(e.Name))
	case *ast.Parameter:
		p.f("$%s", quotedName(e.Name))
	case *ast.Property:
		p.f("(%s).%s", text(e.Subject), quotedName(e.Key))
	case *ast.HasLabels:
		p.f("(%s)", text(e.Subject))
		p.labels(":", e.Labels)
	case *ast.ListLiteral:
		p.f("[%s]", texts(e.Elements))
	case *ast.MapLiteral:
		var entries []string
		for i, key := range e.Keys {
			entries = append(entries, quotedName(key)+": "+text(e.Values[i]))
		}
		p.f("{%s}", strings.Join(entries, ", "))
	case *ast.MapProjection:
		p.mapProjection(e)
	case *ast.Unary:
		p.f([...]string{"(NOT (%s))", "(-(%s))", "(+(%s))", "((%s) IS NULL)", "((%s) IS NOT NULL)"}[e.Op], text(e.Operand))
	case *ast.Binary:
		p.f("(%s %s %s)", text(e.Left), operatorText[e.Op], text(e.Right))
	case *ast.Index:
		p.f("(%s)[%s]", text(e.Subject), text(e.Index))
	case *ast.Slice:
		p.f("(%s)[%s..%s]", text(e.Subject), someText(e.From), someText(e.To))
	case *ast.Call:
		p.f("%s(%s%s)", e.Function, map[bool]string{true: "DISTINCT "}[e.Distinct], texts(e.Arguments))
	case *ast.CountStar:
		p.WriteString("count(*)")
	default:
		p.scoped(e)
	}
}

func (p *printer) scoped(e ast.Expression) {
	switch e := e.(type) {
	case *ast.Case:
		p.f("CASE %s", someText(e.Subject))
		for i := range e.When {
			p.f(" WHEN %s THEN %s", text(e.When[i]), text(e.Then[i]))
		}
		if e.Else != nil {
			p.f(" ELSE %s", text(e.Else))
		}
		p.WriteString(" END")
	case *ast.ListComprehension:
		p.f("[%s IN %s ", quotedName(e.Variable), text(e.List))
		p.where(e.Where)
		if e.Result != nil {
			p.f("| %s", text(e.Result))
		}
		p.WriteString("]")
	case *ast.PatternComprehension:
		p.WriteString("[")
		p.pattern(e.Pattern)
		p.where(e.Where)
		p.f("| %s]", text(e.Result))
	case *ast.PatternExpression:
		p.path(e.Pattern)
	case *ast.Quantifier:
		p.f("%s(%s IN %s ", [...]string{"all", "ANY", "none", "single"}[e.Kind], quotedName(e.Variable), text(e.List))
		p.where(e.Where)
		p.WriteString(")")
	case *ast.Reduce:
		p.f("reduce(%s = %s, %s IN %s | %s)", quotedName(e.Accumulator), text(e.Initial), quotedName(e.Variable),
			text(e.List), text(e.Result))
	case *ast.Exists:
		p.WriteString(map[bool]string{true: "COUNT { ", false: "exists { "}[e.Count])
		if e.Query != nil {
			p.query(e.Query)
		} else {
			p.patterns(e.Patterns)
			p.where(e.Where)
		}
		p.WriteString("}")
	}
}

func (p *printer) mapProjection(e *ast.MapProjection) {
	var items []string
	for _, item := range e.Items {
		switch {
		case item.All:
			items = append(items, ".*")
		case item.Value == nil:
			items = append(items, "."+quotedName(item.Key))
		default:
			items = append(items, quotedName(item.Key)+": "+text(item.Value))
		}
	}
	p.f("%s {%s}", text(e.Subject), strings.Join(items, ", "))
}

func someText(e ast.Expression) string {
	if e == nil {
		return ""
	}
	return text(e)
}

func literalText(v value.Value) string {
	switch v.Kind() {
	case value.Bool:
		return strconv.FormatBool(v.Bool())
	case value.Int:
		return strconv.FormatInt(v.Int(), 10)
	case value.Float:
		return strconv.FormatFloat(v.Float(), 'e', -1, 64)
	case value.String:
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v.Str()) + `"`
	}
	return "null"
}
