import { testExposures } from "../../../testing/test-exposures.ts";
import { modelExposures } from "./models.ts";

testExposures(modelExposures, {
  ollama: [
    { models: [{ name: "llama3", digest: "a", details: {} }] },
    { models: [{ name: "T", year: 1908 }] },
  ],
  vllm: [{ data: [{ id: "a", owned_by: "vllm" }] }, { data: [{ id: "gpt-5", owned_by: "openai" }] }],
  "llama-cpp": [[{ id: 0, id_task: 1, n_ctx: 4096 }], [{ id: 0, slot: "10:00" }]],
  "text-generation-inference": [{ model_id: "a", max_total_tokens: 4096 }, { model_id: "a" }],
  sglang: [{ mem_fraction_static: 0.9 }, { server: "a" }],
  triton: [{ name: "triton", extensions: ["model_repository"] }, { extensions: [] }],
  litellm: [{ status: "healthy", litellm_version: "1.5" }, { status: "healthy" }],
  langflow: [{ version: "1.1", package: "Langflow" }, { version: "1.1" }],
  flowise: [[{ id: "a", flowData: "{}" }], [{ id: "a" }]],
  "open-webui": [
    { name: "Open WebUI", features: { auth: false } },
    { name: "Open WebUI", features: { auth: true } },
  ],
  gradio: [{ mode: "blocks", components: [], dependencies: [] }, { mode: "dark" }],
  comfyui: [{ system: { comfyui_version: "0.3" }, devices: [] }, { system: {} }],
  "stable-diffusion": [{ sd_model_checkpoint: "a" }, { model: "a" }],
  ray: [{ ray_version: "2", ray_commit: "a" }, { version: "2" }],
  mlflow: [{ experiments: [{ experiment_id: "0" }] }, { experiments: [] }],
  jupyter: [[{ id: "a", execution_state: "idle" }], [{ id: "a", name: "popcorn" }]],
  tensorboard: [{ data_location: "/logs", window_title: "" }, { version: "2" }],
  "inference-metrics": ["vllm:num_requests_running 1\n", "requests 1\n"],
  n8n: [{ data: { endpointWebhook: "webhook" } }, { data: {} }],
});
