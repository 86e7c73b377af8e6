// Package similarity defines algorithms that find for each vertex those most like it: NodeSimilarity and LinkPrediction
// by common neighbors (Rule), KNN by vectors (VectorMetric).
package similarity
