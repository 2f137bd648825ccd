# Starts llama-server from the wheel `xllamacpp` with one small model on a loopback port, until its standard input ends:
# so it never outlives who started it. Knows nothing of what is asked of it.
# Use: python llama-server.py MODEL.gguf PORT THREADS [WINDOW] [SLOTS]
import os
import sys

from xllamacpp import CommonParams, Server

model, port, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
params = CommonParams()
params.model.path = model
window = int(sys.argv[4]) if len(sys.argv) > 4 else 512
slots = int(sys.argv[5]) if len(sys.argv) > 5 else 1
params.n_ctx = window * slots
params.n_parallel = slots
params.hostnames = ["127.0.0.1"]
params.port = port
params.cpuparams.n_threads = threads
params.cpuparams_batch.n_threads = threads
server = Server(params)
sys.stdin.read()
os._exit(0)
