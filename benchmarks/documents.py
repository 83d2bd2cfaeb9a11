"""The documents that are searched for, shortened and written."""

PLAIN = "search results of a provider, with a line break\nand a quotation every now and then. "
CHINESE = "搜索结果包含网页的标题和正文，每隔一段就有标点。没有空格\n"


def text(length: int, words: str = PLAIN) -> str:
    """A text of that length."""
    return (words * (length // len(words) + 1))[:length]


def results(count: int, length: int, words: str = PLAIN) -> dict[str, object]:
    """An answer with results of that length."""
    return {"results": [_result(number, length, words) for number in range(count)]}


def _result(number: int, length: int, words: str) -> dict[str, object]:
    return {
        "url": f"https://site-{number}.example/path/to/page",
        "title": f"The title of page {number}",
        "content": text(length, words),
    }


def deepseek_answer(size: int, count: int = 10) -> dict[str, object]:
    """What DeepSeek says to a search: so many results, all fields, about `size` bytes in all."""
    return {
        "results": [
            {
                "rerank_score": 2.5,
                "title": f"The title of page {number}",
                "url": f"https://site-{number}.example/path/to/page",
                "snippet": text(180),
                "summary": text(800),
                "content": text(max(1, size // count - 1_300)),
                "site_name": f"Site {number}",
                "site_icon": f"https://site-{number}.example/favicon.ico",
                "date": "2026-05-17T00:00:00+00:00",
                "authority": 1,
            }
            for number in range(count)
        ]
    }
