// Modules: texts that are loaded, lowered functions, and what is wrong with some.
#include <cmath>
#include <limits>

#include "check.h"

static double value(u64 bits) {
	double x;
	memcpy(&x, &bits, sizeof x);
	return x;
}
static u64 bits(double x) {
	u64 b;
	memcpy(&b, &x, sizeof b);
	return b;
}

// lowered is a text with these statements as penstock_process, whose first two parameters are in %a and %b; the result in %r.
static std::string lowered(const std::string &statements) {
	return ".func penstock_init(.param .b64 program, .param .b64 v)\n{\n\tret;\n}\n"
		   ".func (.param .b64 result) penstock_process(.param .b64 program, .param .b64 chunk, .param .b64 source, .param .b64 target, .param .b64 edge)\n{\n"
		   "\t.reg .b64 %a, %b, %r, %w<9>;\n\t.reg .pred %p<3>;\n\t.reg .f32 %f<2>;\n\t.reg .f64 %d<3>;\n"
		   "\tld.param.b64 %a, [program];\n\tld.param.b64 %b, [chunk];\n" +
		statements + "\n\tst.param.b64 [result], %r;\n\tret;\n}\n";
}

// process runs them on a card.
static u64 process(const std::string &statements, u64 a, u64 b = 0) {
	CUmodule m = module(ptx(lowered(statements)));
	CUfunction f;
	OK(cuModuleGetFunction(&f, m, "test_process"));
	CUdeviceptr out = memory(8);
	OK(launch(nullptr, f, 1, 1, {out, a, b}));
	u64 result = values<u64>(out, 1)[0];
	OK(cuModuleUnload(m));
	return result;
}

static const double INF = std::numeric_limits<double>::infinity(), NaN = std::numeric_limits<double>::quiet_NaN();

TEST(floats) {
	begin();
	const double some[] = {0, -0.0, 1, -1.5, 1e308, -1e308, 5e-324, INF, -INF, NaN, 3, 0.1};
	for (double x : some)
		for (double y : some) {
			auto gives = [&](const char *instruction, double z) {
				double got = value(process(std::string("\t") + instruction + " %r, %a, %b;", bits(x), bits(y)));
				CHECK(std::isnan(z) ? std::isnan(got) : bits(got) == bits(z));
			};
			gives("add.rn.f64", x + y);
			gives("mul.rn.f64", x * y);
			gives("div.rn.f64", x / y);
			gives("min.f64", std::isnan(x) ? y : std::isnan(y) ? x : x == y ? (std::signbit(x) ? x : y) : x < y ? x : y);
			gives("max.f64", std::isnan(x) ? y : std::isnan(y) ? x : x == y ? (std::signbit(x) ? y : x) : x > y ? x : y);
			auto says = [&](const char *compare, bool truth) {
				CHECK(process(std::string("\tsetp.") + compare + ".f64 %p1, %a, %b;\n\tselp.b64 %r, 7, 8, %p1;", bits(x), bits(y)) == (truth ? 7 : 8));
			};
			says("lt", x < y);
			says("neu", x != y);
			says("nan", std::isnan(x) || std::isnan(y));
		}
}

TEST(integers) {
	begin();
	const int64_t least = INT64_MIN, most = INT64_MAX;
	CHECK(process("\tadd.s64 %r, %a, %b;", most, 1) == (u64)least);
	CHECK(process("\tmul.lo.s64 %r, %a, %b;", most, most) == 1);
	CHECK(process("\tdiv.s64 %r, %a, %b;", -7, 2) == (u64)-3);
	CHECK(process("\trem.s64 %r, %a, %b;", -7, 2) == (u64)-1);
	process("\tdiv.s64 %r, %a, %b;", 1, 0); // anything
	process("\trem.s64 %r, %a, %b;", least, -1);
	CHECK(process("\tneg.s64 %r, %a;", least) == (u64)least);
	CHECK(process("\tshl.b64 %r, %a, 64;", 1) == 0);
	CHECK(process("\tshr.s64 %r, %a, 70;", -2) == ~0ull);
	CHECK(process("\tadd.s64 %r, %a, -5;", 3) == (u64)-2);
}

TEST(conversions) {
	begin();
	auto cut = [](double x) { return (int64_t)process("\tcvt.rzi.s64.f64 %r, %a;", bits(x)); };
	CHECK(cut(-2.9) == -2 && cut(1e300) == INT64_MAX && cut(-INF) == INT64_MIN && cut(NaN) == INT64_MIN);
	CHECK(value(process("\tcvt.rn.f64.s64 %r, %a;", (1ull << 53) + 1)) == 0x1p53);
	CHECK(value(process("\tcvt.rn.f32.f64 %f1, %a;\n\tcvt.f64.f32 %r, %f1;", bits(0.1))) == (double)0.1f);
	CHECK(value(process("\tadd.rn.f64 %r, %a, 0d3FF0000000000000;", bits(2))) == 3);
}

