package host

import (
	"github.com/penstock-db/penstock/internal/schedule"
	"github.com/penstock-db/penstock/plugins"
	"github.com/penstock-db/penstock/plugins/arena"
)

// resident puts every chunk on the device and lets it work on its own: one command for
// the whole computation; but iteration by iteration if state is to be kept, or told to others, in between.
func (r *run) resident() error {
	if err := r.uploadAll(); err != nil {
		return err
	}
	if r.task.Program == nil {
		_, err := r.talk.do(plugins.Command{Op: plugins.Call}, nil)
		return err
	}
	if r.oneByOne() {
		return r.steppedOn()
	}
	if err := r.init(); err != nil {
		return err
	}
	if r.final.Converged {
		return nil
	}
	lap := r.newLap()
	_, err := r.talk.do(plugins.Command{Op: plugins.Iterate}, func(e plugins.Event) {
		if e.Iteration.Number > r.final.Number {
			r.iterated(&lap, *e.Iteration, len(r.chunks))
		}
	})
	return err
}

// oneByOne tells whether every iteration is a command of its own, wherever the chunks are.
func (r *run) oneByOne() bool { return r.keeper != nil || len(r.devices) > 1 }

// steppedOn is streamed with every chunk there already.
func (r *run) steppedOn() (err error) {
	for i := range r.chunks {
		r.chunks[i].stays = true
	}
	if r.policy, err = schedule.Parse(scheduleWhole); err != nil {
		return err
	}
	return r.streamed()
}

// uploadAll reads every chunk into its place and uploads it while the next are read. It
// need not wait for the uploads: commands are obeyed in order.
func (r *run) uploadAll() error {
	var total, done uint64
	for _, c := range r.chunks {
		total += uint64(c.size)
	}
	own := func(i int) arena.Range { return r.chunks[i].at }
	for l := range r.read(r.allChunks(), own) {
		if l.err != nil {
			return l.err
		}
		command := plugins.Command{Op: plugins.Upload, Chunk: uint32(l.chunk), At: l.at.Range, File: l.at.file}
		r.transfer(command.At.Length)
		err := r.talk.send(command, exchange{done: func(plugins.Event) {
			done += uint64(r.chunks[l.chunk].size)
			r.events.Uploaded(done, total)
		}})
		if err != nil {
			return err
		}
	}
	return r.ctx.Err()
}
