"""Imports every module of the generated client."""

import importlib
import pkgutil

import vestry_client

names = [one.name for one in pkgutil.walk_packages(vestry_client.__path__, "vestry_client.")]
for name in names:
    importlib.import_module(name)
print(len(names))
