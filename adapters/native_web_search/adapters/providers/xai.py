"""xAI: addressed like OpenAI, asked like Grok."""

from native_web_search.adapters.providers.openai import address
from native_web_search.adapters.providers.responses import grok_body, responses_codec

XAI = responses_codec(address, grok_body)
