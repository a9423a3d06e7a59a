"""Combines the layers into the settings that the server uses."""

from settings.defaults import DEFAULTS
from settings.sources import from_arguments, from_file


def resolve(layers):
    """The value of every setting; a later layer overrides an earlier one."""
    settings = {}
    for name, value in DEFAULTS.items():
        for layer in layers:
            value = layer[name] if layer.get(name) is not None else value
        settings[name] = value
    return settings


def load(config_text, arguments=()):
    """The settings for a config file and the arguments of the command line."""
    return resolve([from_file(config_text), from_arguments(arguments)])
