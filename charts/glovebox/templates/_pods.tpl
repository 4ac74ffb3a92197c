{{/* What pods have in common. */}}

{{/* Reference of an image of ours: (list $ .Values.api.image). A digest wins over a tag at the container runtime. */}}
{{- define "glovebox.image" -}}
{{- $root := index . 0 -}}
{{- $image := index . 1 -}}
{{- $tag := $image.tag | default $root.Values.image.tag | default $root.Chart.AppVersion -}}
{{ trimSuffix "/" $root.Values.image.registry }}/{{ $image.repository }}:{{ $tag }}
{{- with $image.digest }}@{{ . }}{{ end -}}
{{- end -}}

{{/* The security context for Pod Security "restricted", overridden by the values: (list $ 65532). */}}
{{- define "glovebox.podSecurity" -}}
{{- $values := (index . 0).Values -}}
{{- $user := index . 1 -}}
{{- $context := dict "runAsNonRoot" true "seccompProfile" (dict "type" "RuntimeDefault") -}}
{{- if $values.fixedUsers -}}
{{- $context = merge (dict "runAsUser" $user "runAsGroup" $user "fsGroup" $user) $context -}}
{{- end -}}
{{- toYaml (mergeOverwrite $context $values.podSecurityContext) -}}
{{- end -}}

{{- define "glovebox.containerSecurity" -}}
{{- $context := dict "allowPrivilegeEscalation" false "readOnlyRootFilesystem" true "capabilities" (dict "drop" (list "ALL")) -}}
{{- toYaml (mergeOverwrite $context .Values.containerSecurityContext) -}}
{{- end -}}

{{- define "glovebox.pullSecrets" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Where pods of "api", "controller" or "canary" run: (list $ "api"). */}}
{{- define "glovebox.placement" -}}
{{- $root := index . 0 -}}
{{- $values := index $root.Values (index . 1) -}}
{{- $class := $values.priorityClassName -}}
{{- if and (not $class) $root.Values.priorityClasses.create -}}
{{- $class = include "glovebox.clusterName" (list $root "service") -}}
{{- end -}}
{{- with $class }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
{{- with $values.topologySpreadConstraints }}
  {{- toYaml . | nindent 2 }}
{{- else }}
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "glovebox.selectorLabels" . | nindent 8 }}
{{- end }}
{{- end -}}

{{/* Liveness and readiness by the two paths that the API and the controller both have. */}}
{{- define "glovebox.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 1
  failureThreshold: 120
livenessProbe:
  httpGet: { path: /healthz, port: http }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 5
  timeoutSeconds: 5
# Endpoints forget the pod before it stops answering.
lifecycle:
  preStop:
    sleep: { seconds: 5 }
{{- end -}}

{{/* DATABASE_URL, by reference. */}}
{{- define "glovebox.databaseEnv" -}}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      name: {{ include "glovebox.urlSecret" (list . "postgres") }}
      key: {{ include "glovebox.urlSecretKey" (list . "postgres") }}
{{- end -}}
