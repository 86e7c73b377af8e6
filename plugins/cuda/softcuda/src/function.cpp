#include "function.h"

#include <alloca.h>

#include <cstring>
#include <set>

#include "opcode.h"

// The kernels' own, for what PTX has no instruction of.
extern "C" double penstock_exp(double);
extern "C" double penstock_log(double);

namespace softcuda {

namespace {

const std::set<std::string> lowered_names = {"penstock_init", "penstock_apply", "penstock_process", "penstock_aggregate"};
const size_t MOST_PLACES = 4096; // of a frame, which is on a fiber's stack

double (*native(const std::string &name))(double) {
	return name == "penstock_exp" ? penstock_exp : name == "penstock_log" ? penstock_log : nullptr;
}

unsigned bits(const std::string &type) { return type == "pred" ? 1 : atoi(type.c_str() + 1); }

// suits says whether a register, or .param variable, of a type may be an operand of another, as ptxas has it.
bool suits(const std::string &has, const std::string &wanted) {
	if (wanted[0] == '>') // a load into, or a store from, one that is wider
		return has != "pred" && has[0] != 'f' && bits(has) >= bits(wanted.substr(1));
	bool either = has[0] == 'b' || wanted[0] == 'b', real = has[0] == 'f';
	return has == "pred" || wanted == "pred" ? has == wanted : bits(has) == bits(wanted) && (either || real == (wanted[0] == 'f'));
}

bool type_known(const std::string &type) {
	static const std::set<std::string> all = {"pred", "b32", "u32", "s32", "f32", "b64", "u64", "s64", "f64"};
	return all.count(type);
}

} // namespace

// An Assembler makes a function's instructions of its statements.
class Assembler {
public:
	Assembler(Function &f, const Declaration &d) : f(f), tokens(d.body), line(d.line) {
		for (const Parameter &p : d.parameters)
			declare(p.type, p.name);
		f.arguments = d.parameters.size();
		f.results = d.results.size();
		for (const Parameter &p : d.results)
			declare(p.type, p.name);
	}

	void assemble() {
		while (at < tokens.size())
			statement();
		if (!returned)
			wrong("the function does not end with ret");
		f.constants_at = places;
		for (Instruction &i : f.instructions) // constants are negative until it is known where they are
			for (int *place : {&i.to, &i.from[0], &i.from[1], &i.from[2]})
				if (*place < 0)
					*place = places - 1 - *place;
		f.places = places + f.constants.size();
		if (f.places > MOST_PLACES)
			wrong("the function has more registers than softcuda has room for");
	}

private:
	struct Variable {
		std::string type;
		int place;
	};

	[[noreturn]] void wrong(const std::string &what) const { throw Invalid(line, what); }

	const std::string &peek() const {
		static const std::string end;
		return at < tokens.size() ? tokens[at].text : end;
	}
	std::string take() {
		if (at == tokens.size())
			wrong("the function ends within a statement");
		line = tokens[at].line;
		return tokens[at++].text;
	}
	void expect(const char *text) {
		std::string is = take();
		if (is != text)
			wrong("'" + is + "', where '" + text + "' was expected");
	}

	void statement() {
		std::string word = take();
		if (word == "{" || word == "}" || word == ";") // names in a scope may be declared anew
			return;
		if (word == ".reg" || word == ".param")
			return declaration();
		if (returned)
			wrong("there is something behind ret");
		if (word == "ret") {
			returned = true;
			return expect(";");
		}
		if (word == "call" || word == "call.uni")
			return call();
		instruction(word);
	}

	void declare(const std::string &type, const std::string &name) {
		if (!type_known(type))
			wrong("softcuda knows no type ." + type);
		variables[name] = {type, places++};
	}

	void declaration() {
		std::string type = take().substr(1);
		do {
			std::string name = take();
			if (peek() == "<") {
				take();
				int n = atoi(take().c_str());
				expect(">");
				for (int i = 0; i < n; i++)
					declare(type, name + std::to_string(i));
			} else {
				declare(type, name);
			}
		} while (take() == ",");
	}

