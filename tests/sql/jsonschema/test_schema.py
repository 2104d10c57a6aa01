"""JSON Schema in the kernel: what conforms, what is registered, and that others agree."""

import json
from typing import Any

import jsonschema_rs
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.sizes import size

Connection = psycopg.Connection[Any]

PROPERTY = settings(
    max_examples=size(100, 400),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

# A schema, what conforms to it, what does not.
TABLE: list[tuple[str, Any, list[Any], list[Any]]] = [
    ("true", True, [None, 1, "a", [], {}], []),
    ("false", False, [], [None, 0, "a", [], {}]),
    ("empty", {}, [None, False, 3.5, "", [1], {"a": 1}], []),
    ("integer", {"type": "integer"}, [1, 1.0, 0, -7], [1.5, "1", True, None, [1], {}]),
    ("number", {"type": "number"}, [1, 1.0, -2.25], ["1", False, None, [], {}]),
    ("string", {"type": "string"}, ["", "1", "text"], [1, None, True, [], {}]),
    ("object", {"type": "object"}, [{}, {"a": None}], [[], "a", 1, None]),
    ("array", {"type": "array"}, [[], [None]], [{}, "a", 1, None]),
    ("boolean", {"type": "boolean"}, [True, False], [0, 1, "", "true", None]),
    ("null", {"type": "null"}, [None], [0, False, "", [], {}]),
    ("types", {"type": ["integer", "string"]}, [1, "a", 2.0], [1.5, None, True, []]),
    ("types of one", {"type": ["null"]}, [None], [0, "null"]),
    ("integer or number", {"type": ["integer", "number"]}, [1, 1.5], ["1"]),
    ("const number", {"const": 2}, [2, 2.0], [3, "2", [2], None]),
    ("const false", {"const": False}, [False], [0, 0.0, None, "", [False]]),
    ("const zero", {"const": 0}, [0, 0.0, -0.0], [False, "0", [], {}]),
    ("const one", {"const": 1}, [1, 1.0], [True, "1"]),
    ("const null", {"const": None}, [None], [0, False, "", {}]),
    ("const list", {"const": [False]}, [[False]], [[0], [], [False, False], [[False]]]),
    ("const object", {"const": {"a": 1, "b": 2}}, [{"b": 2.0, "a": 1}], [{"a": 1}, {"a": True}]),
    ("const nested", {"const": {"a": [0]}}, [{"a": [0]}], [{"a": [False]}, {"a": [0], "b": 1}]),
    ("enum", {"enum": [1, "a", None]}, [1, 1.0, "a", None], [True, "A", [], [1]]),
    ("enum of lists", {"enum": [[1, 2], {"a": 1}]}, [[1, 2], {"a": 1}], [[1], [2, 1], {}, 1]),
    ("enum false", {"enum": [False]}, [False], [0, None, [False]]),
    ("enum zero in a list", {"enum": [[0]]}, [[0], [0.0]], [[False], 0, []]),
    ("enum of one text", {"enum": ["a"]}, ["a"], [["a"], {"a": 1}, "aa"]),
    ("enum empty ones", {"enum": [[], {}]}, [[], {}], [None, [[]], {"a": 1}, ""]),
    ("required", {"required": ["a"]}, [{"a": None}, {"a": 1, "b": 2}, [], "x", 3], [{}, {"b": 1}]),
    ("required none", {"required": []}, [{}, {"a": 1}], []),
    ("required odd", {"required": ['"', "a\n", "é"]}, [{'"': 1, "a\n": 1, "é": 1}], [{'"': 1}]),
    ("required keyword", {"required": ["required"]}, [{"required": 0}], [{"enum": []}]),
    (
        "properties",
        {"properties": {"a": {"type": "integer"}, "b": {"type": "string"}}},
        [{}, {"a": 1, "b": "x"}, {"c": []}, [], 12, "a"],
        [{"a": "x"}, {"a": 1, "b": 2}, {"a": [], "b": {}}],
    ),
    ("property false", {"properties": {"a": False, "b": True}}, [{}, {"b": 1}], [{"a": None}]),
    (
        "properties named as keywords",
        {"properties": {"$ref": {"type": "string"}, "type": {"type": "integer"}, "enum": False}},
        [{"$ref": "#/nowhere"}, {"type": 1}],
        [{"$ref": 1}, {"type": "integer"}, {"enum": []}],
    ),
    (
        "properties with odd names",
        {"properties": {"a/b": {"type": "null"}, "c~d": {"type": "null"}, "": {"const": 1}}},
        [{"a/b": None, "c~d": None, "": 1}],
        [{"a/b": 1}, {"c~d": 1}, {"": 2}],
    ),
    (
        "property null",
        {"properties": {"a": {"type": "null"}}},
        [{"a": None}, {}],
        [{"a": 0}],
    ),
    (
        "no additional properties",
        {"properties": {"a": {}}, "additionalProperties": False},
        [{}, {"a": 1}, [1], "x"],
        [{"b": 1}, {"a": 1, "b": None}],
    ),
    ("nothing at all", {"additionalProperties": False}, [{}, []], [{"a": 1}, {"": 1}]),
    (
        "additional properties of a type",
        {"properties": {"a": {}}, "additionalProperties": {"type": "boolean"}},
        [{"a": 1}, {"b": True}, {"a": "x", "c": False}],
        [{"b": 1}, {"a": True, "b": True, "c": 0}],
    ),
    (
        "additional properties do not see allOf",
        {"allOf": [{"properties": {"a": {}}}], "additionalProperties": {"type": "boolean"}},
        [{"a": True}],
        [{"a": 1}],
    ),
    ("items", {"items": {"type": "integer"}}, [[], [1, 2.0], {"0": "x"}, "x"], [["x"], [1, "x"]]),
    ("no items", {"items": False}, [[], {}], [[1], [None]]),
    ("any items", {"items": True}, [[], [1, "x"]], []),
    ("items of items", {"items": {"items": {"type": "null"}}}, [[[None], []], [1]], [[[1]]]),
    ("null items", {"items": {"type": "null"}}, [[None, None]], [[None, 0]]),
    ("minItems", {"minItems": 1}, [[1], [1, 2], "", {}], [[]]),
    ("maxItems", {"maxItems": 2.0}, [[], [1, 2], "abc", {"a": 1}], [[1, 2, 3]]),
    ("maxItems 0", {"maxItems": 0}, [[]], [[None]]),
    ("minLength", {"minLength": 2}, ["ab", "abc", 1, [], None], ["", "a", "\U0001f4a9"]),
    ("maxLength", {"maxLength": 2}, ["", "ab", 100, "\U0001f4a9\U0001f4a9"], ["abc", "é" * 3]),
    ("maxLength 2.0", {"maxLength": 2.0}, ["ab"], ["abc"]),
    ("minimum", {"minimum": 1.1}, [1.1, 2, "x", None, [0]], [1, 0.6, -5]),
    ("minimum below 0", {"minimum": -2}, [-2, -2.0, -1, 0], [-2.0001, -3]),
    ("maximum", {"maximum": 3}, [3, 3.0, 2.9, "9", {}], [3.5, 4]),
    ("maximum 0.1", {"maximum": 0.3}, [0.3, 0.1], [0.30001]),
    ("exclusiveMinimum", {"exclusiveMinimum": 1.1}, [1.2, "0"], [1.1, 1.0]),
    ("exclusiveMaximum", {"exclusiveMaximum": 3}, [2.9, "9"], [3, 3.0, 4]),
    ("both ends", {"minimum": 1, "exclusiveMaximum": 2}, [1, 1.99], [0.99, 2]),
    ("pattern", {"pattern": "^a*$"}, ["", "aaa", 1, None, [], {}], ["ab", "b"]),
    ("pattern anywhere", {"pattern": "a+"}, ["xxaayy"], ["xyz", ""]),
    ("pattern of whole text", {"pattern": "^a$"}, ["a"], ["a\n", "\na", "b\na"]),
    ("pattern dot", {"pattern": "^a.c$"}, ["abc", "a\U0001f4a9c"], ["ac", "a\nc", "a\u2028c"]),
    ("pattern digits", {"pattern": r"^\d+$"}, ["0", "19"], ["", "1a", "\u0663", "1\n"]),
    ("pattern no digits", {"pattern": r"^\D+$"}, ["ab", "\u0663", "\n"], ["a1"]),
    ("pattern word", {"pattern": r"^\w$"}, ["a", "_", "7"], ["é", "-", " "]),
    ("pattern no word", {"pattern": r"^\W$"}, ["é", "-", " "], ["a", "_"]),
    ("pattern space", {"pattern": r"^\s$"}, [" ", "\t", "\u00a0", "\u2029", "\ufeff"], ["a", "_"]),
    ("pattern no space", {"pattern": r"^\S$"}, ["a", "\u0001"], [" ", "\u2003", "\u3000"]),
    ("pattern spaces", {"pattern": r"^[a\s]+$"}, ["a \u00a0\n"], ["b", ""]),
    ("pattern anything", {"pattern": r"^[\s\S]{3}$"}, ["a\nb", "\u2028 \U0001f4a9"], ["ab"]),
    ("pattern no spaces", {"pattern": r"^[^\s]+$"}, ["ab"], ["a b", "a\u00a0"]),
    ("pattern of classes", {"pattern": r"^[\w.-]+@[\d]+$"}, ["a.b-c@1"], ["a b@1", "a@b"]),
    ("pattern bracket", {"pattern": "^[[]$"}, ["["], ["a"]),
    ("pattern bracket and dot", {"pattern": "^[[.]+$"}, ["[", "."], ["a", "]"]),
    ("pattern in brackets", {"pattern": r"^[\]\[^-]+$"}, ["[]^-"], ["a", "\\"]),
    ("pattern escapes", {"pattern": r"^\(\.\)\/\\$"}, ["(.)/\\"], ["(a)/\\"]),
    ("pattern x and u", {"pattern": r"^\x41\u00e9b$"}, ["Aéb"], ["Aeb", "A"]),
    ("pattern x is of two", {"pattern": r"^\x41b$"}, ["Ab"], ["\u041b"]),
    ("pattern controls", {"pattern": r"^[\u0000-\u001f]\t$"}, ["\n\t"], ["a\t"]),
    ("pattern counts", {"pattern": "^(ab){2,3}?$"}, ["abab", "ababab"], ["ab", "abababab"]),
    ("pattern branches", {"pattern": "^(?:cat|dog)s?$"}, ["cat", "dogs"], ["catdog", "cow"]),
    ("pattern ahead", {"pattern": "^(?!x)(?=.*1)[a-z1]+$"}, ["a1b"], ["xa1", "ab", "A1"]),
    ("pattern nothing", {"pattern": ""}, ["", "a", 3], []),
    ("pattern case", {"pattern": "^[A-Z]$"}, ["A"], ["a", "É"]),
    ("pattern range", {"pattern": "^[a-zé-ü]+$"}, ["zoé"], ["ZOÉ"]),
    ("pattern wide", {"pattern": "^\U0001f432*$"}, ["", "\U0001f432\U0001f432"], ["\U0001f409"]),
    ("allOf", {"allOf": [{"minimum": 1}, {"maximum": 3}]}, [1, 2, 3, "x"], [0, 4]),
    ("allOf with false", {"allOf": [True, False]}, [], [1, None]),
    ("allOf with more", {"allOf": [{"maximum": 9}], "minimum": 5}, [5, 9], [1, 35]),
    ("anyOf", {"anyOf": [{"type": "integer"}, {"minimum": 2}]}, [1, 2.5, 3, "x"], [1.5]),
    ("anyOf with true", {"anyOf": [True, False]}, [1], []),
    ("anyOf of false", {"anyOf": [False, False]}, [], [1, {}]),
    ("anyOf with more", {"type": "string", "anyOf": [{"maxLength": 2}]}, ["ab"], ["abc", 3]),
    ("oneOf", {"oneOf": [{"type": "integer"}, {"minimum": 2}]}, [1, 2.5], [3, 1.5]),
    ("oneOf all true", {"oneOf": [True, True]}, [], [1]),
    ("oneOf one true", {"oneOf": [False, True, False]}, [1], []),
    ("oneOf three", {"oneOf": [{"type": "string"}, True, {"maxLength": 1}]}, [], ["a", "ab", 1]),
    (
        "oneOf required",
        {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]},
        [{"a": 1}, {"b": 1, "c": 2}],
        [{}, {"a": 1, "b": 2}],
    ),
    ("not", {"not": {"type": "integer"}}, ["x", 1.5, None], [1, 1.0]),
    ("not true", {"not": True}, [], [1, {}, None]),
    ("not false", {"not": False}, [1, {}, None], []),
    ("not not", {"not": {"not": {"type": "null"}}}, [None], [1]),
    ("not a member", {"not": {"required": ["a"]}}, [{}, {"b": 1}], [{"a": 1}, 3]),
    (
        "all in one",
        {"allOf": [{"const": 6}], "anyOf": [{"minimum": 5}], "oneOf": [{"type": "number"}]},
        [6],
        [5, "6"],
    ),
    (
        "ref to root",
        {"properties": {"a": {"$ref": "#"}}, "additionalProperties": False},
        [{}, {"a": {"a": {}}}, {"a": 5}],
        [{"b": 1}, {"a": {"b": 1}}],
    ),
    (
        "ref to a property",
        {"properties": {"a": {"type": "integer"}, "b": {"$ref": "#/properties/a"}}},
        [{"a": 1, "b": 2}, {"a": 3}],
        [{"b": "x"}, {"a": "x"}],
    ),
    ("ref into a list", {"allOf": [{"type": "null"}, {"$ref": "#/allOf/0"}]}, [None], [1]),
    (
        "refs with escapes",
        {
            "properties": {
                "tilde": {"$ref": "#/$defs/a~0b"},
                "slash": {"$ref": "#/$defs/a~1b"},
                "percent": {"$ref": "#/$defs/a%25b"},
                "quote": {"$ref": "#/$defs/a%22b"},
                "accent": {"$ref": "#/$defs/%c3%A9"},
            },
            "$defs": {
                "a~b": {"type": "integer"},
                "a/b": {"type": "integer"},
                "a%b": {"type": "integer"},
                'a"b': {"type": "integer"},
                "é": {"type": "integer"},
            },
        },
        [{"tilde": 1, "slash": 2, "percent": 3, "quote": 4, "accent": 5}],
        [{"tilde": "x"}, {"slash": "x"}, {"percent": "x"}, {"quote": "x"}, {"accent": "x"}],
    ),
    (
        "ref with more",
        {"$defs": {"a": {"type": "array"}}, "$ref": "#/$defs/a", "maxItems": 2},
        [[], [1, 2]],
        [[1, 2, 3], "x"],
    ),
    (
        "ref through ref",
        {
            "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/c"}, "c": {"const": 1}},
            "$ref": "#/$defs/a",
        },
        [1],
        [2],
    ),
    ("ref to false", {"$ref": "#/$defs/no", "$defs": {"no": False}}, [], [1]),
    ("ref to true", {"$ref": "#/$defs/yes", "$defs": {"yes": True}}, [1], []),
    (
        "ref to a definition in a definition",
        {"$ref": "#/$defs/a/$defs/b", "$defs": {"a": {"$defs": {"b": {"type": "null"}}}}},
        [None],
        [1],
    ),
    (
        "ref to an empty name",
        {"$ref": "#/$defs/", "$defs": {"": {"type": "null"}}},
        [None],
        [1],
    ),
    (
        "tree",
        {
            "type": "object",
            "required": ["value", "nodes"],
            "properties": {
                "value": {"type": "number"},
                "nodes": {"type": "array", "items": {"$ref": "#"}},
            },
        },
        [{"value": 1, "nodes": [{"value": 2, "nodes": []}, {"value": 3.5, "nodes": []}]}],
        [{"value": 1, "nodes": [{"value": "2", "nodes": []}]}, {"value": 1, "nodes": [{}]}],
    ),
    (
        "two that refer to one another",
        {
            "$ref": "#/$defs/even",
            "$defs": {
                "even": {"properties": {"n": {"$ref": "#/$defs/odd"}}, "required": ["even"]},
                "odd": {"properties": {"n": {"$ref": "#/$defs/even"}}, "required": ["odd"]},
            },
        },
        [{"even": 1}, {"even": 1, "n": {"odd": 1, "n": {"even": 1}}}],
        [{"odd": 1}, {"even": 1, "n": {"even": 1}}],
    ),
    ("definitions are no limit", {"$defs": {"a": False}}, [1, {"a": 1}], []),
    (
        "notes are no limits",
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$comment": "c",
            "title": "t",
            "description": "d",
            "default": 5,
            "examples": [5],
            "deprecated": True,
            "readOnly": True,
            "writeOnly": False,
            "type": "string",
        },
        ["x"],
        [5],
    ),
    (
        "a default is not filled in",
        {"properties": {"a": {"default": 1}}, "required": ["a"]},
        [],
        [{}],
    ),
    (
        "a ref in an enum is a value",
        {"enum": [{"$ref": "#/nowhere"}]},
        [{"$ref": "#/nowhere"}],
        [{}, None],
    ),
    (
        "a call",
        {
            "type": "object",
            "properties": {
                "amount": {"type": "number", "exclusiveMinimum": 0, "maximum": 500},
                "to": {"type": "string", "pattern": r"^[A-Z]{2}\d{4}$"},
                "tags": {"type": "array", "items": {"enum": ["a", "b"]}, "maxItems": 2},
            },
            "required": ["amount", "to"],
            "additionalProperties": False,
        },
        [{"amount": 500, "to": "DE1234"}, {"amount": 0.5, "to": "DE1234", "tags": ["b", "b"]}],
        [
            {"amount": 0, "to": "DE1234"},
            {"amount": 501, "to": "DE1234"},
            {"amount": 5},
            {"amount": 5, "to": "DE12345"},
            {"amount": 5, "to": "DE1234", "tags": ["c"]},
            {"amount": 5, "to": "DE1234", "tags": ["a", "a", "a"]},
            {"amount": 5, "to": "DE1234", "note": ""},
        ],
    ),
]
CASES = [
    pytest.param(schema, instance, valid, id=f"{name}: {json.dumps(instance)}")
    for name, schema, right, wrong in TABLE
    for valid, instances in ((True, right), (False, wrong))
    for instance in instances
]


