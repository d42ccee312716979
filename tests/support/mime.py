"""What Python's email package makes of a message: python3 mime.py FILE..., one JSON line
each: {headers: {name: value}, raw: [[name, value]], parts: [{type, charset, encoding,
text}], longest: of its lines, bare: line ends that are not CR LF, ascii, defects}."""

import email
import json
import re
import sys
from email import policy

for path in sys.argv[1:]:
    with open(path, 'rb') as file:
        data = file.read()
    message = email.message_from_bytes(data, policy=policy.default)
    defects = [repr(d) for part in message.walk() for d in part.defects]
    defects += [repr(d) for value in message.values() for d in value.defects]
    parts = [{
        'type': part.get_content_type(),
        'charset': part.get_content_charset(),
        'encoding': part['Content-Transfer-Encoding'],
        'text': part.get_content(),
    } for part in message.walk() if not part.is_multipart()]
    print(json.dumps({
        'headers': {name.lower(): str(value) for name, value in message.items()},
        'names': [name.lower() for name in message.keys()],
        'from': [[a.display_name, a.addr_spec] for a in message['From'].addresses],
        'to': [[a.display_name, a.addr_spec] for a in message['To'].addresses],
        'type': message.get_content_type(),
        'parts': parts,
        'longest': max(len(line) for line in data.split(b'\r\n')),
        'bare': len(re.findall(rb'(?<!\r)\n|\r(?!\n)', data)),
        'ascii': data.isascii(),
        'defects': defects,
    }))
