{{/*
An API key is gbx_, 43 random characters, and the CRC-32 of all before it as 8 hex digits. Made here, no pod needs
permission to write Secrets. Templates have no bitwise operators, hence the arithmetic.
*/}}

{{- define "glovebox.newApiKey" -}}
{{- $body := printf "gbx_%s" (randAlphaNum 43) -}}
{{- printf "%s%s" $body (include "glovebox.crc32" $body) -}}
{{- end -}}

{{/* CRC-32 (zlib) of a text, as 8 hex digits: reflected, 4 bits at a time. */}}
{{- define "glovebox.crc32" -}}
{{- $table := list 0x00000000 0x1db71064 0x3b6e20c8 0x26d930ac 0x76dc4190 0x6b6b51f4 0x4db26158 0x5005713c 0xedb88320 0xf00f9344 0xd6d6a3e8 0xcb61b38c 0x9b64c2b0 0x86d3d2d4 0xa00ae278 0xbdbdf21c -}}
{{- $values := dict "0" 0 "1" 1 "2" 2 "3" 3 "4" 4 "5" 5 "6" 6 "7" 7 "8" 8 "9" 9 "a" 10 "b" 11 "c" 12 "d" 13 "e" 14 "f" 15 -}}
{{- $hex := printf "%x" . -}}
{{- $crc := 0xffffffff -}}
{{- range $at := untilStep 0 (len $hex) 2 -}}
{{- $high := substr $at (int (add $at 1)) $hex -}}
{{- $low := substr (int (add $at 1)) (int (add $at 2)) $hex -}}
{{- range list $low $high -}}
{{- $row := include "glovebox.xor" (list (mod $crc 16) (get $values .) 4) | int -}}
{{- $crc = include "glovebox.xor" (list (div $crc 16) (index $table $row) 32) | int64 -}}
{{- end -}}
{{- end -}}
{{- printf "%08x" (sub 0xffffffff $crc) -}}
{{- end -}}

{{/* Bitwise exclusive or of two numbers, of so many bits: (list a b bits). */}}
{{- define "glovebox.xor" -}}
{{- $a := index . 0 -}}
{{- $b := index . 1 -}}
{{- $out := 0 -}}
{{- $bit := 1 -}}
{{- range until (index . 2) -}}
{{- if ne (mod (div $a $bit) 2) (mod (div $b $bit) 2) -}}
{{- $out = add $out $bit -}}
{{- end -}}
{{- $bit = mul $bit 2 -}}
{{- end -}}
{{- $out -}}
{{- end -}}

{{/* A value of a Secret that is made once: what the cluster has, else the given one. (list $ name key new) */}}
{{- define "glovebox.kept" -}}
{{- $root := index . 0 -}}
{{- $secret := lookup "v1" "Secret" $root.Release.Namespace (index . 1) | default dict -}}
{{- $value := dig "data" (index . 2) "" $secret -}}
{{- if $value -}}{{- b64dec $value -}}{{- else -}}{{- index . 3 -}}{{- end -}}
{{- end -}}