@pytest.fixture
def kernel(tx: Connection) -> Connection:
    """As the verbs call it."""
    tx.execute("set local search_path = pg_catalog, pg_temp")
    return tx


def fault(kernel: Connection, schema: Any, instance: Any) -> str | None:
    return fault_of_text(kernel, json.dumps(schema), json.dumps(instance))


def fault_of_text(kernel: Connection, schema: str, instance: str | None) -> str | None:
    query = "select cmbs_store.schema_fault(%s::jsonb, %s::jsonb)"
    (found,) = kernel.execute(query, (schema, instance)).fetchone() or (None,)
    assert found is None or found.startswith("/"), found
    return found


def malformed(kernel: Connection, document: Any) -> str | None:
    query = "select cmbs_store.schema_malformed(%s::jsonb)"
    (found,) = kernel.execute(query, (json.dumps(document),)).fetchone() or (None,)
    assert found is None or found.startswith("/"), found
    return found


def test_there_are_many_cases() -> None:
    assert len(CASES) >= 400


def test_cases(kernel: Connection, subtests: pytest.Subtests) -> None:
    for case in CASES:
        schema, instance, valid = case.values
        with subtests.test(case.id):
            assert malformed(kernel, schema) is None
            assert (fault(kernel, schema, instance) is None) is valid
            # To the other one a dot means every character but a line feed.
            if instance != "a\u2028c":
                assert jsonschema_rs.Draft202012Validator(schema).is_valid(instance) is valid


