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
{{- $cidrs := (index $root.Values.networkPolicy (index . 1)).cidrs -}}
{{- include "glovebox.egress.external" (dict "cidrs" $cidrs "ports" (include "glovebox.storePorts" . | fromJsonArray)) -}}
{{- end -}}
{{- end -}}

{{/* The ports of "postgres" or "redis": those of the values, and those that the URL names for its hosts: (list $ "postgres"). */}}
{{- define "glovebox.storePorts" -}}
{{- $values := (index . 0).Values -}}
{{- $ports := list -}}
{{- range (index $values.networkPolicy (index . 1)).ports -}}
{{- $ports = append $ports (int .) -}}
{{- end -}}
{{- $hosts := regexReplaceAll "^[a-z]+://([^/?#]*@)?([^/?#]*).*$" (index $values (index . 1)).url "${2}" -}}
{{- range splitList "," $hosts -}}
{{- with regexFind ":[0-9]+$" . -}}
{{- $ports = append $ports (trimPrefix ":" . | int) -}}
{{- end -}}
{{- end -}}
{{- uniq $ports | toJson -}}
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

{{/* To the receivers of webhooks: HTTPS at public addresses, unless `webhooks.to` names others. */}}
{{- define "glovebox.egress.webhooks" -}}
- ports:
    - { protocol: TCP, port: 443 }
  to:
    {{- with .Values.webhooks.to }}
    {{- toYaml . | nindent 4 }}
    {{- else }}
    - ipBlock:
        cidr: 0.0.0.0/0
        except: [0.0.0.0/8, 10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16]
    - ipBlock: { cidr: "::/0", except: ["::1/128", "64:ff9b::/96", "fc00::/7", "fe80::/10"] }
    {{- end }}
{{- end -}}
