"""What Python's email package makes of a message: python3 mime.py FILE..., one JSON line
each: {headers: {name: value}, raw: [[name, value]], parts: [{type, charset, encoding,
text}], longest: of its lines, bare: line ends that are not CR LF, ascii, defects}."""

import email
import json
import re
import sys
from email import policy
from email.header import decode_header, make_header
from email.utils import parseaddr


def mailbox(field):
    """[name, address]. policy.default puts blanks between encoded words of a name, which
    RFC 2047 6.2 takes away; decode_header does it right."""
    name, address = parseaddr(field)
    return [str(make_header(decode_header(name))), address]


for path in sys.argv[1:]:
    with open(path, 'rb') as file:
        data = file.read()
    message = email.message_from_bytes(data, policy=policy.default)
    defects = [repr(d) for part in message.walk() for d in part.defects]
    defects += [repr(d) for value in message.values() for d in value.defects]
    plain = email.message_from_bytes(data)
    parts = [{
        'type': part.get_content_type(),
        'charset': part.get_content_charset(),
        'encoding': part['Content-Transfer-Encoding'],
        'text': part.get_content().replace('\r\n', '\n'),
    } for part in message.walk() if not part.is_multipart()]
    print(json.dumps({
        'headers': {name.lower(): str(value) for name, value in message.items()},
        'names': [name.lower() for name in message.keys()],
        'from': mailbox(plain['From']),
        'to': mailbox(plain['To']),
        'recipients': [a.addr_spec for a in message['To'].addresses],
        'type': message.get_content_type(),
        'parts': parts,
        'longest': max(len(line) for line in data.split(b'\r\n')),
        'bare': len(re.findall(rb'(?<!\r)\n|\r(?!\n)', data)),
        'ascii': data.isascii(),
        'defects': defects,
    }))
