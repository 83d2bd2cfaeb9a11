"""Where an Azure model lives: its variables, read into the model."""

from collections.abc import Mapping

from attrs import evolve

from native_web_search.domain.chat_model import ChatModel

AZURE_API = "azure-openai-responses"


def with_azure_settings(model: ChatModel, environ: Mapping[str, str]) -> ChatModel:
    """An Azure model with base URL, API version and deployment as the environment says.

    `AZURE_OPENAI_BASE_URL` beats `AZURE_OPENAI_RESOURCE_NAME`, which beats the model's own base
    URL. `AZURE_OPENAI_DEPLOYMENT_NAME_MAP` is `modelId=deployment`, comma separated. Any other
    model comes back as it is.
    """
    if model.api != AZURE_API:
        return model
    compat = dict(model.compat)
    version = environ.get("AZURE_OPENAI_API_VERSION", "").strip()
    if version:
        compat["azureApiVersion"] = version
    deployment = _deployments(environ).get(model.id)
    if deployment:
        compat["azureDeployment"] = deployment
    return evolve(model, base_url=_base_url(environ) or model.base_url, compat=compat)


def _base_url(environ: Mapping[str, str]) -> str:
    resource = environ.get("AZURE_OPENAI_RESOURCE_NAME", "").strip()
    derived = f"https://{resource}.openai.azure.com/openai/v1" if resource else ""
    return environ.get("AZURE_OPENAI_BASE_URL", "").strip() or derived


def _deployments(environ: Mapping[str, str]) -> Mapping[str, str]:
    pairs = environ.get("AZURE_OPENAI_DEPLOYMENT_NAME_MAP", "").split(",")
    split = (pair.partition("=") for pair in pairs)
    return {name.strip(): value.strip() for name, _equals, value in split}
