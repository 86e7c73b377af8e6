package function

import (
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/internal/query/ast"
)

// Operator computes a binary operator.
type Operator func(a, b value.Value) (value.Value, error)

var binary = [...]Operator{
	ast.Or: Or, ast.Xor: Xor, ast.And: And,
	ast.Equal: Equal, ast.NotEqual: NotEqual,
	ast.Less: Less, ast.LessEqual: LessEqual, ast.Greater: Greater, ast.GreaterEqual: GreaterEqual,
	ast.Add: Add, ast.Subtract: Subtract, ast.Multiply: Multiply, ast.Divide: Divide, ast.Modulo: Modulo, ast.Power: Power,
	ast.In: In, ast.StartsWith: StartsWith, ast.EndsWith: EndsWith, ast.Contains: Contains, ast.Matches: Matches,
	ast.Concatenate: Concatenate,
}

// Binary is the operator that op stands for.
func Binary(op ast.BinaryOp) Operator { return binary[op] }

var unary = [...]func(value.Value) (value.Value, error){
	ast.Not: Not, ast.Minus: Negate, ast.Plus: Plus, ast.IsNull: IsNull, ast.IsNotNull: IsNotNull,
}

// Unary is the operator of one operand that op stands for.
func Unary(op ast.UnaryOp) func(value.Value) (value.Value, error) { return unary[op] }

// null is no value and no error.
func null() (value.Value, error) { return value.Value{}, nil }
