import unittest

from settings.resolve import load
from settings.sources import SettingsError


class SettingsTest(unittest.TestCase):
    def test_defaults(self):
        self.assertEqual(load("")["port"], 8080)

    def test_override(self):
        settings = load('{"port": 80, "host": "a"}', ["host=b"])
        self.assertEqual((settings["port"], settings["host"]), (80, "b"))

    def test_zero_and_false(self):
        settings = load('{"retries": 0, "compress": false}')
        self.assertEqual((settings["retries"], settings["compress"]), (0, False))

    def test_unknown_setting(self):
        with self.assertRaises(SettingsError):
            load('{"prot": 80}')


if __name__ == "__main__":
    unittest.main()
