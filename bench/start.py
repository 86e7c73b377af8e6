#!/usr/bin/env python3
"""start.py N COMMAND...: what short commands take, by turns, N times each: medians of milliseconds by the clock and of
processors' time, of a command and the processes that it has waited for.

Where it may (root), it runs them before all other processes (SCHED_FIFO), so that what others do on the machine counts
for little; it says so."""

import os
import resource
import shlex
import statistics
import subprocess
import sys
import time


def processors():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(times, *commands):
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))
        print("before all other processes")
    except OSError as why:
        print("beside other processes:", why)
    taken = [[] for _ in commands]
    for _ in range(int(times)):
        for command, all_taken in zip(commands, taken):
            clock, used = time.perf_counter(), processors()
            subprocess.run(shlex.split(command), stdout=subprocess.DEVNULL, check=True)
            all_taken.append((time.perf_counter() - clock, processors() - used))
    for command, all_taken in zip(commands, taken):
        clock, used = (1e3 * statistics.median(column) for column in zip(*all_taken))
        print(f"{clock:7.1f} ms, {used:7.1f} ms of processors  {command}")


if len(sys.argv) < 3:
    sys.exit(__doc__)
main(*sys.argv[1:])
