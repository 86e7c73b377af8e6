#include "settings.h"

#include <cstdlib>

namespace softcuda {

std::string setting(const char *name) {
	const char *value = getenv(name);
	return value ? value : "";
}

uint64_t number(const char *name, uint64_t where_it_is_not) {
	std::string value = setting(name);
	return value.empty() ? where_it_is_not : strtoull(value.c_str(), nullptr, 10);
}

} // namespace softcuda
