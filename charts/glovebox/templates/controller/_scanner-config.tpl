{{/* What the controller puts into the pod of every scan, as JSON (controller, PodOptions). Nothing of it loosens the seal. */}}
{{- define "glovebox.scannerConfig" -}}
{{- $scanner := .Values.scanner -}}
{{- $class := $scanner.priorityClassName -}}
{{- if and (not $class) .Values.priorityClasses.create -}}
{{- $class = include "glovebox.clusterName" (list . "scan") -}}
{{- end -}}
{{- $secrets := list -}}
{{- range .Values.imagePullSecrets }}{{ $secrets = append $secrets .name }}{{ end -}}
{{- $resources := dict -}}
{{- range $name, $amount := $scanner.resources }}{{ $_ := set $resources $name (toString $amount) }}{{ end -}}
{{- $config := dict
  "image" (include "glovebox.image" (list . $scanner.image))
  "imagePullPolicy" .Values.image.pullPolicy
  "serviceAccountName" (printf "%s-scanner" (include "glovebox.fullname" .))
  "resources" $resources -}}
{{- with $secrets }}{{ $_ := set $config "imagePullSecrets" . }}{{ end -}}
{{- with $scanner.runtimeClassName }}{{ $_ := set $config "runtimeClassName" . }}{{ end -}}
{{- with $class }}{{ $_ := set $config "priorityClassName" . }}{{ end -}}
{{- with $scanner.nodeSelector }}{{ $_ := set $config "nodeSelector" . }}{{ end -}}
{{- with $scanner.tolerations }}{{ $_ := set $config "tolerations" . }}{{ end -}}
{{- if not .Values.fixedUsers }}{{ $_ := set $config "fixedUser" false }}{{ end -}}
{{- with $scanner.userNamespace }}{{ $_ := set $config "userNamespace" . }}{{ end -}}
{{- toPrettyJson $config -}}
{{- end -}}