@pytest.mark.parametrize(
    ("schema", "instance", "text"),
    [
        ({"type": "number"}, "1", "/: must be number, is string"),
        ({"type": ["string", "null"]}, 1, "/: must be string or null, is number"),
        ({"type": "integer"}, 1.5, "/: must be integer, is number"),
        ({"const": "a"}, "b", '/: must be "a"'),
        ({"const": None}, "b", "/: must be null"),
        ({"enum": ["a", 1]}, "b", '/: must be one of ["a", 1]'),
        ({"required": ["amount"]}, {}, "/: must have the member amount"),
        ({"properties": {"a": {"maximum": 500}}}, {"a": 501}, "/a: must be at most 500"),
        ({"properties": {"a/b~": False}}, {"a/b~": 1}, "/a~1b~0: is not allowed"),
        ({"additionalProperties": False}, {"x": 1}, "/x: is not allowed"),
        ({"items": {"items": {"minimum": 2}}}, [[2], [3, 1]], "/1/1: must be at least 2"),
        ({"exclusiveMinimum": 0}, 0, "/: must be more than 0"),
        ({"exclusiveMaximum": 0.5}, 0.5, "/: must be less than 0.5"),
        ({"minLength": 3}, "ab", "/: must have at least 3 characters"),
        ({"maxItems": 1}, [1, 2], "/: must have at most 1 items"),
        ({"pattern": "^a$"}, "b", "/: must match the pattern ^a$"),
        ({"anyOf": [False, {"minimum": 2}]}, 1, "/: matches no schema of anyOf"),
        ({"oneOf": [False]}, 1, "/: matches no schema of oneOf"),
        ({"oneOf": [True, True]}, 1, "/: matches more than one schema of oneOf"),
        ({"items": {"not": {"const": 1}}}, [0, 1], "/1: must not match the schema of not"),
        ({"allOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": False}}, 1, "/: is not allowed"),
        ({"properties": {"b": False, "aa": False}}, {"aa": 1, "b": 1}, "/b: is not allowed"),
    ],
)
def test_the_fault_is_a_sentence(kernel: Connection, schema: Any, instance: Any, text: str) -> None:
    assert fault(kernel, schema, instance) == text


