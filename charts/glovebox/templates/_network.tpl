{{/* Rules of network policies. */}}

{{/* DNS is allowed to any address: cluster DNS may be pods, a node-local cache or an address of the node. */}}
{{- define "glovebox.egress.dns" -}}
- ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end -}}

{{/* To what `cidrs` and `ports` name: .Values.networkPolicy.postgres and the like. */}}
{{- define "glovebox.egress.external" -}}
- ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ int . }} }
    {{- end }}
  {{- with .cidrs }}
  to:
    {{- range . }}
    - ipBlock: { cidr: {{ . | quote }} }
    {{- end }}
  {{- end }}
{{- end -}}

{{/* To the "postgres" or "redis" of this release, or of elsewhere: (list $ "postgres"). */}}
{{- define "glovebox.egress.store" -}}
{{- $root := index . 0 -}}
{{- if include "glovebox.embeds" . -}}
- ports:
    - { protocol: TCP, port: {{ ternary 5432 6379 (eq (index . 1) "postgres") }} }
  to:
    - podSelector:
        matchLabels:
          {{- include "glovebox.selectorLabels" . | nindent 10 }}
{{- else -}}
{{- include "glovebox.egress.external" (index $root.Values.networkPolicy (index . 1)) -}}
{{- end -}}
{{- end -}}

{{/* To the canaries of this release. */}}
{{- define "glovebox.egress.canary" -}}
- ports:
    - { protocol: TCP, port: {{ int .Values.controller.canaryPort }} }
  to:
    - podSelector:
        matchLabels:
          {{- include "glovebox.selectorLabels" (list . "canary") | nindent 10 }}
{{- end -}}

{{/* From components of this release: (list $ "api" "controller"). */}}
{{- define "glovebox.ingressPeers" -}}
{{- $root := first . -}}
{{- range rest . }}
- podSelector:
    matchLabels:
      {{- include "glovebox.selectorLabels" (list $root .) | nindent 6 }}
{{- end }}
{{- end -}}
