"""The languages of the pages, and a text in all of them."""

from enum import StrEnum
from typing import NamedTuple


class Language(StrEnum):
    """A language, as `--lang` spells it."""

    EN = "en"
    ZH_TW = "zh-TW"


class Words(NamedTuple):
    """A text in English, and in Traditional Chinese as it is written in Taiwan."""

    en: str
    zh_tw: str

    def of(self, language: Language) -> str:
        """Return the text in one language.

        >>> Words("axis", "軸").of(Language.ZH_TW)
        '軸'
        """
        return self.zh_tw if language is Language.ZH_TW else self.en
