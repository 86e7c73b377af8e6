// What tests tell the library, by variables of the environment. They are read by the thread that calls, when they
// matter, so that a test may set them between two calls.
#pragma once

#include <cstdint>
#include <string>

namespace softcuda {

std::string setting(const char *name);                      // "" where it is not set
uint64_t number(const char *name, uint64_t where_it_is_not); // decimal

} // namespace softcuda
