// The instructions that are known: what they take, and what they do.
#pragma once

#include "function.h"

namespace softcuda {

// An Opcode's types are those of its operands, the result first: "f64 f64 f64". An address is "[global]" or "[param]",
// of what it points to.
struct Opcode {
	const char *name;
	std::vector<const char *> types;
	void (*step)(uint64_t *frame, const Instruction &);
};

const Opcode *opcode(const std::string &name); // null: it is not known

} // namespace softcuda