def test_no_value_conforms_to_nothing(kernel: Connection) -> None:
    assert fault_of_text(kernel, "true", None) == "/: there is no value"


@pytest.mark.parametrize(
    ("schema", "instance", "valid"),
    [
        ('{"type": "integer"}', "1e400", True),
        ('{"type": "integer"}', "-" + "1234567890" * 9, True),
        ('{"type": "integer"}', "1e-400", False),
        ('{"maximum": 1e400}', "1e400", True),
        ('{"maximum": 1e400}', "1.1e400", False),
        ('{"exclusiveMaximum": 0.12345678901234567890123}', "0.12345678901234567890122", True),
        ('{"exclusiveMaximum": 0.12345678901234567890123}', "0.12345678901234567890123", False),
        ('{"const": 9007199254740993}', "9007199254740992", False),
        ('{"const": 1.10}', "1.1", True),
        ('{"enum": [1e2]}', "100", True),
    ],
)
def test_numbers_are_exact(kernel: Connection, schema: str, instance: str, valid: bool) -> None:
    assert (fault_of_text(kernel, schema, instance) is None) is valid


UNSUPPORTED = {
    "$id": "https://example.org/a",
    "$anchor": "a",
    "$dynamicRef": "#a",
    "$dynamicAnchor": "a",
    "$vocabulary": {},
    "$recursiveRef": "#",
    "definitions": {},
    "format": "date",
    "patternProperties": {},
    "propertyNames": {},
    "prefixItems": [True],
    "additionalItems": False,
    "contains": True,
    "minContains": 1,
    "multipleOf": 2,
    "minProperties": 1,
    "maxProperties": 1,
    "dependentRequired": {},
    "dependentSchemas": {},
    "dependencies": {},
    "if": True,
    "then": True,
    "else": True,
    "uniqueItems": True,
    "unevaluatedItems": False,
    "unevaluatedProperties": False,
    "contentEncoding": "base64",
    "Type": "string",
    "maxlength": 3,
    "": 1,
}
MALFORMED: list[tuple[Any, str]] = [
    (None, "/: a schema is"),
    ("string", "/: a schema is"),
    ([], "/: a schema is"),
    (5, "/: a schema is"),
    ({"a/b~": 1}, "/a~1b~0: is not supported"),
    ({"type": "float"}, "/type: must be a type"),
    ({"type": "String"}, "/type: must be a type"),
    ({"type": []}, "/type: must be a type"),
    ({"type": ["string", "string"]}, "/type: must be a type"),
    ({"type": ["string", 1]}, "/type: must be a type"),
    ({"type": None}, "/type: must be a type"),
    ({"type": {}}, "/type: must be a type"),
    ({"type": [["string"]]}, "/type: must be a type"),
    ({"enum": []}, "/enum: must be a list"),
    ({"enum": "a"}, "/enum: must be a list"),
    ({"enum": {"a": 1}}, "/enum: must be a list"),
    ({"required": "a"}, "/required: must be a list"),
    ({"required": ["a", "a"]}, "/required: must be a list"),
    ({"required": [1]}, "/required: must be a list"),
    ({"required": True}, "/required: must be a list"),
    ({"properties": ["a"]}, "/properties: must be an object"),
    ({"properties": {"a": 1}}, "/properties/a: a schema is"),
    ({"properties": {"a": {"items": {"not": "b"}}}}, "/properties/a/items/not: a schema is"),
    ({"properties": {"a": {"type": 1}}}, "/properties/a/type: must be a type"),
    ({"properties": {"a/b": {"type": 1}}}, "/properties/a~1b/type: must be a type"),
    ({"$defs": {"a": None}}, "/$defs/a: a schema is"),
    ({"$defs": {"a": {"format": "date"}}}, "/$defs/a/format: is not supported"),
    ({"$defs": []}, "/$defs: must be an object"),
    ({"additionalProperties": "no"}, "/additionalProperties: a schema is"),
    ({"additionalProperties": {"if": True}}, "/additionalProperties/if: is not supported"),
    ({"items": [True]}, "/items: a schema is"),
    ({"items": {"minItems": -1}}, "/items/minItems: must be a whole number"),
    ({"minLength": "3"}, "/minLength: must be a whole number"),
    ({"maxLength": -1}, "/maxLength: must be a whole number"),
    ({"minItems": 1.5}, "/minItems: must be a whole number"),
    ({"maxItems": None}, "/maxItems: must be a whole number"),
    ({"minimum": "0"}, "/minimum: must be a number"),
    ({"maximum": None}, "/maximum: must be a number"),
    ({"exclusiveMinimum": True}, "/exclusiveMinimum: must be a number"),
    ({"exclusiveMaximum": [1]}, "/exclusiveMaximum: must be a number"),
    ({"anyOf": []}, "/anyOf: must be a list"),
    ({"allOf": {}}, "/allOf: must be a list"),
    ({"oneOf": True}, "/oneOf: must be a list"),
    ({"oneOf": [True, 1]}, "/oneOf/1: a schema is"),
    ({"not": []}, "/not: a schema is"),
    ({"$comment": 1}, "/$comment: must be a text"),
    ({"title": None}, "/title: must be a text"),
    ({"description": []}, "/description: must be a text"),
    ({"examples": "a"}, "/examples: must be a list"),
    ({"deprecated": "yes"}, "/deprecated: must be true or false"),
    ({"readOnly": 1}, "/readOnly: must be true or false"),
    ({"writeOnly": None}, "/writeOnly: must be true or false"),
    ({"$schema": "http://json-schema.org/draft-07/schema#"}, "/$schema: must be"),
    ({"$schema": "https://json-schema.org/draft/2019-09/schema"}, "/$schema: must be"),
    (
        {"items": {"$schema": "https://json-schema.org/draft/2020-12/schema"}},
        "/items/$schema: may stand at the top only",
    ),
    ({"$ref": 1}, "/$ref: must be a text"),
    ({"$ref": ""}, "/$ref: must be a local"),
    ({"$ref": "other"}, "/$ref: must be a local"),
    ({"$ref": "https://example.org/schema#/a"}, "/$ref: must be a local"),
    ({"$ref": "#name"}, "/$ref: must be a local"),
    ({"$ref": "#/%zz"}, "/$ref: must be a local"),
    ({"$ref": "#/%ff"}, "/$ref: must be a local"),
    ({"$ref": "#/%00"}, "/$ref: must be a local"),
    ({"$ref": "#/a~2"}, "/$ref: must be a local"),
    ({"$ref": "#/a~"}, "/$ref: must be a local"),
    ({"$ref": "#/$defs/a"}, "/$ref: leads to no schema"),
    ({"$ref": "#/"}, "/$ref: leads to no schema"),
    ({"$ref": "#/$defs", "$defs": {"type": True}}, "/$ref: leads to no schema"),
    ({"$ref": "#/enum/0", "enum": [{"type": "string"}]}, "/$ref: leads to no schema"),
    ({"$ref": "#/default", "default": {}}, "/$ref: leads to no schema"),
    ({"$ref": "#/allOf/-1", "allOf": [True]}, "/$ref: leads to no schema"),
    ({"$ref": "#/allOf/00", "allOf": [True]}, "/$ref: leads to no schema"),
    ({"properties": {"a": {"$ref": "#/b"}}}, "/properties/a/$ref: leads to no schema"),
    ({"$ref": "#"}, "/: is reached by a circle"),
    ({"allOf": [{"$ref": "#"}]}, "/: is reached by a circle"),
    ({"not": {"anyOf": [True, {"oneOf": [{"$ref": "#/not"}]}]}}, "/not: is reached by a circle"),
    (
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
        "/$defs/a: is reached by a circle",
    ),
    ({"description": "x" * 65536}, "/: may have 64 kB"),
    ({"enum": [["é" * 33000]]}, "/: may have 64 kB"),
    ({"properties": {str(number): True for number in range(2000)}}, "/: may have 2,000 schemas"),
]
PATTERNS_REFUSED = {
    "a" * 201: "may have 200 characters",
    "(": "must be a regular expression: ",
    "[a": "must be a regular expression: ",
    "a\\": "cannot have \\",
    "a**": "must be a regular expression: ",
    "a{2,1}": "must be a regular expression: ",
    "(((a{255}){255}){255}){255}": "must be a regular expression: ",
    "[b-a]": "must be a regular expression: ",
    r"[\w-z]": "must be a regular expression: ",
    "^(?=a)*": "must be a regular expression: ",
    "***=a": "cannot have ***=a",
    "***:a": "cannot have ***:a",
    "*a": "cannot have *a",
    "(?i)a": "cannot have (?i",
    "(?x) a": "cannot have (?x",
    "(?#a)": "cannot have (?#",
    "(?<name>a)": "cannot have (?<",
    "(?<=a)b": "cannot have (?<",
    "(?<!a)b": "cannot have (?<",
    "(?P<n>a)": "cannot have (?P",
    "a(?=b)": "cannot have (?= but at its start, after ^",
    "(?!b)a": "cannot have (?! but at its start, after ^",
    "^(?=a(?=b))": "cannot have (?= but at its start, after ^",
    "^a|(?=b)": "cannot have (?= but at its start, after ^",
    "(^(?=b))": "cannot have (?= but at its start, after ^",
    "^[a](?=b)": "cannot have (?= but at its start, after ^",
    "^(?:a)(?=b)": "cannot have (?= but at its start, after ^",
    r"(a)\1": r"cannot have \1",
    r"\0": r"cannot have \0",
    r"\b": r"cannot have \b",
    r"\B": r"cannot have \B",
    r"[\b]": r"cannot have \b",
    r"\Aa\Z": r"cannot have \A",
    r"\Z": r"cannot have \Z",
    r"\ma\M": r"cannot have \m",
    r"\M": r"cannot have \M",
    r"\y": r"cannot have \y",
    r"\Y": r"cannot have \Y",
    r"\a": r"cannot have \a",
    r"\e": r"cannot have \e",
    r"\p{L}": r"cannot have \p",
    r"\P{L}": r"cannot have \P",
    r"\u{41}": r"cannot have \u",
    r"\U00000041": r"cannot have \U",
    r"\ud83d\udc32": r"cannot have \ud83d",
    r"\x4": r"cannot have \x",
    r"\cA": r"cannot have \c",
    r"\k<n>": r"cannot have \k",
    "\\é": "cannot have \\é",
    "[]": "cannot have [] or [^]",
    "[^]": "cannot have [] or [^]",
    "[]a]": "cannot have [] or [^]",
    "a{256}": "must be a regular expression: invalid repetition count(s)",
    r"[a-\s]": r"cannot have \s",
    r"[a-\S]": r"cannot have \S",
}


