import unittest

from settings.defaults import DEFAULTS
from settings.resolve import load


class HiddenSettingsTest(unittest.TestCase):
    def check(self, text, arguments, **changes):
        self.assertEqual(load(text, arguments), {**DEFAULTS, **changes}, f"load({text!r}, {arguments})")

    def test_layers(self):
        self.check("", [])
        self.check("{}", ["retries=0"], retries=0)
        self.check('{"prefix": ""}', [], prefix="")
        self.check('{"prefix": "/v2"}', ["prefix="], prefix="")
        self.check('{"retries": 5}', ["retries=0"], retries=0)
        self.check('{"retries": 0}', ["retries=5"], retries=5)
        self.check('{"compress": false}', ["port=1"], compress=False, port=1)

    def test_null_is_a_value(self):
        self.check('{"limit": null}', [], limit=None)
        self.check('{"limit": 5}', ["limit=null"], limit=None)
        self.check('{"limit": null}', ["limit=7"], limit=7)

    def test_defaults_are_not_changed(self):
        load('{"port": 1}')
        self.assertEqual(DEFAULTS["port"], 8080)
