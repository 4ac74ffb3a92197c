{{/*
Pods read Secrets when they start, so a change of one must roll them: (list $ "postgres" "redis" "accounts"), as many as
the pod has. Of a Secret that the chart makes its values count; of an existing one its version in the cluster, which
`helm template` cannot see: with tools that render without a cluster, restart the Deployments after a change.
*/}}
{{- define "glovebox.secretsChecksum" -}}
{{- $root := first . -}}
{{- $parts := list -}}
{{- range rest . -}}
{{- $values := index $root.Values . -}}
{{- $parts = append $parts (printf "%s %s %s" . ($values.url | default "") $values.existingSecret) -}}
{{- with $values.existingSecret -}}
{{- $secret := lookup "v1" "Secret" $root.Release.Namespace . | default dict -}}
{{- $parts = append $parts (printf "%s %s" (dig "metadata" "uid" "" $secret) (dig "metadata" "resourceVersion" "" $secret)) -}}
{{- end -}}
{{- if and (eq . "accounts") $root.Values.evaluation -}}
{{- $parts = append $parts (toYaml $root.Values.embedded.firstKey) -}}
{{- end -}}
{{- end -}}
{{- join "\n" $parts | sha256sum -}}
{{- end -}}
