{{/* The name of all objects. */}}
{{- define "gamekeeper.name" -}}
{{- .Values.fullnameOverride | default .Release.Name | trunc 52 | trimSuffix "-" -}}
{{- end }}

{{/* What pods are selected by. Takes a dict of `root` and `component`. */}}
{{- define "gamekeeper.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* The labels of an object. */}}
{{- define "gamekeeper.labels" -}}
{{ include "gamekeeper.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "gamekeeper.metadata" -}}
name: {{ include "gamekeeper.name" .root }}-{{ .component }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "gamekeeper.labels" . | nindent 2 }}
{{- end }}

{{- define "gamekeeper.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "gamekeeper.name" .) }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" }}
{{- end }}
{{- end }}

{{- define "gamekeeper.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end }}
{{- end }}
{{- end }}

{{/* A value as text. Helm reads whole numbers as floats too, which Go writes as 6.048e+05. */}}
{{- define "gamekeeper.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) }}{{ int64 . }}{{ else }}{{ . }}{{ end -}}
{{- end }}

{{/* One variable out of a Secret. Takes a dict of `setting`, `secret` and `key`. */}}
{{- define "gamekeeper.secretVariable" -}}
- name: GAMEKEEPER_{{ upper .setting }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret }}
      key: {{ .key }}
{{- end }}

{{/* The settings as variables; secrets are references. */}}
{{- define "gamekeeper.environment" -}}
{{- $secret := required "existingSecret is needed: the name of a Secret with the database's URL and the password keys" .Values.existingSecret -}}
{{- $_ := required "settings.public_url is needed: the address of the service for browsers" .Values.settings.public_url -}}
{{- range $setting, $key := .Values.secretKeys }}
{{ include "gamekeeper.secretVariable" (dict "setting" $setting "secret" $secret "key" $key) }}
{{- end }}
{{- range $setting, $value := .Values.settings }}
{{- $text := include "gamekeeper.text" $value }}
{{- if $text }}
- name: GAMEKEEPER_{{ upper $setting }}
  value: {{ $text | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* Where a process offers its metrics. */}}
{{- define "gamekeeper.metricsVariable" -}}
{{- $host := .Values.serve.host -}}
- name: GAMEKEEPER_METRICS_ADDRESS
  value: {{ printf "%s:%d" (contains ":" $host | ternary (printf "[%s]" $host) $host) (int .Values.metrics.port) | quote }}
{{- end }}

{{/* Rights of a pod: a user without any, in the default seccomp profile. */}}
{{- define "gamekeeper.podSecurity" -}}
runAsNonRoot: true
runAsUser: {{ include "gamekeeper.text" .Values.runAsUser }}
runAsGroup: {{ include "gamekeeper.text" .Values.runAsGroup }}
fsGroup: {{ include "gamekeeper.text" .Values.runAsGroup }}
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{/* Rights of a container: none. */}}
{{- define "gamekeeper.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{/* What all pods begin with. */}}
{{- define "gamekeeper.pod" -}}
automountServiceAccountToken: false
# A Service called gamekeeper would give every pod variables that look like settings.
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  {{- include "gamekeeper.podSecurity" . | nindent 2 }}
{{- end }}

{{/* Where pods go. Takes a dict of `root`, `component` and `place`, the values with these names. */}}
{{- define "gamekeeper.placement" -}}
topologySpreadConstraints:
  {{- range $key := list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
  - topologyKey: {{ $key }}
    maxSkew: 1
    whenUnsatisfiable: {{ $.place.spread }}
    labelSelector:
      matchLabels:
        {{- include "gamekeeper.selector" $ | nindent 8 }}
    # Counted apart for each version, so that old pods do not push new ones together.
    matchLabelKeys: [pod-template-hash]
  {{- end }}
{{- with .place.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .place.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .place.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .place.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{/* The volumes of a pod of serve or worker: /tmp, which is all that is written to, and yours. */}}
{{- define "gamekeeper.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
{{- with .extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "gamekeeper.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- with .extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}
