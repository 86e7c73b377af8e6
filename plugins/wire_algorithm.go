package plugins

import (
	"github.com/penstock-db/penstock/algorithms"
	pb "github.com/penstock-db/penstock/plugins/proto/penstock/device/v1"
)

func definitionToWire(d algorithms.Definition) *pb.AlgorithmDefinition {
	return &pb.AlgorithmDefinition{
		Name: d.Name, Aliases: d.Aliases, Summary: d.Summary, Source: d.Source, Edges: d.Edges,
		Parameters: mapped(d.Params, parameterToWire), Result: mapped(d.Result, resultToWire),
		Pairs: d.Pairs, Rows: d.Rows,
	}
}

func definitionFromWire(w *pb.AlgorithmDefinition) algorithms.Definition {
	return algorithms.Definition{
		Name: w.GetName(), Aliases: w.GetAliases(), Summary: w.GetSummary(), Source: w.GetSource(), Edges: w.GetEdges(),
		Params: mapped(w.GetParameters(), parameterFromWire), Result: mapped(w.GetResult(), resultFromWire),
		Pairs: w.GetPairs(), Rows: w.GetRows(),
	}
}

func parameterToWire(p algorithms.ParamDefinition) *pb.ParameterDefinition {
	return &pb.ParameterDefinition{
		Name: p.Name, Type: p.Type, Default: p.Default, Optional: p.Optional, Min: p.Min, Max: p.Max,
		Choices: p.Choices, Doc: p.Doc, Values: p.Values, Missing: p.Missing,
	}
}

func parameterFromWire(w *pb.ParameterDefinition) algorithms.ParamDefinition {
	return algorithms.ParamDefinition{
		Name: w.GetName(), Type: w.GetType(), Default: w.GetDefault(), Optional: w.GetOptional(), Min: w.GetMin(),
		Max: w.GetMax(), Choices: w.GetChoices(), Doc: w.GetDoc(), Values: w.GetValues(), Missing: w.GetMissing(),
	}
}

func resultToWire(c algorithms.ResultColumn) *pb.ResultDefinition {
	return &pb.ResultDefinition{Name: c.Name, Type: c.Type, Width: c.Width, Steps: c.Steps}
}

func resultFromWire(w *pb.ResultDefinition) algorithms.ResultColumn {
	return algorithms.ResultColumn{Name: w.GetName(), Type: w.GetType(), Width: w.GetWidth(), Steps: w.GetSteps()}
}
