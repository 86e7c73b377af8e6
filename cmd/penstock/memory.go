package main

import (
	"runtime/debug"

	"github.com/spf13/pflag"
)

// programMemory is what the program, the open database and the files being read take
// beside a load.
const programMemory = 64 << 20

// memoryFlag is --memory of commands that load. What is loaded with keeps to it by itself;
// the garbage collector is told, so that garbage takes no more than is left of it.
type memoryFlag struct{ bytes *int64 }

func addMemoryFlag(flags *pflag.FlagSet, bytes *int64) {
	flags.Var(memoryFlag{bytes}, "memory", "`size` of the memory to load with, beside 64MiB for the program; what does not fit is sorted by way of files (default 1GiB, and what the vertices take)")
}

func (f memoryFlag) String() string {
	if f.bytes == nil {
		return ""
	}
	s := size(*f.bytes)
	return s.String()
}

func (f memoryFlag) Set(text string) error {
	var s size
	if err := s.Set(text); err != nil {
		return err
	}
	*f.bytes = int64(s)
	if s > 0 {
		debug.SetMemoryLimit(int64(s) + programMemory)
	}
	return nil
}

func (f memoryFlag) Type() string { return "size" }