	void instruction(const std::string &name) {
		const Opcode *o = opcode(name);
		if (!o)
			wrong("softcuda knows no instruction " + name);
		Instruction i{o->step, 0, {0, 0, 0}, 0, nullptr};
		for (size_t k = 0; k < o->types.size(); k++) {
			if (k)
				expect(",");
			(k ? i.from[k - 1] : i.to) = operand(o->types[k], k == 0, &i.offset);
		}
		expect(";");
		f.instructions.push_back(i);
	}

	int operand(const std::string &type, bool result, int64_t *offset) {
		if (type[0] == '[')
			return address(type, offset);
		std::string text = take();
		if (variables.count(text))
			return variable(text, type);
		if (result)
			wrong("'" + text + "' is not declared");
		return constant(text, type);
	}

	int variable(const std::string &name, const std::string &type) {
		auto found = variables.find(name);
		if (found == variables.end())
			wrong("'" + name + "' is not declared");
		if (!suits(found->second.type, type))
			wrong("Arguments mismatch for instruction: '" + name + "' is of type ." + found->second.type + ", not " + type);
		return found->second.place;
	}

	// address is [register + offset], or [variable] of .param.
	int address(const std::string &type, int64_t *offset) {
		expect("[");
		int place = variable(take(), type == "[param]" ? "b64" : "u64");
		if (peek() == "+" && take() == "+")
			*offset = integer(take());
		expect("]");
		return place;
	}

	uint64_t integer(const std::string &text) {
		bool negative = text == "-";
		std::string digits = negative ? take() : text;
		char *end;
		uint64_t value = strtoull(digits.c_str(), &end, 0);
		if (*end || !isdigit((unsigned char)digits[0]))
			wrong("'" + digits + "' is not declared");
		return negative ? -value : value;
	}

	// constant is an integer, or 0d and the 16 digits of a double's bits; its place is negative until all are known.
	int constant(const std::string &text, const std::string &type) {
		bool real = text.size() == 18 && (text.compare(0, 2, "0d") == 0 || text.compare(0, 2, "0D") == 0);
		if (type == "pred" || type == "f32" || (type[0] == 'f' && !real) || (real && type[0] != 'f' && type[0] != 'b'))
			wrong("'" + text + "' cannot be an operand of type " + type);
		f.constants.push_back(real ? strtoull(text.c_str() + 2, nullptr, 16) : integer(text));
		return -(int)f.constants.size();
	}

	// call is (result), name, (argument), with the variables of .param that were declared for it.
	void call() {
		Instruction i{callee, 0, {0, 0, 0}, 0, nullptr};
		expect("(");
		i.to = variable(take(), "b64");
		expect(")");
		expect(",");
		std::string name = take();
		expect(",");
		expect("(");
		i.from[0] = variable(take(), "b64");
		expect(")");
		expect(";");
		i.native = native(name);
		if (!i.native)
			wrong("call of '" + name + "': softcuda knows penstock_exp and penstock_log alone");
		f.instructions.push_back(i);
	}

	static void callee(uint64_t *frame, const Instruction &i) {
		double x;
		memcpy(&x, &frame[i.from[0]], sizeof x);
		x = i.native(x);
		memcpy(&frame[i.to], &x, sizeof x);
	}

	Function &f;
	const std::vector<Token> &tokens;
	size_t at = 0;
	int line;
	int places = 0;
	bool returned = false;
	std::map<std::string, Variable> variables;
};

Function::Function(const Declaration &d) { Assembler(*this, d).assemble(); }

uint64_t Function::call(const uint64_t *given) const {
	uint64_t *frame = (uint64_t *)alloca(places * sizeof *frame);
	memcpy(frame, given, arguments * sizeof *frame);
	memcpy(frame + constants_at, constants.data(), constants.size() * sizeof *frame);
	for (const Instruction &i : instructions)
		i.step(frame, i);
	return results ? frame[arguments] : 0;
}

bool lowered(const std::string &name) { return lowered_names.count(name); }

Functions functions(const std::vector<Declaration> &all) {
	Functions known;
	std::map<std::string, int> declared;
	for (const Declaration &d : all)
		if (d.defined && lowered(d.name))
			known.emplace(d.name, Function(d));
		else if (lowered(d.name))
			declared[d.name] = d.line;
	for (const auto &d : declared)
		if (!known.count(d.first))
			throw Invalid(d.second, "Unresolved extern function '" + d.first + "'");
	return known;
}

} // namespace softcuda
