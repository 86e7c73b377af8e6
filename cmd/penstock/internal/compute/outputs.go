package compute

import (
	"context"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/formats/result"
	"github.com/penstock-db/penstock/internal/cli"
	"github.com/penstock-db/penstock/internal/instance"
)

// outputs are where a result goes.
type outputs struct {
	file, property string
	top            int
	accounting     bool
	why            bool // how it was chosen
}

// check refuses what could not be written, before anything is computed.
func (to outputs) check(flags *pflag.FlagSet) error {
	for flag, value := range map[string]string{"out": to.file, "write": to.property} {
		if value == "" && flags.Changed(flag) {
			return cli.UsageError{Err: fmt.Errorf("--%s is empty", flag)}
		}
	}
	if to.top < 0 {
		return cli.UsageError{Err: fmt.Errorf("--top %d: a number of vertices cannot be negative", to.top)}
	}
	if to.file == "" {
		return nil
	}
	if err := result.Check(to.file); err != nil {
		return cli.UsageError{Err: err}
	}
	return nil
}

// delivered is a result that has been written where it was asked for.
type delivered struct {
	*instance.Result
	outputs
	rankings [][]instance.Ranked // of the result, or of that from each source
	snapshot uint64              // that the property was written to
}

// deliver writes the result to the file and the property, and ranks it.
func (to outputs) deliver(ctx context.Context, computed *instance.Result) (d delivered, err error) {
	d = delivered{Result: computed, outputs: to}
	if to.file != "" {
		if err := computed.WriteFile(ctx, to.file); err != nil {
			return d, err
		}
	}
	if to.property != "" {
		written, err := computed.Write(ctx, to.property)
		if err != nil {
			return d, err
		}
		d.snapshot = written.ID
	}
	d.rankings, err = rankings(ctx, computed, to.top)
	return d, err
}

// rankings are the largest values of the result, or of that from each source.
func rankings(ctx context.Context, computed *instance.Result, n int) (all [][]instance.Ranked, err error) {
	for i := range max(1, len(computed.Report.Sources)) {
		ranked, err := computed.TopOf(ctx, i*computed.PerSource(), n)
		if err != nil {
			return nil, err
		}
		all = append(all, ranked)
	}
	return all, nil
}
