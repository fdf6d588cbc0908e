"""A bot in Python without any library: it plays the first legal move.

watermeet arena flume --bots random "exec:python examples/bots/first_move.py"
"""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "ready", "name": "first move"}
    elif message["type"] == "choose":
        answer = {"type": "choice", "id": message["id"], "move": message["legal"][0]}
    elif message["type"] == "quit":
        break
    else:  # Such as "begin", which needs no answer.
        continue
    print(json.dumps(answer), flush=True)
