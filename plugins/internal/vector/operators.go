package vector

import (
	"math"

	"github.com/penstock-db/penstock/algorithms"
)

// signature finds an operator: CEL's name of the function and the type that chooses
// among its overloads, that of the last argument.
type signature struct {
	function string
	argument algorithms.Type
}

// operator is one loop. bind ties it to its registers.
type operator struct {
	result algorithms.Type
	bind   func(dst *Column, args []*Column) instruction
}

// instruction computes the first n values of a register.
type instruction func(n int)

var operators = map[signature]operator{
	{"_+_", algorithms.Float}: binary(add[float64]), {"_+_", algorithms.Int}: binary(add[int64]),
	{"_-_", algorithms.Float}: binary(subtract[float64]), {"_-_", algorithms.Int}: binary(subtract[int64]),
	{"_*_", algorithms.Float}: binary(multiply[float64]), {"_*_", algorithms.Int}: binary(multiply[int64]),
	{"_/_", algorithms.Float}: binary(divide), {"_/_", algorithms.Int}: binary(quotient),
	{"_%_", algorithms.Int}:   binary(remainder),
	{"min", algorithms.Float}: binary(least[float64]), {"min", algorithms.Int}: binary(least[int64]),
	{"max", algorithms.Float}: binary(greatest[float64]), {"max", algorithms.Int}: binary(greatest[int64]),

	{"_<_", algorithms.Float}: binary(less[float64]), {"_<_", algorithms.Int}: binary(less[int64]),
	{"_<=_", algorithms.Float}: binary(lessEqual[float64]), {"_<=_", algorithms.Int}: binary(lessEqual[int64]),
	{"_>_", algorithms.Float}: binary(greater[float64]), {"_>_", algorithms.Int}: binary(greater[int64]),
	{"_>=_", algorithms.Float}: binary(greaterEqual[float64]), {"_>=_", algorithms.Int}: binary(greaterEqual[int64]),
	{"_==_", algorithms.Float}: binary(equal[float64]), {"_==_", algorithms.Int}: binary(equal[int64]),
	{"_!=_", algorithms.Float}: binary(unequal[float64]), {"_!=_", algorithms.Int}: binary(unequal[int64]),
	{"_==_", algorithms.Bool}: binary(equal[bool]), {"_!=_", algorithms.Bool}: binary(unequal[bool]),

	{"_&&_", algorithms.Bool}: binary(and), {"_||_", algorithms.Bool}: binary(or), {"!_", algorithms.Bool}: unary(not),
	{"_?_:_", algorithms.Float}: ternary(chooseFloats), {"_?_:_", algorithms.Int}: ternary(choose[int64]),
	{"_?_:_", algorithms.Bool}: ternary(choose[bool]),

	{"-_", algorithms.Float}: unary(negate[float64]), {"-_", algorithms.Int}: unary(negate[int64]),
	{"abs", algorithms.Float}: unary(each(math.Abs)), {"abs", algorithms.Int}: unary(absolute),
	{"sqrt", algorithms.Float}: unary(each(math.Sqrt)), {"exp", algorithms.Float}: unary(each(math.Exp)),
	{"log", algorithms.Float}:    unary(each(math.Log)),
	{"single", algorithms.Float}: unary(toSingle),
	{"double", algorithms.Int}:   unary(toFloat), {"double", algorithms.Float}: unary(same[float64]),
	{"int", algorithms.Float}: unary(toInt), {"int", algorithms.Int}: unary(same[int64]),
}

var copies = map[algorithms.Type]operator{
	algorithms.Float: unary(same[float64]), algorithms.Int: unary(same[int64]), algorithms.Bool: unary(same[bool]),
}

func unary[A, R value](loop func(dst []R, a []A)) operator {
	return operator{result: typeOf[R](), bind: func(dst *Column, args []*Column) instruction {
		d, a := Of[R](dst), Of[A](args[0])
		return func(n int) { loop((*d)[:n], (*a)[:n]) }
	}}
}

func binary[A, R value](loop func(dst []R, a, b []A)) operator {
	return operator{result: typeOf[R](), bind: func(dst *Column, args []*Column) instruction {
		d, a, b := Of[R](dst), Of[A](args[0]), Of[A](args[1])
		return func(n int) { loop((*d)[:n], (*a)[:n], (*b)[:n]) }
	}}
}

func ternary[T value](loop func(dst []T, condition []bool, a, b []T)) operator {
	return operator{result: typeOf[T](), bind: func(dst *Column, args []*Column) instruction {
		d, c, a, b := Of[T](dst), Of[bool](args[0]), Of[T](args[1]), Of[T](args[2])
		return func(n int) { loop((*d)[:n], (*c)[:n], (*a)[:n], (*b)[:n]) }
	}}
}

func typeOf[T value]() algorithms.Type {
	switch any(*new(T)).(type) {
	case float64:
		return algorithms.Float
	case bool:
		return algorithms.Bool
	default:
		return algorithms.Int
	}
}
