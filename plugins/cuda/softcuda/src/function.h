// A function in PTX, interpreted: straight-line code over 64-bit registers, numbers and truths, as programs are
// lowered to. What is not known is an error of the text; operands are looked at as ptxas does.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ptx.h"

namespace softcuda {

struct Instruction {
	void (*step)(uint64_t *frame, const Instruction &);
	int to, from[3]; // places in the frame
	int64_t offset;  // of an address
	double (*native)(double);
};

class Function {
public:
	explicit Function(const Declaration &); // throws Invalid
	uint64_t call(const uint64_t *arguments) const;

private:
	friend class Assembler;
	size_t arguments, results, constants_at, places;
	std::vector<uint64_t> constants;
	std::vector<Instruction> instructions;
};

typedef std::map<std::string, Function> Functions;

bool lowered(const std::string &name); // it is one of those that kernels call
Functions functions(const std::vector<Declaration> &); // throws Invalid

} // namespace softcuda
