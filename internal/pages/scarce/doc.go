// Package scarce tells how much memory there is for a process, and has the process's program be read in little of it.
//
// Linux reads as much around a fault in code as the disk is told to read ahead, megabytes on some; recent versions,
// 6.18 for one, do so even where a mapping is to be read in random order (MADV_RANDOM). Where memory is scarce that
// pushes out more of the program than it brings, again and again. It reads nothing beyond the ends of a mapping
// though. So code becomes many mappings, pieces of the same file, side by side.
//
// It depends on package syscall alone, as package early wants it.
package scarce

// Little is so much memory that two programs and their garbage matter in it.
const Little = 256 << 20
