package algorithm

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/agnivade/levenshtein"
	"github.com/dustin/go-humanize"

	"github.com/penstock-db/penstock/algorithms"
	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/host"
	"github.com/penstock-db/penstock/internal/query/fault"
	"github.com/penstock-db/penstock/store"
)

// configured is what a call's configuration comes to.
type configured struct {
	host.Request
	part          store.Projection // of the graph, that it runs on
	writeProperty string
	// As GDS has it:
	mutateProperty string
	relationship   string                 // the type of those that are written
	projection     string                 // its name
	given          value.Value            // the configuration
	numbers        map[string]nodeNumber  // by which nodes are named, by the ids that these have
	options        map[string]value.Value // that a form reads itself, by their names in lower case
	seeds          []seed                 // of nodes, in the order of results
	compared       int64                  // how many nodes are, where that is asked for
}

// spelling is a name that users of other systems give to a parameter.
type spelling struct{ theirs, ours string }

// spellings are such names. Of several for one of ours the first is what errors tell.
var spellings = []spelling{
	{"maxIterations", "iterations"}, {"dampingFactor", "damping"}, {"sourceNode", "source"},
	{"relationshipWeightProperty", "weight"}, {"randomSeed", "seed"}, {"samplingSeed", "seed"},
	{"samplingSize", "sources"}, {"concurrency", "threads"}, {"maxLevels", "levels"}, {"gamma", "resolution"},
	{"communityProperty", "community"}, {"useWassermanFaust", "wasserman"}, {"targetNode", "target"},
	{"targetNodes", "target"}, {"latitudeProperty", "latitude"}, {"longitudeProperty", "longitude"},
}

// configure reads the map that a call is given.
func (c call) configure(ctx context.Context, graph string, configuration value.Value) (r configured, err error) {
	r.Request = host.Request{Algorithm: c.algorithm.Name, Params: map[string]string{},
		Allowed: host.Devices{ByName: true, Names: c.devices}}
	if r.given = configuration; c.compatibly {
		unweighted(c.algorithm, &r)
		maps.Copy(r.Params, c.form.fixed)
		r.options, r.numbers = map[string]value.Value{}, map[string]nodeNumber{}
	}
	for _, e := range flat(c.algorithm, entriesOf(configuration)) {
		key := strings.ToLower(e.Key)
		if slices.Contains(ignoredOfPaths, key) && c.paths() {
			continue
		}
		if c.form != nil && slices.Contains(c.form.options, key) {
			r.options[key] = e.Value
			continue
		}
		if c.compatibly && (slices.Contains(ignored, key) || slices.Contains(c.form.ignored, key)) {
			continue
		}
		key = c.form.ours(key)
		if names := r.filter(key); names != nil {
			if *names, err = NamesOf(e.Value); err != nil {
				return r, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "configuration of %s: %s: %s",
					c.form.called(c.algorithm), e.Key, err)
			}
			continue
		}
		var text string
		err := unbiased(c.algorithm, key, e.Value)
		if err == nil {
			err = c.setMeasured(&r, &e)
		}
		if err == nil {
			text, err = c.text(ctx, graph, c.form.numbered(c.algorithm, key, e), r)
		}
		if err == nil {
			err = c.set(&r, key, text)
		}
		if err != nil {
			return r, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "configuration of %s: %s: %s",
				c.form.called(c.algorithm), e.Key, err)
		}
	}
	return r, c.form.complete(c.algorithm, r)
}

func entriesOf(configuration value.Value) []value.Entry {
	if configuration.IsNull() {
		return nil
	}
	return configuration.Map()
}

// called is what a statement calls the algorithm.
func (f *form) called(a *algorithms.Algorithm) string {
	if f == nil {
		return "algo." + Name(a)
	}
	return "gds." + f.name
}

// spellings are those of a form, its own first.
func (f *form) spellings() []spelling {
	if f == nil {
		return spellings
	}
	return slices.Concat(f.spelled, spellings)
}

// ours is our name for a parameter.
func (f *form) ours(key string) string {
	for _, as := range f.spellings() {
		if strings.EqualFold(as.theirs, key) {
			return as.ours
		}
	}
	return key
}

// theirs is what a form calls a parameter of ours.
func (f *form) theirs(name string) string {
	for _, as := range f.spellings() {
		if f != nil && as.ours == name {
			return as.theirs
		}
	}
	return name
}

// renamed is an error about a parameter with the names that the statement has for it and for the algorithm; any other
// stays as it is.
func (f *form) renamed(err error, configuration value.Value) error {
	param, is := errors.AsType[*algorithms.ParamError](err)
	if !is || f == nil {
		return err
	}
	theirs := *param
	theirs.Algorithm, theirs.Param = "gds."+f.name, f.theirs(param.Param)
	for _, e := range entriesOf(configuration) {
		if strings.EqualFold(f.ours(strings.ToLower(e.Key)), param.Param) {
			theirs.Param = e.Key
		}
	}
	_, more, _ := strings.Cut(err.Error(), param.Error())
	return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "%s%s", theirs.Error(), more)
}

