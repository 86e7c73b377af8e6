#include "ptx.h"

#include <cctype>
#include <cstring>
#include <set>

namespace softcuda {

namespace {

// A Reader goes through a text token by token: a word with its dots, or one other character.
class Reader {
public:
	explicit Reader(const char *text) : at(text) { next(); }

	Token token; // "" at the end

	void next() {
		space();
		const char *from = at;
		if (*at == '"')
			while (*++at && *at != '"')
				;
		else
			while (word(*at))
				at++;
		if (at == from || *at == '"')
			at += *at != 0;
		token = {std::string(from, at), line};
	}
	bool is(const char *text) const { return token.text == text; }
	bool ended() const { return token.text.empty(); }
	std::string take() {
		std::string text = token.text;
		next();
		return text;
	}
	void expect(const char *text) {
		if (!is(text))
			throw Invalid(token.line, "'" + token.text + "', where '" + text + "' was expected");
		next();
	}

	// skip goes past what is in braces; at is behind the opening one.
	void skip() {
		for (int depth = 1; depth;) {
			space();
			if (!*at)
				throw Invalid(line, "the text ends within braces");
			depth += *at == '{' ? 1 : *at == '}' ? -1 : 0;
			at++;
		}
		next();
	}

private:
	static bool word(char c) { return isalnum((unsigned char)c) || strchr("_.$%@", c) ? c != 0 : false; }

	void space() {
		for (;; at++)
			if (*at == '\n')
				line++;
			else if (at[0] == '/' && at[1] == '/')
				at += strcspn(at, "\n"), at--;
			else if (at[0] == '/' && at[1] == '*')
				comment();
			else if (!*at || !isspace((unsigned char)*at))
				return;
	}
	void comment() {
		const char *end = strstr(at + 2, "*/");
		if (!end)
			throw Invalid(line, "a comment has no end");
		for (; at < end + 1; at++)
			line += *at == '\n';
	}

	const char *at;
	int line = 1;
};

// parameters are those in parentheses: .param .u64 .ptr .align 8 name, …
std::vector<Parameter> parameters(Reader &r) {
	std::vector<Parameter> all;
	r.expect("(");
	while (!r.is(")")) {
		Parameter p;
		for (; !r.is(",") && !r.is(")"); r.next()) {
			if (r.ended())
				throw Invalid(r.token.line, "parameters have no end");
			static const std::set<std::string> about = {".param", ".ptr", ".global", ".align", ".reg"};
			if (r.token.text[0] == '.' && !about.count(r.token.text))
				p.type = r.token.text.substr(1);
			else if (r.token.text[0] != '.')
				p.name = r.token.text;
		}
		all.push_back(p);
		if (r.is(","))
			r.next();
	}
	r.next();
	return all;
}

// body is that of a function, behind its opening brace.
std::vector<Token> body(Reader &r) {
	std::vector<Token> all;
	for (int depth = 1; depth; r.next()) {
		if (r.ended())
			throw Invalid(r.token.line, "a function has no end");
		depth += r.is("{") ? 1 : r.is("}") ? -1 : 0;
		if (depth)
			all.push_back(r.token);
	}
	return all;
}

Declaration declaration(Reader &r, bool (*wanted)(const std::string &)) {
	Declaration d{r.is(".entry"), false, "", r.token.line, {}, {}, {}};
	r.next();
	if (r.is("("))
		d.results = parameters(r);
	d.name = r.take();
	if (r.is("("))
		d.parameters = parameters(r);
	while (!r.is("{") && !r.is(";")) { // .maxntid 256, 1, 1 and the like
		if (r.ended())
			throw Invalid(d.line, "'" + d.name + "' has no end");
		r.next();
	}
	d.defined = r.is("{");
	if (d.defined && wanted(d.name)) {
		r.next();
		d.body = body(r);
	} else if (d.defined) {
		r.skip();
	} else {
		r.next();
	}
	return d;
}

// statement goes past what declares neither: .visible, .global .align 8 .u64 x[2] = {1, 2}; …
void statement(Reader &r) {
	if (r.is("{"))
		r.skip();
	else
		r.next();
}

void header(Reader &r) {
	for (const char *directive : {".version", ".target", ".address_size"}) {
		if (!r.is(directive))
			throw Invalid(r.token.line, std::string("Missing ") + directive + " directive at start of file");
		r.next();
		r.next();
		while (r.is(",")) // .target sm_70, debug
			r.next(), r.next();
	}
}

} // namespace

std::vector<Declaration> declarations(const char *text, bool (*wanted)(const std::string &)) {
	Reader r(text);
	header(r);
	std::vector<Declaration> all;
	while (!r.ended())
		if (r.is(".entry") || r.is(".func"))
			all.push_back(declaration(r, wanted));
		else
			statement(r);
	return all;
}

} // namespace softcuda
