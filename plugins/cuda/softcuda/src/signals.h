// A kernel that touches what is no memory ends with an error, as on a card, and not with the process.
#pragma once

namespace softcuda {

void catch_signals(); // once a process; those of other code go where they went before
void take_signals();  // of a worker's own doing; all others are for the program's threads

} // namespace softcuda
