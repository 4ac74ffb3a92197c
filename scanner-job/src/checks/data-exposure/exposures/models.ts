import { exposures } from "../../../attacks/exposure.ts";
import { either, json, keys, text } from "../../../signatures/content.ts";
import { isObject, listMember, member, objectMember, textMember } from "../../../json.ts";

const hasModels =
  (holds: (model: Readonly<Record<string, unknown>>) => boolean) =>
  (value: unknown): boolean =>
    [...listMember(value, "models"), ...listMember(value, "data")].some(
      (model) => isObject(model) && holds(model),
    );

export const modelExposures = exposures(
  {
    group: "Model servers and tools for machine learning",
    ofProducts: true,
    cwe: 306,
    description:
      "A model server or machine learning tool is accessible without credentials. An attacker can use it at the operator's cost, read its data, and with some of these tools execute code.",
    remediation: "Restrict network access to the application, and require authentication.",
  },
  [
    {
      name: "ollama",
      title: "Ollama exposed",
      severity: "high",
      paths: ["/api/tags", "/api/ps", "/ollama/api/tags"],
      content: json(
        "the Ollama models",
        hasModels((model) => isObject(model["details"]) && "digest" in model),
      ),
    },
    {
      name: "vllm",
      title: "vLLM exposed",
      severity: "high",
      paths: ["/v1/models", "/models"],
      content: json(
        "the models of a self-hosted server",
        hasModels(
          (model) =>
            /^(vllm|llamacpp|sglang|localai|tabbyapi)/i.test(String(model["owned_by"])) ||
            "max_model_len" in model,
        ),
      ),
    },
    {
      name: "llama-cpp",
      title: "Prompts of other users exposed (llama.cpp)",
      severity: "high",
      paths: ["/slots", "/props"],
      content: either(
        json(
          "the llama.cpp slots",
          (value) =>
            Array.isArray(value) &&
            value.some((row) => isObject(row) && "n_ctx" in row && ("id_task" in row || "prompt" in row)),
        ),
        keys("default_generation_settings", "total_slots"),
      ),
    },
    {
      name: "text-generation-inference",
      title: "Text Generation Inference exposed",
      severity: "high",
      paths: ["/info"],
      content: keys("model_id", "max_total_tokens"),
    },
    {
      name: "sglang",
      title: "SGLang exposed",
      severity: "high",
      paths: ["/get_server_info", "/get_model_info"],
      content: either(keys("mem_fraction_static"), keys("model_path", "is_generation")),
    },
    {
      name: "triton",
      title: "Triton exposed",
      severity: "high",
      paths: ["/v2"],
      content: json("the Triton extensions", (value) =>
        listMember(value, "extensions").includes("model_repository"),
      ),
    },
    {
      name: "litellm",
      title: "LiteLLM gateway exposed",
      severity: "medium",
      paths: ["/health/readiness", "/model/info", "/key/list"],
      content: either(
        keys("litellm_version"),
        json("the LiteLLM models", (value) =>
          listMember(value, "data").some((row) => isObject(row) && "litellm_params" in row),
        ),
      ),
    },
    {
      name: "langflow",
      title: "Langflow exposed",
      severity: "high",
      paths: ["/api/v1/version", "/api/v1/flows/"],
      content: either(
        json("the Langflow version", (value) => textMember(value, "package") === "Langflow"),
        json(
          "the Langflow flows",
          (value) => Array.isArray(value) && value.some((row) => isObject(row) && "is_component" in row),
        ),
      ),
    },
    {
      name: "flowise",
      title: "Flowise exposed",
      severity: "high",
      paths: ["/api/v1/chatflows", "/api/v1/credentials"],
      content: json(
        "the Flowise flows",
        (value) =>
          Array.isArray(value) &&
          value.some((row) => isObject(row) && ("flowData" in row || "credentialName" in row)),
      ),
    },
    {
      name: "open-webui",
      title: "Chat interface open to sign-up",
      severity: "medium",
      paths: ["/api/config"],
      content: json(
        "settings that allow sign-up",
        (value) =>
          member(value, "name") === "Open WebUI" &&
          (member(objectMember(value, "features"), "auth") === false ||
            member(objectMember(value, "features"), "enable_signup") === true),
      ),
    },
    {
      name: "gradio",
      title: "Gradio application exposed",
      severity: "low",
      paths: ["/config", "/gradio_api/info"],
      content: either(
        keys("mode", "components", "dependencies"),
        keys("named_endpoints", "unnamed_endpoints"),
      ),
    },
    {
      name: "comfyui",
      title: "ComfyUI exposed",
      severity: "high",
      paths: ["/system_stats"],
      content: json(
        "the ComfyUI state",
        (value) =>
          "comfyui_version" in objectMember(value, "system") ||
          ("python_version" in objectMember(value, "system") && Array.isArray(member(value, "devices"))),
      ),
    },
    {
      name: "stable-diffusion",
      title: "Stable Diffusion server exposed",
      severity: "high",
      paths: ["/sdapi/v1/options"],
      content: keys("sd_model_checkpoint"),
    },
    {
      name: "ray",
      title: "Ray dashboard exposed",
      severity: "critical",
      paths: ["/api/version", "/api/jobs/"],
      content: either(
        keys("ray_version", "ray_commit"),
        json(
          "the Ray jobs",
          (value) =>
            Array.isArray(value) &&
            value.some((row) => isObject(row) && "entrypoint" in row && "runtime_env" in row),
        ),
      ),
    },
    {
      name: "mlflow",
      title: "MLflow exposed",
      severity: "high",
      paths: ["/api/2.0/mlflow/experiments/search?max_results=1", "/api/2.0/mlflow/registered-models/search"],
      content: json("MLflow experiments", (value) =>
        [...listMember(value, "experiments"), ...listMember(value, "registered_models")].some(isObject),
      ),
    },
    {
      name: "jupyter",
      title: "Jupyter exposed",
      severity: "critical",
      paths: ["/api/kernels", "/api/contents", "/jupyter/api/kernels"],
      content: either(
        json(
          "the Jupyter kernels",
          (value) => Array.isArray(value) && value.some((row) => isObject(row) && "execution_state" in row),
        ),
        json(
          "Jupyter files",
          (value) =>
            isObject(value) &&
            Array.isArray(value["content"]) &&
            value["type"] === "directory" &&
            "writable" in value,
        ),
      ),
    },
    {
      name: "tensorboard",
      title: "TensorBoard exposed",
      severity: "low",
      paths: ["/data/environment", "/tensorboard/data/environment"],
      content: json(
        "the TensorBoard state",
        (value) => isObject(value) && "data_location" in value && "window_title" in value,
      ),
    },
    {
      name: "inference-metrics",
      title: "Model server metrics exposed",
      severity: "low",
      paths: ["/metrics"],
      content: text("model server metrics", /^(vllm:|llamacpp:|tgi_|sglang:|nv_inference_|localai_)\w+/m),
    },
    {
      name: "n8n",
      title: "n8n settings exposed",
      severity: "low",
      paths: ["/rest/settings"],
      content: json(
        "n8n settings",
        (value) =>
          "n8nMetadata" in objectMember(value, "data") || "endpointWebhook" in objectMember(value, "data"),
      ),
    },
  ],
);