// complete adds what a form has by default, and refuses a configuration that lacks what it requires.
func (f *form) complete(a *algorithms.Algorithm, r configured) error {
	if f == nil {
		return nil
	}
	if f.iterations != "" && r.Params["iterations"] == "" && r.Params["tolerance"] == "" {
		r.Params["iterations"] = f.iterations
	}
	for _, p := range a.Params {
		if slices.Contains(f.requires, p.Name) && r.Params[p.Name] == "" {
			what, _, _ := strings.Cut(p.Doc, "; without it")
			return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "gds.%s: parameter %s: is missing: %s", f.name,
				f.theirs(p.Name), what)
		}
	}
	return nil
}

// numbered makes numbers of a parameter that names nodes nodes, as in GDS, where ours are ids.
func (f *form) numbered(a *algorithms.Algorithm, key string, e value.Entry) value.Entry {
	if f == nil || !namesNodes(a, key) {
		return e
	}
	node := func(v value.Value) value.Value {
		if v.Kind() == value.Int {
			return value.OfNodeID(uint64(v.Int()))
		}
		return v
	}
	if e.Value.Kind() == value.List {
		e.Value = value.OfList(listOf(e.Value.List(), node))
		return e
	}
	e.Value = node(e.Value)
	return e
}

// namesNodes tells whether a parameter names nodes.
func namesNodes(a *algorithms.Algorithm, key string) bool {
	return slices.ContainsFunc(a.Params, func(p algorithms.Param) bool {
		return strings.EqualFold(p.Name, key) && (p.Type == algorithms.ParamVertex || p.Type == algorithms.ParamVertices)
	})
}

// unbiased fails where nodes are named together with how much each counts, [[node, 0.5], [other, 2]]: all count alike.
func unbiased(a *algorithms.Algorithm, key string, v value.Value) error {
	if v.Kind() != value.List || !namesNodes(a, key) {
		return nil
	}
	for _, one := range v.List() {
		if one.Kind() == value.List {
			return fmt.Errorf("expected nodes, and not the list %s: nodes all count alike", one.Text())
		}
	}
	return nil
}

// option is the text of one that a form reads.
func (r configured) option(key, otherwise string) string {
	if v, given := r.options[key]; given && v.Kind() == value.String {
		return v.Str()
	}
	return otherwise
}

// nodeOf is the node of one that a form reads, given as such or by its number.
func (r configured) nodeOf(key, name string) (uint64, error) {
	switch v := r.options[key]; v.Kind() {
	case value.Node:
		return v.ID(), nil
	case value.Int:
		return uint64(v.Int()), nil
	default:
		return 0, fault.Met(fault.ArgumentError, "InvalidArgumentValue", "%s: expected a node, or its number", name)
	}
}

// nodeNumber is a number that names a node, in an entry of the configuration.
type nodeNumber struct {
	key string
	of  int64
}

// unknown is the error of one that there is not.
func (n nodeNumber) unknown() error {
	return fault.Met(fault.ArgumentError, "InvalidArgumentValue", "%s: %s", n.key, n.missing())
}

// missing is the same where the key is told already.
func (n nodeNumber) missing() error { return fmt.Errorf("the projection has no node %d", n.of) }

// failed is failed, where a node that there is not has the number that the configuration gives it.
func (r configured) failed(err error) error {
	if unknown, is := errors.AsType[*store.UnknownVertexError](err); is {
		if number, named := r.numbers[unknown.Vertex]; named {
			return number.unknown()
		}
	}
	return failed(err)
}

// ignored are entries that GDS has and that change no result.
var ignored = []string{"jobid", "logprogress", "sudo", "username", "writeconcurrency", "minbatchsize"}

// ignoredOfPaths say what relationships that are written have: all, here.
var ignoredOfPaths = []string{"writenodeids", "writecosts"}

// unweighted has every edge count 1, which is what GDS does unless a weight is named.
func unweighted(a *algorithms.Algorithm, r *configured) {
	for _, p := range a.Params {
		if p.Name == "weight" && p.Type == algorithms.ParamProperty {
			r.Params["weight"] = ""
		}
	}
}

// flat has the entries of a map {generateFeatures: {dimension: 64}} one by one, as generateFeatures.dimension, where
// that is what parameters of the algorithm are called.
func flat(a *algorithms.Algorithm, configuration []value.Entry) (all []value.Entry) {
	for _, e := range configuration {
		prefix := e.Key + "."
		if e.Value.Kind() != value.Map || !slices.ContainsFunc(a.Params, func(p algorithms.Param) bool {
			return len(p.Name) > len(prefix) && strings.EqualFold(p.Name[:len(prefix)], prefix)
		}) {
			all = append(all, e)
			continue
		}
		for _, member := range e.Value.Map() {
			all = append(all, value.Entry{Key: prefix + member.Key, Value: member.Value})
		}
	}
	return all
}

