{{/*
A pod of `helm test`: (dict "root" $ "name" "sealed" "namespace" … "weight" "1" "script" … "env" (dict …)). With "keep" it stays
after it succeeded: Helm 3 shows no log of a pod outside the release's namespace.
*/}}
{{- define "glovebox.testPod" -}}
apiVersion: v1
kind: Pod
metadata:
  name: {{ include "glovebox.fullname" .root }}-test-{{ .name }}
  namespace: {{ .namespace }}
  labels:
    {{- include "glovebox.labels" (list .root (printf "test-%s" .name)) | nindent 4 }}
  annotations:
    helm.sh/hook: test
    helm.sh/hook-weight: {{ .weight | quote }}
    helm.sh/hook-delete-policy: before-hook-creation{{ if not .keep }},hook-succeeded{{ end }}
    helm.sh/hook-output-log-policy: hook-succeeded,hook-failed
spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  enableServiceLinks: false
  securityContext:
    {{- include "glovebox.podSecurity" (list .root 65532) | nindent 4 }}
  {{- include "glovebox.pullSecrets" .root | nindent 2 }}
  containers:
    - name: test
      image: {{ include "glovebox.image" (list .root .root.Values.api.image) }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      command: [node]
      args:
        - --input-type=module
        - --eval
        - |
          {{- .script | nindent 10 }}
      env:
        {{- range $name, $value := .env }}
        - { name: {{ $name }}, value: {{ $value | quote }} }
        {{- end }}
        - name: HOST_IP
          valueFrom: { fieldRef: { fieldPath: status.hostIP } }
      securityContext:
        {{- include "glovebox.containerSecurity" .root | nindent 8 }}
      resources:
        requests: { cpu: 20m, memory: 64Mi }
        limits: { cpu: 500m, memory: 128Mi } # a quota of the namespace may ask for both
{{- end -}}
