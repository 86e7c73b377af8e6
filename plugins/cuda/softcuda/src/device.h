// What the driver says of itself and of its cards.
#pragma once

namespace softcuda {

bool initialised(); // cuInit has succeeded

} // namespace softcuda
