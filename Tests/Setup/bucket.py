"""A bucket of 2,500 odd keys behind moto's S3 server. Usage: bucket.py PORT FOLDER

Writes each object whose key can be a path below FOLDER/truth, and FOLDER/ready when the server listens.
"""

import os
import sys
import time

from moto.s3.models import get_canned_acl, s3_backends
from moto.server import ThreadedMotoServer

port, folder = int(sys.argv[1]), sys.argv[2]
odd = ["plus+plus", "with space", "100%", "what?", "hash#tag", "a&b;c", "it's", "caf\u00e9", "tab\there", "eq=at@",
       'quo"te', "\u65e5\u672c"]
paths = ["%s/%s-%04d.txt" % (odd[n // 12 % 12], odd[n % 12], n) for n in range(2495)]
strange = ["../up.txt", "/leading.txt", "a//double.txt", "x/../y.txt", "x/./z.txt"]

bucket = s3_backends["123456789012"]["aws"]
bucket.create_bucket("pub", "us-east-1")
for key in paths + strange:
    bucket.put_object("pub", key, key.encode())
    bucket.put_object_acl("pub", key, get_canned_acl("public-read"))
for key in paths:
    file = os.path.join(folder, "truth", key)
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(file, "w", encoding="utf-8") as text:
        text.write(key)
ThreadedMotoServer(ip_address="127.0.0.1", port=port).start()
with open(os.path.join(folder, "ready"), "w") as ready:
    ready.write("yes")
while True:
    time.sleep(60)
