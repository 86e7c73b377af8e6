package lower

// operator adds the instructions of an operator to a function and gives their value.
type operator func(f *function, args ...register) register

// operators has one for each overload of algorithms.Operators.
var operators = map[string]operator{
	"add_double": words("add.rn.f64"), "add_int64": words("add.s64"),
	"subtract_double": words("sub.rn.f64"), "subtract_int64": words("sub.s64"),
	"multiply_double": words("mul.rn.f64"), "multiply_int64": words("mul.lo.s64"),
	"divide_double": words("div.rn.f64"), "divide_int64": quotient,
	"modulo_int64":  remainder,
	"negate_double": words("neg.f64"), "negate_int64": words("neg.s64"),

	"less_double": truths("setp.lt.f64"), "less_int64": truths("setp.lt.s64"),
	"less_equals_double": truths("setp.le.f64"), "less_equals_int64": truths("setp.le.s64"),
	"greater_double": truths("setp.gt.f64"), "greater_int64": truths("setp.gt.s64"),
	"greater_equals_double": truths("setp.ge.f64"), "greater_equals_int64": truths("setp.ge.s64"),
	"equals_double": truths("setp.eq.f64"), "equals_int64": truths("setp.eq.s64"), "equals_bool": equal,
	"not_equals_double": truths("setp.neu.f64"), "not_equals_int64": truths("setp.ne.s64"),
	"not_equals_bool": truths("xor.pred"),

	"logical_not": truths("not.pred"), "logical_and": truths("and.pred"), "logical_or": truths("or.pred"),
	"conditional_double": conditional, "conditional_int64": conditional, "conditional_bool": conditionalBool,

	"min_double": orNaN("min.f64"), "min_int64": words("min.s64"),
	"max_double": orNaN("max.f64"), "max_int64": words("max.s64"),
	"abs_double": words("abs.f64"), "abs_int64": absolute,
	"sqrt_double": words("sqrt.rn.f64"), "exp_double": calls("penstock_exp"), "log_double": calls("penstock_log"),

	"int64_to_double": words("cvt.rn.f64.s64"), "double_to_double": same, "single_double": toSingle,
	"double_to_int64": toInt, "int64_to_int64": same,
}

func words(opcode string) operator {
	return func(f *function, args ...register) register { return f.word(opcode, args...) }
}

func truths(opcode string) operator {
	return func(f *function, args ...register) register { return f.truth(opcode, args...) }
}

func calls(name string) operator {
	return func(f *function, args ...register) register { return f.call(name, args[0]) }
}

func same(_ *function, args ...register) register { return args[0] }

// divisor is b, or 1 where PTX leaves the division by b undefined.
func divisor(f *function, b register) (safe, isZero, isMinusOne register) {
	isZero = f.truth("setp.eq.s64", b, f.literal(0))
	isMinusOne = f.truth("setp.eq.s64", b, f.literal(^uint64(0)))
	return f.choose(f.truth("or.pred", isZero, isMinusOne), f.literal(1), b), isZero, isMinusOne
}

func quotient(f *function, args ...register) register {
	safe, isZero, isMinusOne := divisor(f, args[1])
	plain := f.word("div.s64", args[0], safe)
	negated := f.word("neg.s64", args[0])
	return f.choose(isZero, f.literal(0), f.choose(isMinusOne, negated, plain))
}

// remainder has 1 for a divisor of 0 or -1 as well, which leaves 0.
func remainder(f *function, args ...register) register {
	safe, _, _ := divisor(f, args[1])
	return f.word("rem.s64", args[0], safe)
}

func equal(f *function, args ...register) register {
	return f.truth("not.pred", f.truth("xor.pred", args...))
}

func conditional(f *function, args ...register) register { return f.choose(args[0], args[1], args[2]) }

// conditionalBool does what selp would, which does not take truths.
func conditionalBool(f *function, args ...register) register {
	yes := f.truth("and.pred", args[0], args[1])
	no := f.truth("and.pred", f.truth("not.pred", args[0]), args[2])
	return f.truth("or.pred", yes, no)
}

// orNaN is PTX's min or max, which put -0 below +0 but prefer a number to NaN, and NaN where an
// argument is: so is then their sum.
func orNaN(opcode string) operator {
	return func(f *function, args ...register) register {
		isNaN := f.truth("setp.nan.f64", args...)
		return f.choose(isNaN, f.word("add.rn.f64", args...), f.word(opcode, args...))
	}
}

func absolute(f *function, args ...register) register {
	return f.word("max.s64", args[0], f.word("neg.s64", args[0]))
}

func toSingle(f *function, args ...register) register {
	return f.word("cvt.f64.f32", f.set(single, "cvt.rn.f32.f64", args[0].String()))
}

// toInt cuts towards zero; the conversion itself holds at the ends, but makes something of NaN.
func toInt(f *function, args ...register) register {
	isNaN := f.truth("setp.nan.f64", args[0], args[0])
	return f.choose(isNaN, f.literal(0), f.word("cvt.rzi.s64.f64", args[0]))
}
