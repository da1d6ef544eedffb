"""Reference pages of operators: `page_of` makes one, `difference.between` compares two."""

from dataclasses import replace

from mincli.errors import UsageError
from mincli.schemas.language import Language
from mincli.schemas.page import DEFAULT_DOMAIN, Page
from mincli.spec import operators
from mincli.spec.operators import OperatorVersion, Standard


def page_of(
    name: str,
    opset: int | None = None,
    standard: Standard = Standard.ONNX,
    language: Language = Language.EN,
) -> Page:
    """Return the reference page of an operator.

    Args:
        name: `OP` or `DOMAIN:OP` of ONNX; `Minimum` or `ReduceMin` of oneDNN.
        opset: of the operator's domain; None is the newest. oneDNN has none.
        standard: who defines the operator.
        language: of the texts; Chinese is there for Min and ReduceMin of ONNX.

    Raises:
        UsageError: there is no such operator, opset or page.
    """
    if standard is Standard.ONEDNN:
        from mincli.schemas import onednn

        row = onednn.resolve(name)
        return _of_minimum(onednn.page_of(row), row, language)

    from mincli.schemas import defined, registry

    page = defined.page_of(registry.find(name, opset))
    known = operators.versions(page.name) if page.domain == DEFAULT_DOMAIN else ()
    rows = {row.since_version: row for row in known}
    return _of_minimum(page, rows.get(page.since_version or 0), language)


def _of_minimum(page: Page, row: OperatorVersion | None, language: Language) -> Page:
    """Add to a page what mincli knows of the minimum operators, in the language asked for."""
    if language is Language.ZH_TW and (row is None or row.standard is Standard.ONEDNN):
        raise UsageError(
            f"there is no page of {page.label} in {language}",
            details=[f"{language} is there for Min and ReduceMin of ONNX"],
            hint=f"--lang {Language.EN}",
        )
    if row is None:
        return page
    if language is Language.ZH_TW:
        from mincli.schemas import chinese

        page = chinese.translated(page, row)
    from mincli.schemas import examples, rules

    return replace(
        page,
        behaviour=rules.behaviour_of(row, language),
        rules=rules.rules_of(row, language),
        examples=examples.examples_of(row, language),
    )
