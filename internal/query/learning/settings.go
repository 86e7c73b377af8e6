package learning

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/algorithms/neural"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/query/algorithm"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/store"
)

// settings are what a call's configuration comes to.
type settings struct {
	request       host.TrainRequest
	part          store.Projection // of the graph, that is learned from
	changes       neural.Changes
	save          string
	replace       bool
	embedding     bool
	writeProperty string
	top           int
	nodes         []uint64
}

// setting puts a value in its place.
type setting func(s *settings, v value.Value) error

var deviceKeys = map[string]setting{
	"device": text(func(s *settings) *string { return &s.request.Device }),
	"deviceMemory": func(s *settings, v value.Value) (err error) {
		s.request.DeviceMemory, err = humanize.ParseBytes(unquoted(v))
		return err
	},
	"deviceCPUTime": func(s *settings, v value.Value) (err error) {
		s.request.DeviceCPUTime, err = time.ParseDuration(unquoted(v))
		return err
	},
	"threads": integer(func(s *settings) *int { return &s.request.Threads }),
}

var keepKeys = with(deviceKeys, map[string]setting{
	"save":    text(func(s *settings) *string { return &s.save }),
	"replace": truth(func(s *settings) *bool { return &s.replace }),
})

// learnKeys are those of a MEGA program: its settings, under the names of the command's flags.
func learnKeys(l host.Learning) map[string]setting {
	keys := map[string]setting{}
	for _, each := range l.Settings() {
		name, rest, _ := strings.Cut(each.Name, "-")
		for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return r == '-' }) {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
		keys[name] = func(_ *settings, v value.Value) error { return each.Assign(plain(v)) }
	}
	return with(keepKeys, keys)
}

// plain is a value as Go has it, or as text where a setting has no use for it.
func plain(v value.Value) any {
	switch v.Kind() {
	case value.Bool:
		return v.Bool()
	case value.Int:
		return v.Int()
	case value.Float:
		return v.Float()
	case value.String:
		return v.Str()
	}
	return v.Kind()
}

var trainKeys = with(keepKeys, map[string]setting{
	"features": text(func(s *settings) *string { return &s.request.Features.Property }),
	"multiHot": integer(func(s *settings) *int { return &s.request.Features.MultiHot }),
	"normalize": func(s *settings, v value.Value) error {
		s.request.Features.Normalize = true
		if v.Kind() != value.String || v.Str() != "rows" {
			return fmt.Errorf("'rows' is what can be normalized")
		}
		return nil
	},
	"edgeLabel": text(func(s *settings) *string { return &s.request.EdgeLabel }),
	"links":     truth(func(s *settings) *bool { return &s.request.Links }),
	"negatives": integer(func(s *settings) *int { return &s.request.Negatives }),
	"embedding": integer(func(s *settings) *int { return &s.request.Embedding }),
	"output":    text(func(s *settings) *string { s.changes.Output = new(string); return s.changes.Output }),
	"label":     text(func(s *settings) *string { return &s.request.Label }),
	"nodeLabels": func(s *settings, v value.Value) (err error) {
		s.part.Labels, err = algorithm.NamesOf(v)
		return err
	},
	"relationshipTypes": func(s *settings, v value.Value) (err error) {
		s.part.Types, err = algorithm.NamesOf(v)
		return err
	},
	"orientation": text(func(s *settings) *string { return (*string)(&s.part.Orientation) }),
	"values":      truth(func(s *settings) *bool { return &s.request.Values }),
	"split":       text(func(s *settings) *string { return &s.request.Split }),
	"seed": func(s *settings, v value.Value) error {
		if v.Kind() != value.Int {
			return fmt.Errorf("a %s is no integer", v.Kind())
		}
		s.request.Seed = uint64(v.Int())
		return nil
	},
	"batch": func(s *settings, v value.Value) error {
		if v.Kind() != value.Int || v.Int() < 1 {
			return fmt.Errorf("a batch has 1 vertex or more")
		}
		s.request.Batch = int(v.Int())
		return nil
	},
	"fanout": fanout,
	"hidden": size("hidden"), "heads": size("heads"),
	"epochs":       integer(func(s *settings) *int { s.changes.Epochs = new(int); return s.changes.Epochs }),
	"patience":     integer(func(s *settings) *int { s.changes.Patience = new(int); return s.changes.Patience }),
	"learningRate": float(func(s *settings, x *float64) { s.changes.LearningRate = x }),
	"weightDecay":  float(func(s *settings, x *float64) { s.changes.WeightDecay = x }),
	"dropout":      float(func(s *settings, x *float64) { s.changes.Dropout = x }),
	"optimizer":    text(func(s *settings) *string { s.changes.Optimizer = new(string); return s.changes.Optimizer }),
	"momentum":     float(func(s *settings, x *float64) { s.changes.Momentum = x }),
	"schedule":     text(func(s *settings) *string { s.changes.Schedule = new(string); return s.changes.Schedule }),
})