TEST(memory_and_calls) {
	begin();
	CUdeviceptr p = put(std::vector<u64>{5, 0x1ff, 7});
	CHECK(process("\tld.global.nc.b64 %r, [%a+16];", p) == 7);
	CHECK(process("\tld.global.u8 %r, [%a+8];", p) == 0xff);
	CHECK(process("\tld.global.s8 %r, [%a+8];", p) == ~0ull);
	CHECK(process("\tst.global.u8 [%a+8], %b;\n\tld.global.b64 %r, [%a+8];", p, 0xab03) == 0x103);
	const char *exponential = "\t{\n\t.param .b64 argument;\n\t.param .b64 returned;\n\tst.param.b64 [argument], %a;\n"
							  "\tcall.uni (returned), penstock_exp, (argument);\n\tld.param.b64 %r, [returned];\n\t}";
	CHECK(value(process(exponential, bits(0))) == 1);
	CHECK(fabs(value(process(exponential, bits(1))) - exp(1)) < 1e-12);
}

// A pointer that is none, followed by an interpreted function.
TEST(wild_load) {
	begin();
	CUmodule m = module(ptx(lowered("\tld.global.b64 %r, [%a+8];")));
	CUfunction f;
	OK(cuModuleGetFunction(&f, m, "test_process"));
	OK(launch(nullptr, f, 1, 1, {memory(8), 64, 0}));
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
}

// refuse loads a text that is wrong; the log says so, and where.
static void refuse(const std::string &text, const std::string &says) {
	CUmodule m;
	char log[1000] = "";
	CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
	void *room[] = {log, (void *)sizeof log};
	GIVES(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&m, text.c_str(), 2, options, room));
	if (!strstr(log, says.c_str()) || !strstr(log, ", line ")) {
		fprintf(stderr, "the log says %s, not %s\n", log, says.c_str());
		exit(1);
	}
	CHECK(strlen(log) + 1 == (u64)room[1]);
	char none[1] = "";
	void *too_little[] = {none, (void *)1};
	GIVES(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&m, text.c_str(), 2, options, too_little));
	GIVES(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&m, text.c_str()));
}

TEST(texts_that_are_wrong) {
	begin();
	refuse("", "Missing .version");
	refuse("hello", "Missing .version");
	refuse(ptx() + ".visible .entry test_nowhere(.param .u64 a) { ret; }", "'test_nowhere' was not compiled");
	refuse(ptx() + ".visible .entry test_iota(.param .f64 a) { ret; }", "parameters of 8 bytes");
	refuse(ptx() + ".visible .entry test_iota(.param .u64 a) { ret;", "within braces");
	refuse(ptx(".func penstock_init(.param .b64 a, .param .b64 b) { ret; }"), "Unresolved extern function 'penstock_process'");
	auto wrong = [](const char *statement, const char *says) { refuse(ptx(lowered(std::string("\t") + statement)), says); };
	wrong("mad.wide.u32 %r, %a, %b, %b;", "knows no instruction mad.wide.u32");
	wrong("mul.f64 %r, %a, %b;", "knows no instruction mul.f64"); // which may become a part of an fma
	wrong("add.s64 %r, %a, %c;", "'%c' is not declared");
	wrong("add.s64 %c, %a, %b;", "'%c' is not declared");
	wrong("add.s64 %d1, %a, %b;", "Arguments mismatch");
	wrong("add.s64 %r, %p1, %b;", "Arguments mismatch");
	wrong("add.rn.f64 %r, %f1, %b;", "Arguments mismatch");
	wrong("setp.lt.f64 %r, %a, %b;", "Arguments mismatch");
	wrong("add.s64 %r, %a;", "where ',' was expected");
	wrong("add.s64 %r, %a, %b, %b;", "where ';' was expected");
	wrong("add.rn.f64 %r, %a, 1;", "cannot be an operand");
	wrong("add.s64 %r, %a, 0d3FF0000000000000;", "cannot be an operand");
	wrong("bra L;", "knows no instruction bra");
	wrong("ret;", "behind ret");
	wrong("call.uni (%w1), cosine, (%w2);", "call of 'cosine'");
}

// The line is that of the text as a whole.
TEST(lines_of_errors) {
	begin();
	refuse(".version 6.3\n.target sm_70, debug\n.address_size 64\n/* a\ncomment */\n.func penstock_init(.param .b64 a)\n{\n\t.reg .b64 %a;\n\tstep %a;\n\tret;\n}\n",
		"line 9; error   : softcuda knows no instruction step");
}
