"""An Atom feed as JSON: {id, title, updated, link, entries: [the same]}."""
import json
import sys
import xml.etree.ElementTree as tree

ATOM = '{http://www.w3.org/2005/Atom}'


def told(node):
    link = [l.get('href') for l in node.findall(ATOM + 'link') if l.get('rel') == 'alternate']
    return {'id': node.findtext(ATOM + 'id'), 'title': node.findtext(ATOM + 'title'),
            'updated': node.findtext(ATOM + 'updated'), 'link': link[0]}


feed = tree.parse(sys.argv[1]).getroot()
print(json.dumps(told(feed) | {'entries': [told(e) for e in feed.findall(ATOM + 'entry')]}))
