{{/* Deployment, Service and policy of a database of an evaluation: (dict "root" $ "name" "redis" "port" 6379 "callers" (list "api")). */}}

{{- define "glovebox.storeMetadata" -}}
name: {{ include "glovebox.fullname" .root }}-{{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "glovebox.labels" (list .root .name) | nindent 2 }}
annotations:
  glovebox.dev/evaluation: Not for production. The data are lost with the pod.
{{- end -}}

{{- define "glovebox.storeService" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "glovebox.storeMetadata" . | nindent 2 }}
spec:
  selector:
    {{- include "glovebox.selectorLabels" (list .root .name) | nindent 4 }}
  ports:
    - { name: {{ .name }}, port: {{ .port }}, targetPort: {{ .name }}, protocol: TCP }
{{- end -}}

{{- define "glovebox.storePolicy" -}}
{{- if .root.Values.networkPolicy.enabled }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "glovebox.storeMetadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- include "glovebox.selectorLabels" (list .root .name) | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    - ports:
        - { protocol: TCP, port: {{ .port }} }
      from:
        {{- include "glovebox.ingressPeers" (prepend .callers .root) | trim | nindent 8 }}
{{- end }}
{{- end -}}

{{/* The head of the Deployment, up to the pod's fields. */}}
{{- define "glovebox.storeDeployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "glovebox.storeMetadata" . | nindent 2 }}
spec:
  replicas: 1
  strategy: { type: Recreate }
  selector:
    matchLabels:
      {{- include "glovebox.selectorLabels" (list .root .name) | nindent 6 }}
  template:
    metadata:
      # No label that changes with the version of the chart: an upgrade must not restart what keeps its data in the pod.
      labels:
        {{- include "glovebox.selectorLabels" (list .root .name) | nindent 8 }}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      securityContext:
        {{- include "glovebox.podSecurity" (list .root (int .values.runAsUser)) | nindent 8 }}
      {{- include "glovebox.pullSecrets" .root | nindent 6 }}
      containers:
        - name: {{ .name }}
          image: {{ .values.image | quote }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          {{- with .values.command }}
          command:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          {{- with .values.args }}
          args:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          ports:
            - { name: {{ .name }}, containerPort: {{ .port }}, protocol: TCP }
          startupProbe:
            tcpSocket: { port: {{ .name }} }
            periodSeconds: 1
            failureThreshold: 120
          # Not for PostgreSQL: releases before had none, and an upgrade that changes the pod would lose its data.
          {{- if ne .name "postgres" }}
          livenessProbe:
            tcpSocket: { port: {{ .name }} }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          {{- end }}
          readinessProbe:
            tcpSocket: { port: {{ .name }} }
            periodSeconds: 5
          securityContext:
            {{- include "glovebox.containerSecurity" .root | nindent 12 }}
          resources:
            {{- toYaml .values.resources | nindent 12 }}
{{- end -}}
