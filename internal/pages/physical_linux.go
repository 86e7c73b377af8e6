package pages

import (
	"os"

	"github.com/penstock-db/penstock/internal/pages/scarce"
)

// Physical is the bytes this process can hope for: the machine's, or the limit of a
// control group it runs in when that is lower.
func Physical() (uint64, error) {
	bytes, err := scarce.Physical()
	return bytes, os.NewSyscallError("sysinfo", err)
}
