"""Finds communities by igraph, and similar vertices and embeddings by SciPy, of a graph without direction.

    communities.py EDGES WHAT SEED    EDGES: two whole numbers a line; WHAT: louvain, leiden, node-similarity or fastrp

Prints seconds of processors that the call alone took, without reading, and how good what was found is: modularity, or the
mean similarity of pairs. Similar are, for each vertex, the ten others with the largest share of neighbors in common
(Jaccard). Embeddings are FastRP's of 128 numbers as its authors compute them, by products of matrices (Chen et al., CIKM
2019); they are not judged.
"""
import random
import sys
import time

import numpy as np
import scipy.sparse as sparse

TOP, NUMBERS, PASSES, ROWS = 10, 128, 2, 2048


def adjacency(edges, n):
    ends = np.concatenate([edges, edges[:, ::-1]])
    return sparse.csr_matrix((np.ones(len(ends), np.float32), (ends[:, 0], ends[:, 1])), shape=(n, n))


def communities(edges, n, what):
    import igraph

    graph = igraph.Graph(n=n, edges=edges)
    began = time.process_time()
    if what == "louvain":
        found = graph.community_multilevel()
    else:
        found = graph.community_leiden(objective_function="modularity", n_iterations=PASSES)
    return time.process_time() - began, graph.modularity(found.membership)


def similarity(edges, n):
    near = adjacency(edges[edges[:, 0] != edges[:, 1]], n)
    near.data[:] = 1
    began = time.process_time()
    degree = np.asarray(near.sum(1)).ravel()
    total, pairs = 0.0, 0
    for first in range(0, n, ROWS):
        common = near[first : first + ROWS] @ near
        for i in range(common.shape[0]):
            row = slice(common.indptr[i], common.indptr[i + 1])
            others, shared = common.indices[row], common.data[row]
            score = shared / (degree[first + i] + degree[others] - shared)
            score[others == first + i] = 0
            if len(score) > TOP:
                score = np.partition(score, -TOP)[-TOP:]
            score = score[score > 0]
            total, pairs = total + score.sum(), pairs + len(score)
    return time.process_time() - began, total / max(pairs, 1)


def embeddings(edges, n, seed):
    near = adjacency(edges, n)
    draws = np.random.default_rng(seed)
    began = time.process_time()
    degree = np.asarray(near.sum(1)).ravel()
    mean = sparse.diags(np.where(degree > 0, 1 / np.maximum(degree, 1), 0).astype(np.float32)) @ near
    x = np.sqrt(np.float32(3)) * draws.choice(np.array([-1, 0, 1], np.float32), p=[1 / 6, 2 / 3, 1 / 6], size=(n, NUMBERS))
    found = np.zeros_like(x)
    for weight in (0, 1, 1):
        x = mean @ x
        if weight:
            found += weight * x / np.maximum(np.linalg.norm(x, axis=1, keepdims=True), 1e-9)
    return time.process_time() - began, None


def main():
    path, what, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
    random.seed(seed)
    _, edges = np.unique(np.loadtxt(path, dtype=np.int64), return_inverse=True)
    edges = edges.reshape(-1, 2)
    n = int(edges.max()) + 1
    if what == "node-similarity":
        answer = similarity(edges, n)
    elif what == "fastrp":
        answer = embeddings(edges, n, seed)
    else:
        answer = communities(edges, n, what)
    seconds, quality = answer
    print("%.3f %s" % (seconds, "–" if quality is None else "%.4f" % quality))


main()
