// An expression of numbers at a vertex, an edge or a row of a parameter, which a thread computes for one column. It is
// code for a machine with a stack; nothing that it computes on its way leaves the thread.
#pragma once
#include "block.cuh"
#include "memory.cuh"
#include "network_function.cuh"

// Instruction is network.go's. What takes no operand of its own leaves it 0.
struct Instruction {
	u32 code;
	u32 a, b;
	f32 number;
	u64 at;
};

enum Code {
	END,
	// A number is put on the stack. Its column is the current one, divided by a.
	OF_ROW,    // rows of b numbers
	OF_SOURCE, // likewise
	OF_TARGET, // likewise
	OF_ONE,    // one row for all
	OF_EDGE,   // one number an edge
	CONSTANT,
	FACTOR, // of a dropout: 0 if a random number of 16 bits is below b, else number; at is the key
	// The column changes, until BACK, which leaves what is on the stack.
	NARROW, // divided by a
	MOVE,   // by a
	BACK,
	// Of two rows side by side.
	BRANCH, // to b, where the column is a or more
	JUMP,   // to b
	// Sums over columns: what is between the first and the last is computed for each.
	PARTS,
	PARTS_NEXT, // of a columns each; b is where it begins
	TERMS,
	TERMS_NEXT,            // a columns, times the matrix at, of rows of so many numbers as the bits of number say
	TERMS_TRANSPOSED_NEXT, // a columns, times the transposed matrix
	// Of one number.
	NEGATE,
	RELU,
	LEAKY_RELU,
	ELU,
	SIGMOID,
	TANH,
	EXP,
	LOG,
	SQRT,
	SOFTPLUS,
	ABS,
	POSITIVE,
	LEAKY_SLOPE,
	ELU_SLOPE,
	SIGN,
	// Of two.
	ADD,
	SUBTRACT,
	MULTIPLY,
	DIVIDE,
	MOST,
	EQUAL,
	GREATER,
};

// Vertices are those that rows are of: these from the first on, and at the other end of edges those that others names;
// null: all.
struct Vertices {
	u64 first;
	const u32 *others;
};

// Place is what an expression is computed for.
struct Place {
	u64 row; // of vertices, or of a parameter
	u64 source, target, edge;
	bool is_edge, at_source; // its rows are those of the sources
	Vertices of;
};

const u32 DEPTH = 24; // of the stack
typedef f32 (*Stack)[BLOCK];

