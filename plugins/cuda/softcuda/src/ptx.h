// What a text of PTX declares: its kernels, and its functions with their text.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace softcuda {

// Invalid is what is wrong with a text, and in which line, as a JIT says it.
struct Invalid : std::runtime_error {
	Invalid(int line, const std::string &what) : std::runtime_error("ptxas application ptx input, line " + std::to_string(line) + "; error   : " + what) {}
};

struct Token {
	std::string text;
	int line;
};

struct Parameter {
	std::string type, name; // "u64"
};

// A Declaration is of a kernel or a function.
struct Declaration {
	bool kernel, defined;
	std::string name;
	int line;
	std::vector<Parameter> results, parameters;
	std::vector<Token> body; // without the braces around
};

// declarations has the bodies of those that are wanted. It throws Invalid.
std::vector<Declaration> declarations(const char *text, bool (*wanted)(const std::string &name));

} // namespace softcuda