@pytest.mark.parametrize("keyword", UNSUPPORTED)
def test_an_unsupported_keyword_is_refused(kernel: Connection, keyword: str) -> None:
    document = {keyword: UNSUPPORTED[keyword]}
    assert malformed(kernel, document) == f"/{keyword}: is not supported"
    assert malformed(kernel, {"anyOf": [document]}) == f"/anyOf/0/{keyword}: is not supported"
    assert malformed(kernel, {"properties": {keyword: True}, "const": document}) is None


@pytest.mark.parametrize(("document", "problem"), MALFORMED)
def test_what_is_malformed_is_refused(kernel: Connection, document: Any, problem: str) -> None:
    assert (malformed(kernel, document) or "").startswith(problem)


@pytest.mark.parametrize("pattern", PATTERNS_REFUSED)
def test_a_pattern_that_means_something_else_is_refused(kernel: Connection, pattern: str) -> None:
    found = malformed(kernel, {"properties": {"a": {"pattern": pattern}}})
    assert (found or "").startswith(f"/properties/a/pattern: {PATTERNS_REFUSED[pattern]}")
    assert fault(kernel, {"pattern": pattern}, "a") == "/: its schema is not understood"


def test_depth_of_a_document(kernel: Connection) -> None:
    def nested(levels: int) -> Any:
        return {"not": nested(levels - 1)} if levels > 1 else {}

    assert malformed(kernel, nested(64)) is None
    assert malformed(kernel, nested(65)) == "/: may be nested 64 levels deep"


