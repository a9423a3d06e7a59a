"""Reads the layers that override the defaults."""

import json

from settings.defaults import known


class SettingsError(Exception):
    pass


def _check(layer, source):
    for name in layer:
        if not known(name):
            raise SettingsError(f"{source}: unknown setting {name!r}")
    return layer


def from_file(text):
    """The layer of a config file."""
    try:
        layer = json.loads(text or "{}")
    except ValueError as error:
        raise SettingsError(f"config file: {error}") from error
    return _check(layer, "config file")


def from_arguments(arguments):
    """The layer of the command line. Values are JSON if possible, otherwise text."""
    layer = {}
    for argument in arguments:
        name, sep, value = argument.partition("=")
        if not sep:
            raise SettingsError(f"command line: expected name=value, got {argument!r}")
        try:
            layer[name] = json.loads(value)
        except ValueError:
            layer[name] = value
    return _check(layer, "command line")
