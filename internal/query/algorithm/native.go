package algorithm

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/penstock-db/penstock/formats/value"
	"github.com/penstock-db/penstock/store"
)

// native is what a native projection of GDS comes to: a part of the graph, and properties that it must have.
type native struct {
	store.Projection
	nodeProperties, edgeProperties []string
}

// nativeProjection reads the arguments of gds.graph.project. Nodes are '*', 'Label', ['Label', …] or
// {Label: {label: 'Label', properties: …}, …}; relationships are the same of types, and may have an orientation.
func nativeProjection(nodes, relationships, configuration value.Value) (of native, err error) {
	labels, err := entities(nodes, "label")
	if err == nil {
		err = of.nodes(labels)
	}
	if err != nil {
		return of, fmt.Errorf("nodeProjection: %w", err)
	}
	types, err := entities(relationships, "type")
	if err == nil {
		err = of.relationships(types)
	}
	if err != nil {
		return of, fmt.Errorf("relationshipProjection: %w", err)
	}
	return of, of.configure(configuration)
}

// entity is a label or a type, "*" for all, and what is said of it.
type entity struct {
	name    string
	options []value.Entry
}

// entities reads a projection. In a map, key says which label or type is meant; it may be left out where that is the
// name.
func entities(v value.Value, key string) (all []entity, err error) {
	if v.Kind() != value.Map {
		names, err := NamesOf(v)
		for _, name := range orAll(names) {
			all = append(all, entity{name: name})
		}
		return all, err
	}
	for _, e := range v.Map() {
		one := entity{name: e.Key}
		switch e.Value.Kind() {
		case value.String:
			one.name = e.Value.Str()
		case value.Map:
			for _, option := range e.Value.Map() {
				if !strings.EqualFold(option.Key, key) {
					one.options = append(one.options, option)
				} else if one.name, err = wordOf(option.Value); err != nil {
					return nil, fmt.Errorf("%s: %s: %w", e.Key, option.Key, err)
				}
			}
		default:
			return nil, fmt.Errorf("%s: expected a name or a map, not %s", e.Key, e.Value.Kind())
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, errors.New("the map is empty; '*' is all")
	}
	return all, nil
}

// names are those of entities; none: all.
func names(all []entity) (names []string) {
	for _, one := range all {
		if one.name == "*" {
			return nil
		}
		names = append(names, one.name)
	}
	return names
}

func (of *native) nodes(labels []entity) (err error) {
	of.Labels = names(labels)
	for _, label := range labels {
		for _, option := range label.options {
			switch strings.ToLower(option.Key) {
			case "properties":
				err = propertiesOf(option.Value, &of.nodeProperties)
			default:
				err = errors.New("is not known; there are label and properties")
			}
			if err != nil {
				return fmt.Errorf("%s: %s: %w", label.name, option.Key, err)
			}
		}
	}
	return nil
}

func (of *native) relationships(types []entity) (err error) {
	of.Types = names(types)
	for i, typ := range types {
		orientation := "natural"
		for _, option := range typ.options {
			switch strings.ToLower(option.Key) {
			case "orientation":
				orientation, err = wordOf(option.Value)
				orientation = strings.ToLower(orientation)
			case "aggregation":
				err = unaggregated(option.Value)
			case "properties":
				err = propertiesOf(option.Value, &of.edgeProperties)
			default:
				err = errors.New("is not known; there are type, orientation and properties")
			}
			if err != nil {
				return fmt.Errorf("%s: %s: %w", typ.name, option.Key, err)
			}
		}
		if i > 0 && orientation != string(of.Orientation) {
			return fmt.Errorf("%s: all types have one orientation here, not %s and %s", typ.name, of.Orientation, orientation)
		}
		of.Orientation = store.Orientation(orientation)
	}
	return nil
}

func (of *native) configure(configuration value.Value) (err error) {
	if configuration.IsNull() {
		return nil
	}
	for _, option := range configuration.Map() {
		switch strings.ToLower(option.Key) {
		case "nodeproperties":
			err = propertiesOf(option.Value, &of.nodeProperties)
		case "relationshipproperties":
			err = propertiesOf(option.Value, &of.edgeProperties)
		case "readconcurrency": // changes no result
		default:
			err = errors.New("is not known; there are nodeProperties, relationshipProperties and readConcurrency")
		}
		if err != nil {
			return fmt.Errorf("configuration: %s: %w", option.Key, err)
		}
	}
	return nil
}

// NamesOf reads '*', which is none, 'name' or ['name', …].
func NamesOf(v value.Value) (names []string, err error) {
	all := []value.Value{v}
	if v.Kind() == value.List {
		all = v.List()
	}
	for _, one := range all {
		if one.Kind() != value.String {
			return nil, fmt.Errorf("expected '*', a name, or a list of names, not %s", one.Kind())
		}
		names = append(names, one.Str())
	}
	if len(names) == 0 {
		return nil, errors.New("the list is empty; '*' is all")
	}
	if slices.Contains(names, "*") {
		return nil, nil
	}
	return names, nil
}

// propertiesOf adds what 'name', ['name', …] or {name: 'name', name: {property: 'name', …}} names. A part has the
// properties that the graph has, under their own names, so that what would change them is refused.
func propertiesOf(v value.Value, to *[]string) error {
	if v.Kind() != value.Map {
		names, err := NamesOf(v)
		*to = append(*to, names...)
		return err
	}
	for _, e := range v.Map() {
		name, err := e.Key, error(nil)
		switch e.Value.Kind() {
		case value.String:
			name = e.Value.Str()
		case value.Map:
			name, err = unchanged(e.Key, e.Value)
		default:
			err = fmt.Errorf("expected the name of a property, not %s", e.Value.Kind())
		}
		if err == nil && name != e.Key {
			err = fmt.Errorf("property %s would be renamed: use its own name", name)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", e.Key, err)
		}
		*to = append(*to, name)
	}
	return nil
}

// unchanged is the property in {property: 'name', aggregation: 'NONE'}.
func unchanged(name string, v value.Value) (property string, err error) {
	property = name
	for _, option := range v.Map() {
		switch strings.ToLower(option.Key) {
		case "property":
			property, err = wordOf(option.Value)
		case "aggregation":
			err = unaggregated(option.Value)
		default:
			err = errors.New("is not known here: a property is taken as it is stored")
		}
		if err != nil {
			return "", fmt.Errorf("%s: %w", option.Key, err)
		}
	}
	return property, nil
}

func wordOf(v value.Value) (string, error) {
	if v.Kind() != value.String {
		return "", fmt.Errorf("expected a text, not %s", v.Kind())
	}
	return v.Str(), nil
}

// unaggregated refuses to make one of parallel relationships.
func unaggregated(v value.Value) error {
	if v.Kind() == value.String && slices.Contains([]string{"NONE", "DEFAULT"}, strings.ToUpper(v.Str())) {
		return nil
	}
	return errors.New("parallel relationships are kept here, each for itself: leave it out")
}

// check refuses properties that there are not.
func (of native) check(m *store.Manifest) error {
	for _, kind := range []struct {
		name  string
		asked []string
		all   []store.Property
	}{{"node", of.nodeProperties, m.NodeProperties}, {"edge", of.edgeProperties, m.EdgeProperties}} {
		var known []string
		for _, p := range kind.all {
			known = append(known, p.Name)
		}
		for _, name := range kind.asked {
			if !slices.Contains(known, name) {
				return &store.UnknownPropertyError{Graph: m.Graph, Kind: kind.name, Name: name, Known: known}
			}
		}
	}
	return nil
}
