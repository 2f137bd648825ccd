# Starts llama-server from the wheel `xllamacpp` with one small model on a loopback port, until its standard input ends:
# so it never outlives who started it. Knows nothing of what is asked of it.
# Use: python llama-server.py MODEL.gguf PORT THREADS
import os
import sys

from xllamacpp import CommonParams, Server

model, port, threads = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
params = CommonParams()
params.model.path = model
params.n_ctx = 512
params.n_parallel = 1
params.hostnames = ["127.0.0.1"]
params.port = port
params.cpuparams.n_threads = threads
params.cpuparams_batch.n_threads = threads
server = Server(params)
sys.stdin.read()
os._exit(0)