// mix is the finalizer of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014), as package dataflow has it.
__device__ __forceinline__ u64 mix(u64 x) {
	x += 0x9e3779b97f4a7c15;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

// factor is what dataflow.Dropout.Factor is.
__device__ __forceinline__ f32 factor(u64 key, u32 limit, f32 kept, u64 row, u32 column) {
	if (limit == 0) {
		return kept;
	}
	u64 lanes = mix(mix(key ^ mix(row)) + (u64)(column / 4) * 0x9e3779b97f4a7c15);
	return (lanes >> (column % 4 * 16) & 0xffff) < limit ? 0 : kept;
}

// mask_row numbers the row of a mask.
__device__ __forceinline__ u64 mask_row(const Place &p) {
	if (!p.is_edge) {
		return p.of.first + p.row;
	}
	u64 own = p.of.first + (p.at_source ? p.source : p.target), other = p.at_source ? p.target : p.source;
	if (p.of.others) {
		other = load(p.of.others + other);
	}
	return mix(p.at_source ? own : other) * 3 + (p.at_source ? other : own) + 0xffffffff;
}

// edge_place is that of an edge.
__device__ __forceinline__ Place edge_place(u64 row, u64 other, u64 edge, bool at_source, const Vertices &of) {
	return {row, at_source ? row : other, at_source ? other : row, edge, true, at_source, of};
}

__device__ __forceinline__ f32 of_one(u32 code, f32 x, f32 number) {
	switch (code) {
	case NEGATE:
		return -x;
	case RELU:
		return larger(x, 0);
	case LEAKY_RELU:
		return x > 0 ? x : x * number;
	case ELU:
		return x > 0 ? x : exponential_minus_1(x);
	case SIGMOID:
		return 1 / (1 + exponential(-x));
	case TANH:
		return tangent(x);
	case EXP:
		return exponential(x);
	case LOG:
		return logarithm(x);
	case SQRT:
		return __fsqrt_rn(x);
	case SOFTPLUS:
		return larger(x, 0) + logarithm_plus_1(exponential(x < 0 ? x : -x));
	case ABS:
		return x < 0 ? -x : x;
	case POSITIVE:
		return x > 0 ? 1 : 0;
	case LEAKY_SLOPE:
		return x > 0 ? 1 : number;
	case ELU_SLOPE:
		return x > 0 ? 1 : exponential(x);
	}
	return x == 0 ? 0 : __float_as_uint(x) >> 31 ? -1 : 1; // SIGN
}

__device__ __forceinline__ f32 of_two(u32 code, f32 x, f32 y) {
	switch (code) {
	case ADD:
		return x + y;
	case SUBTRACT:
		return x - y;
	case MULTIPLY:
		return x * y;
	case DIVIDE:
		return y == 0 ? 0 : x / y;
	case MOST:
		return larger(x, y);
	case EQUAL:
		return x == y ? 1 : 0;
	}
	return x > y ? 1 : 0; // GREATER
}

__device__ __forceinline__ f32 number_at(u64 at, u64 place) { return load((const f32 *)at + place); }

// evaluate computes an expression for a column. Each thread of a block uses its own part of the stack.
__device__ __forceinline__ f32 evaluate(const Instruction *code, const Place &p, u32 column, Stack stack) {
	u32 top = 0, t = threadIdx.x, pc = 0, what;
	while ((what = load(&code[pc].code)) != END) {
		const Instruction *i = code + pc++;
		u32 a = load(&i->a), b = load(&i->b);
		switch (what) {
		case OF_ROW:
			stack[top++][t] = number_at(load(&i->at), p.row * b + column / a);
			break;
		case OF_SOURCE:
			stack[top++][t] = number_at(load(&i->at), p.source * b + column / a);
			break;
		case OF_TARGET:
			stack[top++][t] = number_at(load(&i->at), p.target * b + column / a);
			break;
		case OF_ONE:
			stack[top++][t] = number_at(load(&i->at), column / a);
			break;
		case OF_EDGE:
			stack[top++][t] = number_at(load(&i->at), p.edge);
			break;
		case CONSTANT:
			stack[top++][t] = load(&i->number);
			break;
		case FACTOR:
			stack[top++][t] = factor(load(&i->at), b, load(&i->number), mask_row(p), column / a);
			break;
		case NARROW:
			stack[top++][t] = __uint_as_float(column);
			column /= a;
			break;
		case MOVE:
			stack[top++][t] = __uint_as_float(column);
			column += a;
			break;
		case BACK:
			top--;
			column = __float_as_uint(stack[top - 1][t]);
			stack[top - 1][t] = stack[top][t];
			break;
		case BRANCH:
			pc = column < a ? pc : b;
			break;
		case JUMP:
			pc = b;
			break;
		case PARTS:
		case TERMS:
			stack[top++][t] = __uint_as_float(column);
			stack[top++][t] = 0;
			column = what == PARTS ? column * a : 0;
			break;
		case PARTS_NEXT:
		case TERMS_NEXT:
		case TERMS_TRANSPOSED_NEXT: {
			f32 term = stack[--top][t];
			u32 outer = __float_as_uint(stack[top - 2][t]);
			if (what == TERMS_NEXT) {
				term *= number_at(load(&i->at), (u64)column * __float_as_uint(load(&i->number)) + outer);
			} else if (what == TERMS_TRANSPOSED_NEXT) {
				term *= number_at(load(&i->at), (u64)outer * a + column);
			}
			term += stack[top - 1][t];
			column++;
			if (what == PARTS_NEXT ? column < (outer + 1) * a : column < a) {
				stack[top - 1][t] = term;
				pc = b;
			} else {
				column = outer;
				top--;
				stack[top - 1][t] = term;
			}
			break;
		}
		default:
			if (what < ADD) {
				stack[top - 1][t] = of_one(what, stack[top - 1][t], load(&i->number));
			} else {
				top--;
				stack[top - 1][t] = of_two(what, stack[top - 1][t], stack[top][t]);
			}
		}
	}
	return stack[0][t];
}
