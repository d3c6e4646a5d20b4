"""Every loss, learner, combiner, code and criterion that there is, found by looking.

A new class is put through the tests of its kind without a line being written for it. It is made
with its default parameters, and with those that a table beside the tests has for it.
"""

import importlib
import inspect
import pkgutil


def classes(place, base):
    """name -> class, of all that a package, or a module, defines of a kind."""
    package = importlib.import_module(place)
    inner = pkgutil.walk_packages(getattr(package, "__path__", ()), f"{place}.")
    modules = [package, *(importlib.import_module(module.name) for module in inner)]
    return {
        name: thing
        for module in modules
        for name, thing in sorted(vars(module).items())
        if inspect.isclass(thing) and issubclass(thing, base) and thing is not base
        if thing.__module__ == module.__name__
    }


class Found:
    """Things of one kind, made with various parameters.

    Parameters
    ----------
    places : names of packages or modules
    base : class
    parameters : dict
        Class name -> parameters, beside the defaults; or in their place, if it has none.
    shared : set
        Names of classes of which only other classes are made.
    table : str
        Where these two are written down, for messages.
    """

    def __init__(self, places, base, parameters, shared=(), table=""):
        self.classes = {}
        for place in places:
            self.classes |= classes(place, base)
        self.parameters, self.shared, self.table = parameters, set(shared), table
        self.made = {}
        for name, own in self.classes.items():
            if name not in self.shared:
                for given in self._parameters_of(name, own):
                    text = ", ".join(f"{key}={value}" for key, value in given.items())
                    self.made[f"{name}({text})"] = own(**given)

    def _parameters_of(self, name, own):
        required = [
            each
            for each in inspect.signature(own).parameters.values()
            if each.default is each.empty and each.kind is not each.VAR_KEYWORD
        ]
        return [*([] if required else [{}]), *self.parameters.get(name, [])]

    def lacking(self):
        """What is to be written down before all of them can be tested, in words."""
        made = {type(thing).__name__ for thing in self.made.values()}
        missing = [name for name in self.classes if name not in made | self.shared]
        stale = sorted({*self.parameters, *self.shared} - set(self.classes))
        return [
            f"{name} has no defaults for all of its parameters: give some in {self.table}"
            for name in missing
        ] + [f"{name} is in {self.table}, but there is no such class" for name in stale]
