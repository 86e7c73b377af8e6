// The file $SOFTCUDA_SHARED says what each process has of each card, so that several share it as they do
// a real one: a line "PID CARD BYTES" each. What a process had that is no more counts no longer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace softcuda {

// Processes holds the file, locked, while it lives. Where there is none it is alone.
class Processes {
public:
	explicit Processes(int card);
	~Processes();
	uint64_t others() const; // bytes of the card that other processes use
	void use(uint64_t bytes); // by this one

private:
	struct Share {
		int process, card;
		uint64_t bytes;
	};
	void read();
	void write();

	int card, file;
	std::vector<Share> shares;
};

} // namespace softcuda
