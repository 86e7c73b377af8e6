package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/internal/cli"
)

// bench says where a command is that has become a program of its own.
type bench struct{}

func (bench) Describe() *cobra.Command {
	return &cobra.Command{Use: "bench", Hidden: true, DisableFlagParsing: true}
}

func (bench) Run(context.Context, *app.App, []string) error {
	return cli.UsageError{Err: errors.New(
		"'penstock bench' is a program of its own now: penstock-bench, or in the sources go run ./cmd/penstock-bench")}
}