def test_as_many_schemas_as_may_be(kernel: Connection) -> None:
    chain: Any = {str(n): {"$ref": f"#/$defs/{n + 1}"} for n in range(62)}
    chain["62"] = {"type": "null"}
    many = {str(n): {"$ref": "#/$defs/0"} for n in range(1900)}
    schema = {"$defs": chain, "properties": many, "$ref": "#/$defs/0"}
    assert malformed(kernel, schema) is None
    assert fault(kernel, schema, None) is None
    assert fault(kernel, schema, 1) == "/: must be null, is number"
    chain |= {"62": {"$ref": "#/$defs/63"}, "63": True, "start": {"$ref": "#/$defs/0"}}
    assert malformed(kernel, {"$defs": chain}) == "/$defs/63: is reached by a circle of references"


# What no registration lets through, as a superuser could write it.
NOT_UNDERSTOOD: list[Any] = [
    None,
    5,
    "string",
    [],
    {"format": "date"},
    {"type": "float"},
    {"type": 5},
    {"enum": "a"},
    {"required": "a"},
    {"properties": []},
    {"properties": {"a": 5}},
    {"additionalProperties": "no"},
    {"allOf": {}},
    {"anyOf": True},
    {"oneOf": 1},
    {"not": 1},
    {"$ref": 1},
    {"$ref": "#/nowhere"},
    {"$ref": "https://example.org/"},
    {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}},
    {"properties": {"a": {"pattern": 1}}},
    {"properties": {"a": {"pattern": "("}}},
    {"properties": {"a": {"pattern": r"\bx"}}},
    {"properties": {"a": {"minLength": "3"}}},
    {"properties": {"a": {"maxLength": None}}},
]


