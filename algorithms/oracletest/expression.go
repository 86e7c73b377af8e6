package oracletest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/penstock-db/penstock/algorithms"
)

// Leaves are the expressions of each type that others are made of: variables and literals.
type Leaves map[algorithms.Type][]string

// Expression makes an expression of type t in which operators stand up to depth deep, any of
// algorithms.Operators.
func Expression(rng *rand.Rand, t algorithms.Type, depth int, leaves Leaves) string {
	if depth == 0 || rng.IntN(8) == 0 {
		return leaves[t][rng.IntN(len(leaves[t]))]
	}
	op := operatorOf(rng, t)
	args := make([]string, len(op.Args))
	for i, arg := range op.Args {
		args[i] = Expression(rng, arg, depth-1, leaves)
	}
	return Spell(op, args...)
}

// operatorOf chooses an operator that gives a t.
func operatorOf(rng *rand.Rand, t algorithms.Type) algorithms.Operator {
	for {
		if op := algorithms.Operators[rng.IntN(len(algorithms.Operators))]; op.Result == t {
			return op
		}
	}
}

// Spell is the call of op as CEL writes it: its name has a _ for each argument, unless it is a function's.
func Spell(op algorithms.Operator, args ...string) string {
	if !strings.Contains(op.Function, "_") {
		return fmt.Sprintf("%s(%s)", op.Function, strings.Join(args, ", "))
	}
	text := ""
	for i, sign := range strings.Split(op.Function, "_") {
		if text += sign; i < len(args) {
			text += " (" + args[i] + ") "
		}
	}
	return "(" + text + ")"
}
