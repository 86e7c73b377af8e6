package main

import (
	"strings"

	"github.com/dustin/go-humanize"
)

func bytesText(n uint64) string { return humanize.IBytes(n) }

func countText(n uint64) string { return humanize.Comma(int64(n)) }

func formatList(names []string) string { return strings.Join(names, ", ") }
