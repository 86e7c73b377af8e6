"""Trains a model in PyTorch as its users do, on a graph and features from files, and prints the median seconds of an epoch.

    gnn.py MODEL EDGES FEATURES LABELS HIDDEN HEADS EPOCHS

EDGES has two numbers a line; FEATURES is numbers (.npy), "row column" a line, or random:VERTICES:WIDTH; LABELS is a number a
line, or random:CLASSES: no time depends on what the numbers are. It prints the time of processors too. GCN multiplies by a
sparse matrix in CSR form, GAT adds by index, as PyTorch Geometric does without extensions. It prints also by how much the
process has grown since torch was imported, in bytes.
"""
import os, resource, sys, time
import numpy as np
import torch
import torch.nn.functional as F

model, edges, features, labels, hidden, heads, epochs = sys.argv[1:]
hidden, heads, epochs = int(hidden), int(heads), int(epochs)
torch.set_num_threads(int(os.environ.get("THREADS", 2)))
torch.manual_seed(1)
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

draw = features.split(":")[1:] if features.startswith("random:") else None
if labels.startswith("random:"):
    y = torch.randint(int(labels.split(":")[1]), (int(draw[0]),))
else:
    y = torch.tensor(np.loadtxt(labels, dtype=np.int64))
n = len(y)
e = np.fromfile(edges, dtype=np.int64, sep=" ").reshape(-1, 2)
e = e[e[:, 0] != e[:, 1]]
source = torch.tensor(np.concatenate([e[:, 0], e[:, 1], np.arange(n)]))
target = torch.tensor(np.concatenate([e[:, 1], e[:, 0], np.arange(n)]))
if draw:
    width = int(draw[1])
    x = torch.randn(n, width)
elif features.endswith(".npy"):
    x = torch.tensor(np.load(features))
    width = x.shape[1]
else:
    at = np.loadtxt(features, dtype=np.int64)
    width = int(at[:, 1].max()) + 1
    count = np.bincount(at[:, 0], minlength=n)
    x = torch.sparse_coo_tensor(torch.tensor(at.T.copy()), torch.tensor(1.0 / count[at[:, 0]], dtype=torch.float32), (n, width)).coalesce()
classes = int(y.max()) + 1
rate = 0.5 if model == "gcn" else 0.6


def weight(*shape):
    w = torch.empty(*shape, requires_grad=True)
    torch.nn.init.xavier_uniform_(w)
    return w


def drop(h):
    if not h.is_sparse:
        return F.dropout(h, rate)
    kept = torch.rand(h._nnz()) >= rate
    return torch.sparse_coo_tensor(h.indices()[:, kept], h.values()[kept] / (1 - rate), h.shape)


def times(h, w):
    return torch.sparse.mm(h, w) if h.is_sparse else h @ w


if model == "gcn":
    degree = torch.bincount(target, minlength=n).float().rsqrt()
    a = torch.sparse_coo_tensor(torch.stack([target, source]), degree[source] * degree[target], (n, n)).coalesce().to_sparse_csr()
    w1, b1, w2, b2 = weight(width, hidden), torch.zeros(hidden, requires_grad=True), weight(hidden, classes), torch.zeros(classes, requires_grad=True)
    learned = [w1, b1, w2, b2]

    class Gather(torch.autograd.Function):  # the matrix is symmetric
        @staticmethod
        def forward(context, h):
            return a @ h

        @staticmethod
        def backward(context, g):
            return a @ g

    def forward():
        h = F.relu(Gather.apply(times(drop(x), w1)) + b1)
        return Gather.apply(drop(h) @ w2) + b2
else:
    each = hidden // heads
    w1, s1, t1, b1 = weight(width, hidden), weight(heads, each), weight(heads, each), torch.zeros(hidden, requires_grad=True)
    w2, s2, t2, b2 = weight(hidden, classes), weight(1, classes), weight(1, classes), torch.zeros(classes, requires_grad=True)
    learned = [w1, s1, t1, b1, w2, s2, t2, b2]

    def attend(h, w, s, t, heads, wide):
        h = times(drop(h), w).view(n, heads, wide)
        score = F.leaky_relu((h * s).sum(-1)[source] + (h * t).sum(-1)[target], 0.2)
        score = torch.exp(score - score.max())
        total = torch.zeros(n, heads).index_add(0, target, score)
        share = F.dropout(score / total[target], rate)
        return torch.zeros(n, heads, wide).index_add(0, target, h[source] * share.unsqueeze(-1)).view(n, heads * wide)

    def forward():
        h = F.elu(attend(x, w1, s1, t1, heads, each) + b1)
        return attend(h, w2, s2, t2, 1, classes) + b2

optimizer = torch.optim.Adam(learned, lr=0.01, weight_decay=5e-4)
took, used = [], []
for _ in range(epochs):
    began, busy = time.perf_counter(), time.process_time()
    optimizer.zero_grad()
    loss = F.cross_entropy(forward(), y)
    loss.backward()
    optimizer.step()
    took.append(time.perf_counter() - began)
    used.append(time.process_time() - busy)
after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(sorted(took)[len(took) // 2], (after - before) * 1024, sorted(used)[len(used) // 2])
