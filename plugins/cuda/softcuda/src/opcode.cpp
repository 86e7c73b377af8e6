#include "opcode.h"

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstring>

namespace softcuda {

namespace {

typedef uint64_t u64;
typedef int64_t s64;

template <class T> T get(const u64 *frame, int place) {
	T value;
	memcpy(&value, &frame[place], sizeof value);
	return value;
}

template <class T> void set(u64 *frame, int place, T value) {
	frame[place] = 0;
	memcpy(&frame[place], &value, sizeof value);
}

// at is the memory that an operand [register + offset] means.
template <class T> T *at(const u64 *frame, int place, const Instruction &i) { return (T *)(frame[place] + i.offset); }

const u64 UNDEFINED = 0xbadc0deddeadbeef; // what a machine may give where PTX says nothing

// PTX's min and max prefer a number to NaN, and put -0 below +0.
double lesser(double a, double b) { return a < b || std::isnan(b) || (a == b && std::signbit(a)) ? a : b; }
double greater(double a, double b) { return a > b || std::isnan(b) || (a == b && !std::signbit(a)) ? a : b; }

// cut is cvt.rzi.s64.f64: what is too large becomes the largest, and NaN the least.
s64 cut(double x) {
	if (std::isnan(x) || x <= -0x1p63)
		return INT64_MIN;
	return x >= 0x1p63 ? INT64_MAX : (s64)x;
}

s64 quotient(s64 a, s64 b) { return b == 0 || (b == -1 && a == INT64_MIN) ? (s64)UNDEFINED : a / b; }
s64 remainder(s64 a, s64 b) { return b == 0 || (b == -1 && a == INT64_MIN) ? (s64)UNDEFINED : a % b; }

#define UNARY(name, Result, A, result, a_type, expression) \
	{name, {result, a_type}, [](u64 *f, const Instruction &i) { A a = get<A>(f, i.from[0]); set<Result>(f, i.to, expression); }}
#define BINARY(name, Result, T, result, type, expression) \
	{name, {result, type, type}, [](u64 *f, const Instruction &i) { T a = get<T>(f, i.from[0]), b = get<T>(f, i.from[1]); set<Result>(f, i.to, expression); }}
#define FLOATS(name, expression) BINARY(name, double, double, "f64", "f64", expression)
#define INTS(name, expression) BINARY(name, s64, s64, "s64", "s64", (s64)(expression))
#define WORDS(name, expression) BINARY(name, u64, u64, "b64", "b64", expression)
#define TRUTHS(name, expression) BINARY(name, u64, u64, "pred", "pred", expression)
#define IF_FLOATS(name, expression) BINARY(name, u64, double, "pred", "f64", expression)
#define IF_INTS(name, expression) BINARY(name, u64, s64, "pred", "s64", expression)
#define SELECT(type) \
	{"selp." type, {type, type, type, "pred"}, [](u64 *f, const Instruction &i) { f[i.to] = f[i.from[2]] ? f[i.from[0]] : f[i.from[1]]; }}
#define MOVE(type) {"mov." type, {type, type}, [](u64 *f, const Instruction &i) { f[i.to] = f[i.from[0]]; }}
#define LOAD(name, T, type) {name, {type, "[global]"}, [](u64 *f, const Instruction &i) { set<u64>(f, i.to, (u64)*at<T>(f, i.from[0], i)); }}
#define STORE(name, T, type) {name, {"[global]", type}, [](u64 *f, const Instruction &i) { *at<T>(f, i.to, i) = get<T>(f, i.from[0]); }}
#define PARAMETER(type) \
	{"ld.param." type, {type, "[param]"}, [](u64 *f, const Instruction &i) { f[i.to] = f[i.from[0]]; }}, \
	{"st.param." type, {"[param]", type}, [](u64 *f, const Instruction &i) { f[i.to] = f[i.from[0]]; }}
#define EIGHT_BYTES(type) \
	MOVE(type), SELECT(type), PARAMETER(type), LOAD("ld.global." type, u64, type), LOAD("ld.global.nc." type, u64, type), STORE("st.global." type, u64, type)

const Opcode known[] = {
	EIGHT_BYTES("b64"), EIGHT_BYTES("u64"), EIGHT_BYTES("s64"), EIGHT_BYTES("f64"),
	// A narrower value in a wider register.
	LOAD("ld.global.u8", uint8_t, ">b8"), LOAD("ld.global.nc.u8", uint8_t, ">b8"), STORE("st.global.u8", uint8_t, ">b8"),
	LOAD("ld.global.s8", int8_t, ">b8"), LOAD("ld.global.u32", uint32_t, ">b32"), LOAD("ld.global.nc.u32", uint32_t, ">b32"),
	LOAD("ld.global.s32", int32_t, ">b32"), STORE("st.global.u32", uint32_t, ">b32"),

	FLOATS("add.rn.f64", a + b), FLOATS("sub.rn.f64", a - b), FLOATS("mul.rn.f64", a * b), FLOATS("div.rn.f64", a / b),
	FLOATS("min.f64", lesser(a, b)), FLOATS("max.f64", greater(a, b)),
	UNARY("neg.f64", double, double, "f64", "f64", -a), UNARY("abs.f64", double, double, "f64", "f64", std::fabs(a)),
	UNARY("sqrt.rn.f64", double, double, "f64", "f64", std::sqrt(a)),

	INTS("add.s64", (u64)a + (u64)b), INTS("sub.s64", (u64)a - (u64)b), INTS("mul.lo.s64", (u64)a * (u64)b),
	INTS("div.s64", quotient(a, b)), INTS("rem.s64", remainder(a, b)), INTS("min.s64", a < b ? a : b), INTS("max.s64", a > b ? a : b),
	UNARY("neg.s64", u64, u64, "s64", "s64", -a), UNARY("abs.s64", u64, u64, "s64", "s64", (s64)a < 0 ? -a : a),
	BINARY("add.u64", u64, u64, "u64", "u64", a + b), BINARY("sub.u64", u64, u64, "u64", "u64", a - b),
	BINARY("mul.lo.u64", u64, u64, "u64", "u64", a * b),

	WORDS("and.b64", a & b), WORDS("or.b64", a | b), WORDS("xor.b64", a ^ b), UNARY("not.b64", u64, u64, "b64", "b64", ~a),
	{"shl.b64", {"b64", "b64", "b32"}, [](u64 *f, const Instruction &i) { u64 n = f[i.from[1]]; f[i.to] = n < 64 ? f[i.from[0]] << n : 0; }},
	{"shr.u64", {"u64", "u64", "b32"}, [](u64 *f, const Instruction &i) { u64 n = f[i.from[1]]; f[i.to] = n < 64 ? f[i.from[0]] >> n : 0; }},
	{"shr.s64", {"s64", "s64", "b32"}, [](u64 *f, const Instruction &i) { u64 n = f[i.from[1]]; f[i.to] = (s64)f[i.from[0]] >> (n < 64 ? n : 63); }},

	TRUTHS("and.pred", a & b), TRUTHS("or.pred", a | b), TRUTHS("xor.pred", a ^ b), UNARY("not.pred", u64, u64, "pred", "pred", !a),
	MOVE("pred"),

	IF_FLOATS("setp.eq.f64", a == b), IF_FLOATS("setp.ne.f64", a < b || a > b), IF_FLOATS("setp.lt.f64", a < b), IF_FLOATS("setp.le.f64", a <= b),
	IF_FLOATS("setp.gt.f64", a > b), IF_FLOATS("setp.ge.f64", a >= b), IF_FLOATS("setp.equ.f64", !(a < b || a > b)),
	IF_FLOATS("setp.neu.f64", a != b), IF_FLOATS("setp.ltu.f64", !(a >= b)), IF_FLOATS("setp.leu.f64", !(a > b)),
	IF_FLOATS("setp.gtu.f64", !(a <= b)), IF_FLOATS("setp.geu.f64", !(a < b)),
	IF_FLOATS("setp.num.f64", !std::isunordered(a, b)), IF_FLOATS("setp.nan.f64", std::isunordered(a, b)),
	IF_INTS("setp.eq.s64", a == b), IF_INTS("setp.ne.s64", a != b), IF_INTS("setp.lt.s64", a < b), IF_INTS("setp.le.s64", a <= b),
	IF_INTS("setp.gt.s64", a > b), IF_INTS("setp.ge.s64", a >= b),
	BINARY("setp.lt.u64", u64, u64, "pred", "u64", a < b), BINARY("setp.ge.u64", u64, u64, "pred", "u64", a >= b),
	BINARY("setp.eq.b64", u64, u64, "pred", "b64", a == b), BINARY("setp.ne.b64", u64, u64, "pred", "b64", a != b),

	UNARY("cvt.rn.f64.s64", double, s64, "f64", "s64", (double)a), UNARY("cvt.rn.f64.u64", double, u64, "f64", "u64", (double)a),
	UNARY("cvt.rzi.s64.f64", s64, double, "s64", "f64", cut(a)),
	UNARY("cvt.rn.f32.f64", float, double, "f32", "f64", (float)a), UNARY("cvt.f64.f32", double, float, "f64", "f32", (double)a),
};

} // namespace

const Opcode *opcode(const std::string &name) {
	static const std::map<std::string, const Opcode *> &index = *[] {
		auto *all = new std::map<std::string, const Opcode *>;
		for (const Opcode &o : known)
			(*all)[o.name] = &o;
		return all;
	}();
	auto found = index.find(name);
	return found == index.end() ? nullptr : found->second;
}

} // namespace softcuda
