// check NAME runs a test; check alone lists them.
#include "check.h"

int main(int count, char **arguments) {
	if (count < 2) {
		for (const auto &t : tests())
			puts(t.first.c_str());
		return 0;
	}
	auto found = tests().find(arguments[1]);
	CHECK(found != tests().end());
	found->second();
	return 0;
}