var predictKeys = with(deviceKeys, map[string]setting{
	"embedding": truth(func(s *settings) *bool { return &s.embedding }),
})

var writeKeys = with(predictKeys, map[string]setting{
	"writeProperty": text(func(s *settings) *string { return &s.writeProperty }),
})

var recommendKeys = with(deviceKeys, map[string]setting{
	"top": integer(func(s *settings) *int { return &s.top }),
	"nodes": func(s *settings, v value.Value) error {
		if v.Kind() != value.List {
			return fmt.Errorf("a %s is no list of nodes", v.Kind())
		}
		s.nodes = []uint64{}
		for i, node := range v.List() {
			if node.Kind() != value.Node {
				return fmt.Errorf("number %d of the list is a %s, which is no node", i+1, node.Kind())
			}
			s.nodes = append(s.nodes, node.ID())
		}
		return nil
	},
})

func with(some, more map[string]setting) map[string]setting {
	all := maps.Clone(some)
	maps.Copy(all, more)
	return all
}

// read reads the map that a call is given.
func (s *settings) read(procedure string, configuration value.Value, keys map[string]setting) error {
	if configuration.IsNull() {
		return nil
	}
	for _, e := range configuration.Map() {
		set, err := lookup(keys, e.Key)
		if err == nil {
			err = set(s, e.Value)
		}
		if err != nil {
			return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "configuration of %s: %s: %s", procedure, e.Key, err)
		}
	}
	return nil
}

// lookup finds a setting, whatever the case, and with underscores for capitals.
func lookup(keys map[string]setting, key string) (setting, error) {
	for name, set := range keys {
		if host.Key(name) == host.Key(key) {
			return set, nil
		}
	}
	return nil, fmt.Errorf("there is no such setting; there are %s", strings.Join(slices.Sorted(maps.Keys(keys)), ", "))
}

func text(at func(*settings) *string) setting {
	return func(s *settings, v value.Value) error {
		if v.Kind() != value.String {
			return fmt.Errorf("a %s is no text", v.Kind())
		}
		*at(s) = v.Str()
		return nil
	}
}

func truth(at func(*settings) *bool) setting {
	return func(s *settings, v value.Value) error {
		if v.Kind() != value.Bool {
			return fmt.Errorf("a %s is neither true nor false", v.Kind())
		}
		*at(s) = v.Bool()
		return nil
	}
}

func integer(at func(*settings) *int) setting {
	return func(s *settings, v value.Value) error {
		if v.Kind() != value.Int {
			return fmt.Errorf("a %s is no integer", v.Kind())
		}
		*at(s) = int(v.Int())
		return nil
	}
}

func size(name string) setting {
	return func(s *settings, v value.Value) error {
		if v.Kind() != value.Int {
			return fmt.Errorf("a %s is no integer", v.Kind())
		}
		s.changes.Sizes[name] = int(v.Int())
		return nil
	}
}

func float(set func(*settings, *float64)) setting {
	return func(s *settings, v value.Value) error {
		var x float64
		switch v.Kind() {
		case value.Int:
			x = float64(v.Int())
		case value.Float:
			x = v.Float()
		default:
			return fmt.Errorf("a %s is no number", v.Kind())
		}
		set(s, &x)
		return nil
	}
}

// unquoted is a value as text, without quotes.
func unquoted(v value.Value) string {
	if v.Kind() == value.String {
		return v.Str()
	}
	return v.Text()
}

// fanout reads [10, 5], 10, or '10,all'.
func fanout(s *settings, v value.Value) (err error) {
	all := []value.Value{v}
	if v.Kind() == value.List {
		all = v.List()
	}
	fields := make([]string, len(all))
	for i, each := range all {
		fields[i] = unquoted(each)
	}
	s.request.Fanout, err = host.ParseFanouts(strings.Join(fields, ","))
	return err
}
