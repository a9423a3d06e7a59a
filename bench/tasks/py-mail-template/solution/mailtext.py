"""Texts of automatic mails."""


class TemplateError(Exception):
    """A placeholder that cannot be filled."""


def fill(template, values):
    """The template with its placeholders replaced.

    - {name} is replaced by values["name"], as text.
    - {name|default} is the same, but if `values` has no such name, the default is used.
      The default may be empty.
    - Braces with anything else than a name before the end or the '|' stay as they are.
    Raises TemplateError if a name without a default has no value.
    """
    result = []
    rest = template
    while "{" in rest:
        before, _, rest = rest.partition("{")
        result.append(before)
        inner, end, after = rest.partition("}")
        name, bar, default = inner.partition("|")
        if not end or not name.isidentifier():
            result.append("{")
            continue
        if name in values:
            result.append(str(values[name]))
        elif bar:
            result.append(default)
        else:
            raise TemplateError(f"no value for {name}")
        rest = after
    return "".join(result) + rest


def mail(subject, body, values):
    """A complete mail: subject line, empty line, body."""
    return f"Subject: {fill(subject, values)}\n\n{fill(body, values)}\n"
