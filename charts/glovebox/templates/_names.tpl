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

{{/* Name of what belongs to no namespace; no other release has it: (list $ "scan"). */}}
{{- define "glovebox.clusterName" -}}
{{- $root := index . 0 -}}
{{- printf "%s-%s.%s" $root.Release.Name (index . 1) $root.Release.Namespace -}}
{{- end -}}

{{/* Whether this release created the object that `lookup` found: (list $ $object). */}}
{{- define "glovebox.owns" -}}
{{- $release := (index . 0).Release -}}
{{- $annotations := dig "metadata" "annotations" dict (index . 1 | default dict) -}}
{{- $name := get $annotations "meta.helm.sh/release-name" -}}
{{- if and (eq $name $release.Name) (eq (get $annotations "meta.helm.sh/release-namespace") $release.Namespace) -}}
true
{{- end -}}
{{- end -}}

{{/*
The scan namespace is of the whole cluster: two releases of one name are in different namespaces, and so are their scans.
One that this release has made stays, whatever a new one would be called.
*/}}
{{- define "glovebox.scanNamespace" -}}
{{- $short := printf "%s-scans" .Release.Name | trunc 63 -}}
{{- $id := printf "%s/%s" .Release.Namespace .Release.Name | sha256sum | trunc 8 -}}
{{- $long := printf "%s-scans-%s" (.Release.Name | trunc 48 | trimSuffix "-") $id -}}
{{- if .Values.scanNamespace.name -}}
{{- .Values.scanNamespace.name -}}
{{- else if not .Values.scanNamespace.create -}}
{{- $short -}}
{{- else if include "glovebox.owns" (list . (lookup "v1" "Namespace" "" $long)) -}}
{{- $long -}}
{{- else -}}
{{- $there := lookup "v1" "Namespace" "" $short -}}
{{- $isFree := and (eq .Release.Name .Release.Namespace) (not $there) -}}
{{- ternary $short $long (or $isFree (eq (include "glovebox.owns" (list . $there)) "true")) -}}
{{- end -}}
{{- end -}}

{{/* The account of Scans applied by hand that name none; an evaluation has one account. */}}
{{- define "glovebox.scanAccount" -}}
{{- $own := and .Values.evaluation (not .Values.accounts.existingSecret) -}}
{{- .Values.scanNamespace.account | default (ternary "default" "" $own) -}}
{{- end -}}

{{/*
The existing CustomResourceDefinition of this name, if another release created it: (list $ "scans.glovebox.dev"). Empty if
crds.enabled is false.
*/}}
{{- define "glovebox.othersCrd" -}}
{{- $root := index . 0 -}}
{{- if $root.Values.crds.enabled -}}
{{- $crd := lookup "apiextensions.k8s.io/v1" "CustomResourceDefinition" "" (index . 1) -}}
{{- if and $crd (not (include "glovebox.owns" (list $root $crd))) -}}
{{- toJson $crd -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* The creator of the definition, for messages. The argument is the parsed result of glovebox.othersCrd. */}}
{{- define "glovebox.makerOfCrd" -}}
{{- $annotations := dig "metadata" "annotations" dict . -}}
{{- $chart := dig "metadata" "labels" "helm.sh/chart" "" . -}}
{{- with get $annotations "meta.helm.sh/release-name" -}}
the release {{ . }} in the namespace {{ get $annotations "meta.helm.sh/release-namespace" }}
{{- with $chart }} ({{ . }}){{ end -}}
{{- else -}}
somebody else
{{- end -}}
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

{{/* The addresses of canaries: GLOVEBOX_CANARIES. The name of a Service in the same namespace, whatever the cluster's domain. */}}
{{- define "glovebox.canaries" -}}
{{- printf "%s-canary:%d" (include "glovebox.fullname" .) (int .Values.controller.canaryPort) -}}
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

{{/* The Secret with the keys that encrypt identities; an evaluation has its own. */}}
{{- define "glovebox.identityKeysSecret" -}}
{{- if .Values.identities.existingSecret -}}
{{- .Values.identities.existingSecret -}}
{{- else if .Values.evaluation -}}
{{- printf "%s-identity-keys" (include "glovebox.fullname" .) -}}
{{- end -}}
{{- end -}}

{{- define "glovebox.identityKeysSecretKey" -}}
{{- ternary .Values.identities.existingSecretKey "keys" (ne .Values.identities.existingSecret "") -}}
{{- end -}}

{{- define "glovebox.apiReplicas" -}}
{{- if kindIs "invalid" .Values.api.replicas -}}
{{- ternary 1 2 .Values.evaluation -}}
{{- else -}}
{{- int .Values.api.replicas -}}
{{- end -}}
{{- end -}}

{{/*
What a schema of a definition lacks that another has, one line each: fields (spec.revision) and values (status.reason
NoCanary). (dict "wanted" $schema "known" $schema "path" "")
*/}}
{{- define "glovebox.missingInSchema" -}}
{{- $known := .known -}}
{{- $path := .path -}}
{{- range $field, $schema := .wanted.properties | default dict -}}
{{- $here := ternary $field (printf "%s.%s" $path $field) (eq $path "") -}}
{{- $there := dig "properties" $field "" $known -}}
{{- if kindIs "map" $there -}}
{{- include "glovebox.missingInSchema" (dict "wanted" $schema "known" $there "path" $here) -}}
{{- else }}
{{ $here }}
{{ end -}}
{{- end -}}
{{- if and .wanted.items $known.items -}}
{{- include "glovebox.missingInSchema" (dict "wanted" .wanted.items "known" $known.items "path" $path) -}}
{{- end -}}
{{- if $known.enum -}}
{{- range .wanted.enum -}}
{{- if not (has . $known.enum) }}
{{ $path }} {{ . }}
{{ end -}}
{{- end -}}
{{- end -}}
{{- end -}}