// filter is what a key of the configuration filters by; nil: it is no filter.
func (r *configured) filter(key string) *[]string {
	switch key {
	case "nodelabels":
		return &r.part.Labels
	case "relationshiptypes":
		return &r.part.Types
	}
	return nil
}

// setMeasured takes the metric out of {property: 'METRIC'}, as GDS has it for vectors, and leaves the property. A list
// may have one alone, unless the parameter may name several: GDS compares each with a metric of its own.
func (c call) setMeasured(r *configured, e *value.Entry) error {
	at := slices.IndexFunc(c.algorithm.Params, func(p algorithms.Param) bool {
		return p.Type == algorithms.ParamVectors && strings.EqualFold(p.Name, e.Key)
	})
	if at < 0 {
		return nil
	}
	if e.Value.Kind() == value.List && !c.algorithm.Params[at].Several {
		list := e.Value.List()
		if len(list) != 1 {
			return fmt.Errorf("expected one property, which may be a list of numbers, and not %d", len(list))
		}
		e.Value = list[0]
	}
	if e.Value.Kind() != value.Map {
		return nil
	}
	properties := e.Value.Map()
	if len(properties) != 1 || properties[0].Value.Kind() != value.String {
		return fmt.Errorf("expected one property and its metric, {%s: {embedding: 'COSINE'}}", e.Key)
	}
	e.Value = value.OfString(properties[0].Key)
	if strings.EqualFold(properties[0].Value.Str(), "DEFAULT") {
		return nil
	}
	return c.setParameter(r, "similaritymetric", properties[0].Value.Str())
}

// text is a value as one writes it on the command line.
func (c call) text(ctx context.Context, graph string, e value.Entry, r configured) (string, error) {
	switch v := e.Value; v.Kind() {
	case value.String:
		return v.Str(), nil
	case value.Node:
		number := nodeNumber{e.Key, int64(v.ID())}
		if number.of < 0 {
			return "", number.missing()
		}
		id, err := c.runner.UserID(ctx, graph, v.ID())
		if _, unknown := errors.AsType[*store.UnknownVertexError](err); unknown {
			return "", number.missing()
		}
		if c.compatibly {
			r.numbers[id] = number
		}
		return id, err
	case value.Int, value.Bool:
		return v.Text(), nil
	case value.Float:
		if f := v.Float(); f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			return fmt.Sprint(int64(f)), nil
		}
		return fmt.Sprint(v.Float()), nil
	case value.List:
		var parts []string
		for i, one := range v.List() {
			if before := v.List()[max(0, i-1)]; one.Kind() == value.List && (before.Kind() != value.List ||
				len(before.List()) != len(one.List())) {
				return "", fmt.Errorf("expected lists that are all as long, and not %s beside %s", before.Text(), one.Text())
			}
			part, err := c.text(ctx, graph, value.Entry{Key: e.Key, Value: one}, r)
			if err != nil {
				return "", err
			}
			parts = append(parts, part)
		}
		return strings.Join(parts, ","), nil
	default:
		return "", fmt.Errorf("a %s is no value for it", v.Kind())
	}
}

// set gives the request one of its parts.
func (c call) set(r *configured, key, text string) (err error) {
	switch key {
	case "device":
		r.Device = text
	case "devicememory":
		r.DeviceMemory, err = humanize.ParseBytes(text)
	case "devicecputime":
		r.DeviceCPUTime, err = time.ParseDuration(text)
	case "schedule":
		r.Schedule = text
	case "scaphvalue":
		r.ScaphValue = text
	case "threads":
		_, err = fmt.Sscan(text, &r.Threads)
	case "writeproperty":
		r.writeProperty = text
	case "mutateproperty":
		r.mutateProperty = text
	case "writerelationshiptype", "mutaterelationshiptype":
		r.relationship = text
	default:
		return c.setParameter(r, key, text)
	}
	return err
}

func (c call) setParameter(r *configured, key, text string) error {
	names := []string{"device", "deviceCPUTime", "deviceMemory", "nodeLabels", "relationshipTypes", "scaphValue",
		"schedule", c.form.theirs("threads"), "writeProperty"}
	for _, p := range c.algorithm.Params {
		if c.form != nil && slices.Contains(c.form.without, p.Name) {
			continue
		}
		if strings.EqualFold(p.Name, key) {
			if r.Params[p.Name] = text; p.Type == algorithms.ParamChoice {
				r.Params[p.Name] = strings.ToLower(text) // 'REVERSE', as in GDS
			}
			return nil
		}
		names = append(names, c.form.theirs(p.Name))
	}
	nearest := slices.MinFunc(names, func(a, b string) int {
		return levenshtein.ComputeDistance(strings.ToLower(a), key) - levenshtein.ComputeDistance(strings.ToLower(b), key)
	})
	return fmt.Errorf("there is no such parameter; did you mean %s? It has %s", nearest, strings.Join(names, ", "))
}