@pytest.mark.parametrize("schema", NOT_UNDERSTOOD, ids=json.dumps)
def test_neither_it_nor_its_opposite_conforms(kernel: Connection, schema: Any) -> None:
    value = {"a": "bc"}
    assert malformed(kernel, schema) is not None
    definitions = schema.get("$defs", {}) if isinstance(schema, dict) else {}
    for document in (
        {"allOf": [schema]},
        {"not": schema},
        {"not": {"not": schema}},
        {"not": {"allOf": [schema]}},
        {"oneOf": [True, schema]},
        {"oneOf": [schema, True]},
        {"anyOf": [False, schema]},
        {"not": {"anyOf": [False, schema]}},
    ):
        assert fault(kernel, {**document, "$defs": definitions}, value) is not None, document
    assert fault(kernel, schema, value) is not None
    assert fault(kernel, {"anyOf": [schema, True], "$defs": definitions}, value) is None


def test_long_texts_are_not_searched(kernel: Connection) -> None:
    schema = {"pattern": "^a*$"}
    assert fault(kernel, schema, "a" * 10_000) is None
    too_long = "/: must have at most 10,000 characters to be compared with a pattern"
    assert fault(kernel, schema, "a" * 10_001) == too_long
    assert fault(kernel, {"not": schema}, "a" * 10_001) == too_long
    assert fault(kernel, {"maxLength": 20_000}, "a" * 10_001) is None


