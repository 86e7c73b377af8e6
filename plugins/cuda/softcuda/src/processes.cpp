#include "processes.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <sstream>

#include "settings.h"

namespace softcuda {

Processes::Processes(int card) : card(card), file(-1) {
	std::string path = setting("SOFTCUDA_SHARED");
	if (path.empty())
		return;
	file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (file < 0 || flock(file, LOCK_EX)) {
		dprintf(2, "softcuda: SOFTCUDA_SHARED=%s: %m\n", path.c_str());
		abort();
	}
	read();
}

Processes::~Processes() {
	if (file >= 0)
		close(file); // and with it the lock
}

void Processes::read() {
	std::string text(lseek(file, 0, SEEK_END), 0);
	if (pread(file, &text[0], text.size(), 0) != (ssize_t)text.size())
		return;
	std::istringstream lines(text);
	for (Share s; lines >> s.process >> s.card >> s.bytes;)
		if (kill(s.process, 0) == 0 || errno == EPERM)
			shares.push_back(s);
}

void Processes::write() {
	std::ostringstream text;
	for (const Share &s : shares)
		text << s.process << ' ' << s.card << ' ' << s.bytes << '\n';
	std::string t = text.str();
	if (ftruncate(file, 0) || pwrite(file, t.data(), t.size(), 0) != (ssize_t)t.size())
		dprintf(2, "softcuda: SOFTCUDA_SHARED: %m\n");
}

uint64_t Processes::others() const {
	uint64_t bytes = 0;
	for (const Share &s : shares)
		if (s.card == card && s.process != getpid())
			bytes += s.bytes;
	return bytes;
}

void Processes::use(uint64_t bytes) {
	if (file < 0)
		return;
	for (Share &s : shares)
		if (s.card == card && s.process == getpid()) {
			s.bytes = bytes;
			return write();
		}
	shares.push_back({getpid(), card, bytes});
	write();
}

} // namespace softcuda
