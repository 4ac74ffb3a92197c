{{/* Names and labels. */}}

{{- define "glovebox.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "glovebox.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains (include "glovebox.name" .) .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name (include "glovebox.name" .) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "glovebox.scanNamespace" -}}
{{- default (printf "%s-scans" .Release.Name) .Values.scanNamespace.name | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{/* The ConfigMap with the certificates that scans trust. */}}
{{- define "glovebox.extraCA" -}}
{{- printf "%s-extra-ca" (include "glovebox.fullname" .) -}}
{{- end -}}

{{/* Labels by which one component is selected: (list $ "api"). They never change between versions of the chart. */}}
{{- define "glovebox.selectorLabels" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: {{ printf "%s-%s" (include "glovebox.name" $root) (index . 1) }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
{{- end -}}

{{- define "glovebox.labels" -}}
{{- $root := index . 0 -}}
{{ include "glovebox.selectorLabels" . }}
app.kubernetes.io/component: {{ index . 1 }}
app.kubernetes.io/part-of: glovebox
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" }}
{{- with $root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Service account of "api" or "controller": (list $ "api"). */}}
{{- define "glovebox.serviceAccount" -}}
{{- $root := index . 0 -}}
{{- $own := printf "%s-%s" (include "glovebox.fullname" $root) (index . 1) -}}
{{- (index $root.Values (index . 1)).serviceAccount.name | default $own -}}
{{- end -}}

{{/* Whether an evaluation brings "postgres" or "redis" itself, because none was given: (list $ "postgres"). */}}
{{- define "glovebox.embeds" -}}
{{- $root := index . 0 -}}
{{- $given := index $root.Values (index . 1) -}}
{{- if and $root.Values.evaluation (not $given.url) (not $given.existingSecret) -}}true{{- end -}}
{{- end -}}

{{/* The Secret that holds the URL of "postgres" or "redis", or nothing: (list $ "postgres"). */}}
{{- define "glovebox.urlSecret" -}}
{{- $root := index . 0 -}}
{{- $values := index $root.Values (index . 1) -}}
{{- if $values.existingSecret -}}
{{- $values.existingSecret -}}
{{- else if or $values.url $root.Values.evaluation -}}
{{- printf "%s-%s" (include "glovebox.fullname" $root) (index . 1) -}}
{{- end -}}
{{- end -}}

{{- define "glovebox.urlSecretKey" -}}
{{- $values := index (index . 0).Values (index . 1) -}}
{{- ternary $values.existingSecretKey "url" (ne $values.existingSecret "") -}}
{{- end -}}

{{/* The Secret that holds the accounts file, or nothing. */}}
{{- define "glovebox.accountsSecret" -}}
{{- if .Values.accounts.existingSecret -}}
{{- .Values.accounts.existingSecret -}}
{{- else if .Values.evaluation -}}
{{- printf "%s-accounts" (include "glovebox.fullname" .) -}}
{{- end -}}
{{- end -}}

{{- define "glovebox.accountsSecretKey" -}}
{{- ternary .Values.accounts.existingSecretKey "accounts.yaml" (ne .Values.accounts.existingSecret "") -}}
{{- end -}}

{{- define "glovebox.apiReplicas" -}}
{{- if kindIs "invalid" .Values.api.replicas -}}
{{- ternary 1 2 .Values.evaluation -}}
{{- else -}}
{{- int .Values.api.replicas -}}
{{- end -}}
{{- end -}}
