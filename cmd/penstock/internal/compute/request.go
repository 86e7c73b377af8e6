package compute

import (
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/penstock-db/penstock/cmd/penstock/internal/app"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/cli"
)

// requestFlags are the flags of run and estimate that say what to compute, and where.
type requestFlags struct {
	graph                  string
	part                   app.Part
	params                 []string
	sources                string
	program                programFlags
	device, core, schedule string
	scaphValue             string
	memory                 cli.Size
	threads                int
	unconfined             []string
	timeout, cpuTime       time.Duration
	synchronous, resume    bool
	every                  time.Duration
	link                   cli.Bandwidth
	flags                  *pflag.FlagSet
}

func (r *requestFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	r.flags = flags
	flags.StringVar(&r.graph, "graph", "", "`graph` to compute on (required)")
	r.part.Add(cmd)
	flags.StringArrayVar(&r.params, "param", nil, "a parameter, `name=value`; may be repeated")
	r.program.add(cmd)
	flags.StringVar(
		&r.sources, "sources", "", "compute from each of these vertices, `ids` with commas in between or @FILE with one a line; results are called NAME_SOURCE")
	flags.StringVar(
		&r.device, "device", "auto", "cpu, auto (cpu, or npu if that is installed and expected to be faster), an installed plugin, or a plugin program's path; several, as in cpu,cpu, share a vertex program; two, as in cpu+npu, are a rest and a dense core (--core)")
	flags.StringVar(
		&r.core, "core", "", "with two devices such as cpu+npu, which vertices are the dense core, whose edges the second is given: auto (what saves most time), degree or rabbit (communities, as the graph is stored), the two also with a share or number, as in degree:10% or rabbit:4096 (default auto)")
	flags.Var(
		&r.memory, "device-memory", "most memory the device may use, or each of several (default half of this machine's, less where that has under 104MiB, more where state of vertices that all send would be cut)")
	flags.DurationVar(&r.cpuTime, "device-cpu-time", 0, app.CPUTimeUsage)
	flags.StringSliceVar(&r.unconfined, "no-confinement", nil, app.UnconfinedUsage)
	flags.IntVar(&r.threads, "threads", 0, "threads on each device (default: the device decides)")
	flags.StringVar(&r.schedule, "schedule", "auto", "how chunks are sent to a device that cannot hold them all: "+
		host.ScheduleUsage)
	flags.StringVar(&r.scaphValue, "scaph-value", "", "by what --schedule scaph values chunks: threshold (shares of useful edges; the default) or model (the paper's throughput model, from measurements of the run)")
	flags.BoolVar(&r.synchronous, "synchronous", false,
		"end every iteration before the next begins, whatever the schedule")
	flags.Var(&r.link, "link-bandwidth", "simulate that chunks reach the device over a link of so many bytes a second")
	flags.BoolVar(
		&r.resume, "resume", false, "write checkpoints of the state to the database during the run, and continue from the last one of a run that failed")
	flags.DurationVar(&r.every, "checkpoint-every", host.DefaultCheckpointEvery,
		"with --resume: least time from one checkpoint to the next")
	app.GoesWith(cmd, "checkpoint-every", "resume")
	flags.DurationVar(&r.timeout, "timeout", host.DefaultTimeout, app.TimeoutUsage)
	if err := cmd.MarkFlagRequired("graph"); err != nil {
		panic(err) // the flag is defined above
	}
	cmd.ValidArgsFunction = completeAlgorithm
	app.OfferGraphs(cmd, "graph")
	app.Offer(cmd, "schedule", host.Schedules...)
	app.Offer(cmd, "scaph-value", host.ThresholdValue, host.ModelValue)
}

// onBuiltIn tells whether the run will be on the built-in device within its walls, as far as flags tell.
func (r *requestFlags) onBuiltIn() bool {
	return (r.device == "cpu" || r.device == "auto") && len(r.unconfined) == 0
}

// request is what the flags and the argument ask for.
func (r *requestFlags) request(args []string) (host.Request, error) {
	params, err := cli.Assignments("--param", r.params)
	if err != nil {
		return host.Request{}, err
	}
	sources, err := r.sourceIDs()
	if err != nil {
		return host.Request{}, err
	}
	request := host.Request{
		Params: params, Sources: sources, Device: r.device, Unconfined: r.unconfined, Core: r.core,
		DeviceMemory: uint64(r.memory), DeviceCPUTime: r.cpuTime, Threads: r.threads, Schedule: r.schedule,
		ScaphValue: r.scaphValue, Synchronous: r.synchronous,
		LinkBandwidth: uint64(r.link.Size), Timeout: r.timeout,
		Resume: r.resume, CheckpointEvery: r.every,
	}
	if len(args) == 1 {
		request.Algorithm = args[0]
		return request, r.program.refuse(args[0])
	}
	request.Custom, err = r.program.custom()
	return request, err
}

// completeAlgorithm offers the algorithms with their summaries.
func completeAlgorithm(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var names []cobra.Completion
	if len(args) == 0 {
		catalog, _ := known() // what is built in can be offered whatever the plugins
		for _, e := range catalog {
			names = append(names, cobra.CompletionWithDesc(e.algorithm.Name, e.algorithm.Summary))
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
