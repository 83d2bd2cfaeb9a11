"""..."""
from collections.abc import Mapping
from attrs import define, field, frozen

from native_web_search.domain.identity import identity_keys, names_link_list
from native_web_search.domain.json_text import (
    JsonArray, JsonObject, encodable, fitting, is_array, is_object, key_text, quoted, run_text, runs, written,
)
from native_web_search.domain.links import leading_link, legal_cut
from native_web_search.domain.shares import fair_shares

ATOM = 32
FIELD = 32
ENTRY = 256
TEXT = 32
FIRST_REACH = 64
MISFITS = 1_000

NONE={}

@define
class Claim:
    lead: str
    value: object
    links: bool
    identity: Mapping[object,str]
    room: int
    text: str | None = None

@frozen
class Demand:
    least: int
    wish: int
    identity: Mapping[object,str] = NONE

def demand(value, cap, links=False):
    if is_array(value):
        return Demand(2, 2+_first_least(value, cap, links)+TEXT) if cap>=2 else None
    if is_object(value):
        identity=_identity(value,cap)
        if identity is None: return None
        least=1+sum(map(len,identity.values())) if identity else 2
        if least>cap: return None
        return Demand(least, least+TEXT, identity)
    least=_text_least(value, cap)
    return None if least is None else Demand(least, least)

def _first_least(array, cap, links):
    if not array or is_array(array[0]): return 0
    first=array[0]
    if is_object(first):
        d=demand(first,cap)
        return d.least if d else 0
    if isinstance(first,str) and not links:
        return _text_least(first,cap) or 0
    return len(written(first,cap) or "")

def _text_least(value, cap):
    if len(value)<=ATOM-2 and len(quoted(value))<=ATOM: return None
    link=leading_link(value[:cap])
    least = len(quoted(value[:link])) if link else 3
    return least if least <= cap else None

def _identity(mapping, cap):
    fields={}
    left=cap-1
    for key in identity_keys(mapping):
        value=mapping[key]
        if is_array(value) or is_object(value): continue
        text=written(value,left)
        if text is None: return None
        field=f",{quoted(key)}:{text}"
        left-=len(field)
        if left<0: return None
        fields[key]=field
    return fields


def truncated_text(document: object, room: int) -> str:
    d=demand(document,room)
    draft=_Draft()
    waiting: list[str | Claim] = [Claim("", document, False, d.identity, room)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            draft.add(part)
        else:
            waiting.extend(draft.settle(part))
    draft.lengthen()
    return "".join(draft.pieces)

@define
class _Draft:
    spare: int = 0
    pieces: list[str]=field(factory=list)
    cuts: list=field(factory=list)

    def settle(self, claim):
        room=claim.room+self.spare
        if claim.text is not None and len(claim.text)<=room:
            self.add(claim.lead+claim.text)
            self.spare=room-len(claim.text)
        elif isinstance(claim.value, str):
            self.cut(claim, room)
        else:
            parts, self.spare = _expanded(claim, room)
            brackets = "[]" if is_array(claim.value) else "{}"
            self.add(claim.lead+brackets[0])
            return [brackets[1], *reversed(parts)]
        return []

    def cut(self, claim, room):
        text=claim.value
        count = legal_cut(text, fitting(text, room-2, _body))
        if not count:
            self.spare=room+len(claim.lead)
            return
        quote=quoted(text[:count])
        self.add(claim.lead + quote)
        self.spare = room - len(quote)
        if count < len(text): self.cuts.append((len(self.pieces) - 1, text, count))

    def add(self,part):
        if part[0] == "," and self.pieces[-1][-1] in "[{":
            part = part[1:]
        self.pieces.append(part)

    def lengthen(self):
        for index, text, count in self.cuts:
            if self.spare<=0: break
            more = legal_cut(text, count+fitting(text[count:count+self.spare], self.spare, _body))
            if more > count:
                add_ = _body(text[count:more])
                self.pieces[index] = self.pieces[index][:-1]+add_+'"'
                self.spare -= len(add_)


def _body(text): return quoted(text)[1:-1]


def _expanded(claim, room):
    if is_array(claim.value):
        shelf = _array_shelf(claim.value, room, claim.links)
    else:
        shelf = _object_shelf(claim.value, claim.identity, room)
    claims=[p for p in shelf.parts if isinstance(p, Claim)]
    return shelf.parts, share(claims, shelf.left)


def share(claims, left):
    if len(claims)==1:
        claims[0].room+=left; return 0
    reach = 0
    while True:
        open_ = [c for c in claims if c.text is None]
        needs = [left if c.text is None else max(0, len(c.text)-c.room) for c in claims]
        shares = fair_shares(needs, left)
        if len(open_)<=1 or all(s<=reach for c,s in zip(claims,shares) if c.text is None):
            break
        reach = max(2*reach, FIRST_REACH)
        for c in open_:
            c.text = written(c.value, c.room+reach)
    for c,s in zip(claims,shares):
        c.room += s
    return left - sum(shares)


@define
class _Shelf:
    left: int
    floor: int
    parts: list = field(factory=list)

    def take(self, lead, value, links=False):
        room = self.left - len(lead)
        atom = links if isinstance(value,str) else not(is_array(value) or is_object(value))
        text = written(value, room if atom else min(room, self.floor))
        if text is not None:
            self.parts.append(lead+text)
            self.left = room - len(text)
            return True
        d = None if atom else demand(value, room, links)
        if d is None: return False
        wish=max(self.floor,d.wish)
        granted=wish if wish<=room else min(room,max(self.floor,d.least))
        self.parts.append(Claim(lead, value, links, d.identity, granted))
        self.left = room - granted
        return True


def _array_shelf(array, room, links):
    shelf = _Shelf(room-1, ENTRY)
    misfits=0
    for run in runs(array, room):
        text = run_text(run, ",")
        if text is not None and len(text)<shelf.left:
            shelf.parts.append(","+text)
            shelf.left-=len(text)+1
            continue
        for entry in run:
            if shelf.take(",", entry, links and (isinstance(entry,str) or is_array(entry))): continue
            misfits+=1
            if misfits==MISFITS or _Shelf(room-1,ENTRY).take(",",entry): return shelf
    return shelf


def _object_shelf(mapping, identity, room):
    shelf = _Shelf(room-1-sum(map(len,identity.values())), FIELD)
    identity=dict(identity)
    misfits=0
    for key,value in mapping.items():
        text=identity.pop(key,None)
        if text:
            shelf.parts.append(text)
            continue
        name=key if type(key) is str else key_text(key)
        if len(name)+5<shelf.left and shelf.take(f",{quoted(name)}:", value, is_array(value) and names_link_list(key)): continue
        misfits+=1
        if misfits==MISFITS: break
    shelf.parts.extend(identity.values())
    return shelf