@pytest.mark.parametrize(
    "pattern",
    [
        "^(a+)+$",
        "^(a|a)*$",
        "(a|b)*a((a|b){250}){16}c",
        "^(?=(a|b)*a(a|b){250}c)",
        "(.*a.{0,99}){99}c",
        "^(?!(.*b){9})((a+)+)+$",
    ],
)
def test_no_pattern_takes_long(kernel: Connection, pattern: str) -> None:
    kernel.execute("set local statement_timeout = '5s'")
    assert malformed(kernel, {"pattern": pattern}) is None
    for text in ("a" * 9_999 + "d", "ab" * 4_999 + "d", "aab" * 3_333):
        fault(kernel, {"pattern": pattern}, text)


TWICE = [{"items": {"$ref": "#/$defs/it"}}, {"items": {"$ref": "#/$defs/it"}}]


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"allOf": TWICE}, "[" * 20 + "1" + "]" * 20),
        ({"anyOf": [*TWICE, {"const": 1}], "oneOf": [True]}, "[" * 60 + "1" + "]" * 60),
        ({"items": {"$ref": "#/$defs/it"}}, "[" * 100 + "]" * 100),
        ({"items": {"type": "null"}}, "[" + "null," * 30_000 + "null]"),
        ({"items": {"pattern": "a{255}|b"}}, json.dumps(["b" * 9_999] * 200)),
    ],
)
def test_what_takes_too_long_is_not_decided(kernel: Connection, schema: Any, text: str) -> None:
    kernel.execute("set local statement_timeout = '10s'")
    definitions = {"it": schema}
    for document in ({"$ref": "#/$defs/it"}, {"not": {"$ref": "#/$defs/it"}}):
        document["$defs"] = definitions
        assert malformed(kernel, document) is None
        found = fault_of_text(kernel, json.dumps(document), text)
        assert found is not None
        assert found.endswith((": nested too deeply to be checked", ": too much to be checked"))


NAMES = ["a", "b", "/~", "type"]
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.0, 0.5, 1.0, 2.0, -1.5]),
    st.sampled_from(["", "a", "ab", "aab", "b1", "\U0001f4a9", "é\n"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    ),
    max_leaves=6,
)
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]
LIMITS = st.sampled_from([0, 1, 2, 2.0, 3])
ENDS = st.sampled_from([-1, 0, 0.5, 1, 2.0])
PATTERNS = st.sampled_from(
    ["a", "^a", "b$", "^$", "^a*b?$", r"\d", r"^[\w]+$", r"\W", "(a|b){2}", r"[^a\s]", "^.$"]
)
REFS = st.sampled_from(["#", "#/$defs/a", "#/$defs/~1~0", "#/$defs/type", "#/$defs/%62"])


def composed(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    by_name = st.dictionaries(st.sampled_from(NAMES), inner, max_size=3)
    several = st.lists(inner, min_size=1, max_size=3)
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "properties": by_name,
        "additionalProperties": inner,
        "items": inner,
        "allOf": several,
        "anyOf": several,
        "oneOf": several,
        "not": inner,
        "$ref": REFS,
        "required": st.lists(st.sampled_from(NAMES), unique=True, max_size=2),
        "type": st.lists(st.sampled_from(TYPES), unique=True, min_size=1, max_size=4),
    }
    # Few at a time: with all of them nothing would conform.
    return st.lists(st.sampled_from(sorted(keywords)), unique=True, min_size=1, max_size=3).flatmap(
        lambda chosen: st.fixed_dictionaries({name: keywords[name] for name in chosen})
    )


LEAVES = st.one_of(
    st.booleans(),
    st.builds(lambda name: {"type": name}, st.sampled_from(TYPES)),
    st.builds(lambda value: {"const": value}, VALUES),
    st.builds(lambda values: {"enum": values}, st.lists(VALUES, min_size=1, max_size=4)),
    st.builds(lambda ref: {"$ref": ref}, REFS),
    st.builds(lambda name, limit: {name: limit}, st.sampled_from(["minItems", "maxItems"]), LIMITS),
    st.builds(
        lambda name, limit: {name: limit}, st.sampled_from(["minLength", "maxLength"]), LIMITS
    ),
    st.builds(
        lambda name, end: {name: end},
        st.sampled_from(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]),
        ENDS,
    ),
    st.builds(lambda pattern: {"pattern": pattern}, PATTERNS),
)
SCHEMAS = st.recursive(LEAVES, composed, max_leaves=8)


@PROPERTY
@given(
    schema=SCHEMAS,
    definitions=st.lists(SCHEMAS, min_size=4, max_size=4),
    values=st.lists(VALUES, min_size=4, max_size=8),
)
def test_another_reader_agrees(
    kernel: Connection, schema: Any, definitions: list[Any], values: list[Any]
) -> None:
    document = schema
    if isinstance(schema, dict):
        document = {**schema, "$defs": dict(zip(NAMES, definitions, strict=True))}
    refused = malformed(kernel, document)
    if refused is not None:
        # References lead in circles now and then, and the other one would follow them.
        assert refused.endswith("is reached by a circle of references")
        return
    other = jsonschema_rs.Draft202012Validator(document)
    for value in values:
        found = fault(kernel, document, value)
        assert (found is None) is other.is_valid(value), (document, value, found)
