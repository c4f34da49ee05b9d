"""What counts as a secret: issuers' prefixes, layouts, names and words, as data.

Nothing here runs. `onrecord.policy.redact` reads the tables: a new issuer is one line in
`PREFIXES`, a new layout one entry in `PATTERNS`, a new language a few entries in the word
lists. Expressions are RE2 (no look-around) over UTF-8; where group 1 exists it is the secret.
"""

from __future__ import annotations

#: The characters a token may have after its prefix, by a one-letter code.
TAILS = {
    "x": "[0-9A-Fa-f]+",
    "a": "[0-9A-Za-z]+",
    "w": "[0-9A-Za-z_]+",
    "d": r"[0-9A-Za-z_\-]+",
    "b": r"[0-9A-Za-z+/=_\-]+",
    "p": r"[0-9A-Za-z_.=\-]+",
}

#: Kind, tail code, least length of the tail, and the literal prefixes it may follow.
PREFIXES: tuple[tuple[str, str, int, tuple[str, ...]], ...] = (
    ("onrecord_token", "w", 30, ("onr_",)),
    ("github_token", "a", 30, ("ghp_", "gho_", "ghu_", "ghs_", "ghr_")),
    ("github_token", "w", 30, ("github_pat_",)),
    ("gitlab_token", "p", 20, ("glpat-", "glrt-", "glrtr-", "gldt-", "glcbt-", "glft-", "glimt-")),
    ("gitlab_token", "d", 20, ("glptt-", "glagent-", "glsoat-", "glffct-", "gloas-", "glwt-")),
    ("gitlab_token", "d", 20, ("GR1348941",)),
    ("atlassian_token", "p", 40, ("ATATT3", "ATCTT3", "ATSTT3")),
    ("atlassian_token", "a", 24, ("ATBB",)),
    ("openai_key", "d", 20, ("sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-")),
    ("anthropic_key", "d", 20, ("sk-ant-",)),
    ("openrouter_key", "d", 30, ("sk-or-",)),
    ("langfuse_key", "d", 30, ("sk-lf-",)),
    ("openai_key", "d", 20, ("sk-",)),
    ("stripe_key", "a", 10, ("sk_live_", "sk_test_", "sk_prod_", "rk_live_", "rk_test_")),
    ("webhook_secret", "b", 20, ("whsec_",)),
    ("api_key", "a", 28, ("sk_",)),
    ("aws_bedrock_key", "b", 60, ("ABSK", "bedrock-api-key-")),
    ("aws_session_token", "b", 60, ("FwoGZXIvYXdz", "IQoJb3JpZ2lu")),
    ("gcp_api_key", "d", 30, ("AIza", "AQ.Ab")),
    ("gcp_oauth", "p", 20, ("GOCSPX-", "ya29.")),
    ("gcp_oauth", "d", 30, ("1//0",)),
    ("slack_token", "d", 16, ("xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-")),
    ("slack_token", "p", 16, ("xoxd-", "xoxe-", "xoxe.", "xapp-", "xwfp-")),
    ("npm_token", "a", 30, ("npm_",)),
    ("pypi_token", "d", 40, ("pypi-AgE", "pypi-")),
    ("gem_key", "x", 40, ("rubygems_",)),
    ("nuget_key", "a", 43, ("oy2",)),
    ("crates_token", "a", 32, ("cio",)),
    ("clojars_token", "a", 40, ("CLOJARS_",)),
    ("docker_token", "d", 20, ("dckr_pat_", "dckr_oat_", "SWMTKN-1-")),
    ("discord_token", "d", 60, ("mfa.",)),
    ("aws_mws_token", "d", 36, ("amzn.mws.",)),
    ("huggingface_token", "a", 28, ("hf_", "api_org_")),
    ("sendgrid_key", "p", 40, ("SG.",)),
    ("brevo_key", "d", 40, ("xkeysib-", "xsmtpsib-")),
    ("mailgun_key", "x", 32, ("key-",)),
    ("mailersend_key", "x", 40, ("mlsn.",)),
    ("resend_key", "w", 24, ("re_",)),
    ("shopify_token", "a", 24, ("shpat_", "shpca_", "shppa_", "shpss_", "shpua_", "shptka_")),
    ("digitalocean_token", "x", 40, ("dop_v1_", "doo_v1_", "dor_v1_")),
    ("databricks_token", "d", 32, ("dapi", "dkea", "dose")),
    ("vault_token", "d", 20, ("hvs.", "hvb.", "hvr.")),
    ("doppler_token", "p", 30, ("dp.pt.", "dp.st.", "dp.sa.", "dp.ct.", "dp.scim.", "dp.audit.")),
    ("dropbox_token", "p", 80, ("sl.",)),
    ("dynatrace_token", "p", 80, ("dt0",)),
    ("easypost_key", "a", 50, ("EZAK", "EZTK")),
    ("duffel_key", "b", 30, ("duffel_live_", "duffel_test_")),
    ("figma_token", "d", 30, ("figd_", "figo_", "figu_", "figdr_")),
    ("flutterwave_key", "d", 12, ("FLWSECK",)),
    ("fly_token", "b", 40, ("fm2_", "fm1r_", "fm1a_", "fo1_")),
    ("frameio_token", "d", 40, ("fio-u-",)),
    ("grafana_token", "b", 30, ("glc_", "glsa_", "eyJrIjoi")),
    ("groq_key", "a", 30, ("gsk_",)),
    ("xai_key", "a", 40, ("xai-",)),
    ("perplexity_key", "a", 30, ("pplx-",)),
    ("replicate_token", "a", 30, ("r8_",)),
    ("cerebras_key", "a", 30, ("csk-",)),
    ("fireworks_key", "a", 22, ("fw_",)),
    ("together_key", "d", 30, ("tgp_v1_",)),
    ("nvidia_key", "d", 40, ("nvapi-",)),
    ("pinecone_key", "w", 30, ("pcsk_",)),
    ("langsmith_key", "w", 30, ("lsv2_pt_", "lsv2_sk_", "ls__")),
    ("llamacloud_key", "a", 30, ("llx-",)),
    ("tavily_key", "d", 20, ("tvly-",)),
    ("firecrawl_key", "x", 30, ("fc-",)),
    ("jina_key", "d", 40, ("jina_",)),
    ("voyage_key", "d", 40, ("pa-",)),
    ("wandb_key", "w", 30, ("wandb_v1_",)),
    ("api_key", "x", 30, ("e2b_",)),
    ("runpod_key", "a", 30, ("rpa_",)),
    ("heroku_key", "d", 30, ("HRKU-",)),
    ("infracost_key", "a", 32, ("ico-",)),
    ("artifactory_key", "a", 50, ("AKCp", "cmVmd")),
    ("linear_key", "a", 30, ("lin_api_", "lin_oauth_", "lin_wh_")),
    ("notion_token", "a", 36, ("ntn_", "secret_")),
    ("newrelic_key", "d", 16, ("NRAK-", "NRII-", "NRIQ-", "NRRA-", "NRJS-", "NRSP-")),
    ("octopus_key", "a", 25, ("API-",)),
    ("openshift_token", "d", 40, ("sha256~",)),
    ("plaid_token", "d", 30, ("access-sandbox-", "access-development-", "access-production-")),
    ("planetscale_token", "p", 30, ("pscale_tkn_", "pscale_oauth_", "pscale_pw_")),
    ("postman_key", "d", 40, ("PMAK-",)),
    ("posthog_key", "a", 30, ("phx_",)),
    ("prefect_key", "a", 30, ("pnu_", "pnb_")),
    ("pulumi_token", "x", 40, ("pul-",)),
    ("readme_key", "a", 40, ("rdme_",)),
    ("razorpay_key", "a", 14, ("rzp_live_", "rzp_test_")),
    ("sentry_token", "b", 40, ("sntrys_", "sntryu_")),
    ("shippo_key", "x", 30, ("shippo_live_", "shippo_test_")),
    ("sonar_token", "x", 40, ("squ_", "sqp_", "sqa_")),
    ("sourcegraph_token", "w", 40, ("sgp_", "slk_")),
    ("square_token", "d", 20, ("sq0atp-", "sq0csp-")),
    ("square_token", "d", 40, ("EAAA",)),
    ("scalingo_token", "d", 40, ("tk-us-",)),
    ("settlemint_token", "a", 16, ("sm_pat_", "sm_aat_", "sm_sat_")),
    ("intra_secret", "d", 50, ("s-s4t2",)),
    ("facebook_token", "a", 80, ("EAA", "IGQV")),
    ("twitter_token", "d", 40, ("AAAAAAAAAAAAAAAAAAAAA",)),
    ("supabase_key", "d", 20, ("sbp_", "sb_secret_")),
    ("tailscale_key", "d", 20, ("tskey-",)),
    ("twitch_token", "a", 30, ("oauth:",)),
    ("typeform_token", "p", 40, ("tfp_",)),
    ("twilio_key", "x", 32, ("SK",)),
    ("scaleway_key", "a", 17, ("SCW",)),
    ("alibaba_key", "a", 16, ("LTAI",)),
    ("tencent_key", "a", 32, ("AKID",)),
    ("baidu_key", "b", 30, ("bce-v3/ALTAK-",)),
    ("yandex_key", "d", 32, ("AQVN", "y0_")),
    ("adobe_key", "a", 30, ("p8e-",)),
    ("apify_token", "a", 30, ("apify_api_",)),
    ("axiom_token", "d", 30, ("xaat-", "xapt-")),
    ("buildkite_token", "d", 30, ("bkua_", "bkct_", "bkaj_")),
    ("circleci_token", "d", 40, ("CCIPAT_", "CCIPRJ_")),
    ("cloudflare_token", "d", 100, ("v1.0-",)),
    ("cloudflare_token", "d", 30, ("cfut_", "cfat_", "cfk_")),
    ("contentful_token", "d", 40, ("CFPAT-",)),
    ("deno_token", "a", 30, ("ddp_", "ddo_")),
    ("honeycomb_key", "a", 40, ("hcaik_", "hcamk_")),
    ("onesignal_key", "w", 40, ("os_v2_",)),
    ("neon_key", "a", 40, ("napi_",)),
    ("netlify_token", "a", 30, ("nfp_", "nfc_")),
    ("render_key", "a", 24, ("rnd_",)),
    ("vercel_token", "a", 24, ("vcp_", "vck_", "vci_", "vca_")),
    ("polar_token", "a", 30, ("polar_oat_",)),
    ("wakatime_key", "d", 30, ("waka_",)),
    ("telnyx_key", "w", 40, ("KEY0",)),
    ("stytch_key", "b", 30, ("secret-live-", "secret-test-")),
    ("clickup_token", "w", 36, ("pk_",)),
    ("airtable_token", "p", 70, ("pat",)),
    ("harness_token", "p", 50, ("pat.", "sat.")),
    ("onepassword_key", "b", 80, ("ops_eyJ",)),
    ("age_key", "a", 40, ("AGE-SECRET-KEY-1", "AGE-SECRET-KEY-PQ-1")),
    ("nostr_key", "a", 50, ("nsec1",)),
    ("wallet_key", "a", 90, ("xprv", "zprv", "tprv")),
)

#: Kind, anchors (one must occur in the lower-cased text), check, expression. An empty anchor
#: occurs wherever a word is long enough to hold such a token.
#: The check, by its name in `redact_layouts`, says what the secret part must be.
# fmt: off
PATTERNS: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    ("private_key", ("private key", "static key v1"), "armour",
     (r"-----? ?BEGIN (?:[0-9A-Z]+ )*(?:PRIVATE KEY|OpenVPN Static key V1)(?: BLOCK)? ?-----?"
      r"(?s:.)*?-----? ?END (?:[0-9A-Z]+ )*(?:PRIVATE KEY|OpenVPN Static key V1)(?: BLOCK)? ?"
      r"-----?")),
    ("private_key", ("private key",), "armour",
     (r"-----? ?BEGIN (?:[0-9A-Z]+ )*PRIVATE KEY(?: BLOCK)? ?-----?"
      r"(?:(?:\\[nr]|[\s\"'+,>|])*"
      r"(?:(?:Proc-Type|DEK-Info|Version|Comment): ?[^\n\\]*"
      r"|[0-9A-Za-z+/]{24}[0-9A-Za-z+/]*=*))+"
      r"(?:(?:\\[nr]|[\s\"'+,>|])+[0-9A-Za-z+/]+=+)?")),
    ("private_key", ("ls0tls1crudjti",), "any",
     (r"LS0tLS1CRUdJTi[0-9A-Za-z+/]*(?:UFJJVkFUR|QUklWQVRF|BSSVZBVE)[0-9A-Za-z+/]+"
      r"(?:\s+[0-9A-Za-z+/]{40}[0-9A-Za-z+/]*)*=*")),
    ("private_key", ("private-lines:",), "any",
     r"PuTTY-User-Key-File-[0-9](?s:.)*?Private-MAC: ?[0-9a-f]+"),
    ("private_key", ("private-lines:",), "any",
     (r"Private-Lines: ?[0-9]+(?:\\[nr]|\s)+"
      r"(?:[0-9A-Za-z+/]{16}[0-9A-Za-z+/]*=*(?:\\[nr]|\s)*)+")),
    ("private_key", ("kty",), "armour",
     (r"\{[^{}]*\"kty\\?\"[^{}]*\"(?:d|k)\\?\"\s*:[^{}]*\}"
      r"|\{[^{}]*\"(?:d|k)\\?\"\s*:[^{}]*\"kty\\?\"[^{}]*\}")),
    ("github_token", ("ghs_", "ghu_", "gho_", "ghp_", "ghr_"), "any",
     r"gh[opusr]_[0-9]+_ey[0-9A-Za-z_\-]+\.[0-9A-Za-z_\-]+\.[0-9A-Za-z_\-]+"),
    ("jwt", ("eyj",), "jwt",
     r"eyJ[0-9A-Za-z_\-]+(?:(?:\.|%2[Ee])[0-9A-Za-z_\-]*)+"),
    ("aws_access_key", ("akia", "asia", "abia", "acca", "a3t"), "key id",
     r"(?:AKIA|ASIA|ABIA|ACCA|A3T[0-9A-Z])[0-9A-Z]{16}"),
    ("url_password", ("://",), "url password",
     r"(?i)[a-z][0-9a-z+.\-]*://[^\s:/@\"'<>`]*:([^\s/\"'<>`]+)@"),
    ("token_in_url", ("://",), "user token",
     r"(?i)https?://([0-9a-z_.\-]+)(?::x-oauth-basic|:)?@[0-9a-z]"),
    ("webhook_url", ("hooks.slack.com",), "webhook",
     r"(?i)(?:https?://)?hooks\.slack\.com/(?:services|workflows|triggers)/[0-9a-z_/\-]+"),
    ("webhook_url", ("/webhooks/",), "webhook",
     (r"(?i)(?:https?://)?(?:[a-z]+\.)?discord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/[0-9]+/"
      r"[0-9a-z_\-]+")),
    ("webhook_url", (".office.com/webhook",), "webhook",
     (r"(?i)(?:https?://)?[0-9a-z.\-]+\.office\.com/webhook(?:b2)?/[0-9a-z_@\-]+"
      r"(?:/[0-9a-z_\-]+)+")),
    ("webhook_url",
     ("/hooks/", "hook.", "/hook/", "/with/key/", "webhook/send", "robot/send", "/incomingw"),
     "webhook",
     (r"(?i)https?://(?:hooks\.zapier\.com/hooks/catch/[0-9a-z_/\-]+"
      r"|hook\.(?:[0-9a-z]+\.)?(?:make|integromat)\.com/[0-9a-z_\-]+"
      r"|maker\.ifttt\.com/trigger/[0-9a-z_\-]+/(?:json/)?with/key/[0-9a-z_\-]+"
      r"|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/[0-9a-z_\-]+"
      r"|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=[0-9a-z_\-]+"
      r"|oapi\.dingtalk\.com/robot/send\?access_token=[0-9a-z_\-]+"
      r"|hooks\.chime\.aws/incomingwebhooks/[0-9a-z_\-]+\?token=[0-9a-z_%\-]+"
      r"|[0-9a-z.\-]+(?::[0-9]+)?/hooks/[0-9a-z_\-]+(?:/[0-9a-z_\-]+)?)")),
    ("webhook_url", ("logic.azure.com", "azure-automation.net", "powerplatform.com"), "webhook",
     (r"(?i)https?://[0-9a-z.\-]+\.(?:logic\.azure\.com|azure-automation\.net"
      r"|powerplatform\.com)"
      r"[^\s\"'<>`]*(?:sig|token)=[0-9a-z_%\-]+")),
    ("telegram_token", (":aa", "telegram"), "inner token",
     r"(?:^|[^0-9])([0-9]{8,10}:[0-9A-Za-z_\-]{35})(?:$|[^0-9A-Za-z_\-])"),
    ("discord_token", ("",), "token",
     (r"[MNO][0-9A-Za-z_\-]{22}[0-9A-Za-z_\-]*\.[0-9A-Za-z_\-]{6}\."
      r"[0-9A-Za-z_\-]{27}[0-9A-Za-z_\-]*")),
    ("kubernetes_token", ("kubeadm", "::server:", "::node:", "token-", "kubeconfig-"),
     "inner token",
     (r"\bkubeadm\b[^\n]*?\b([0-9a-z]{6}\.[0-9a-z]{16})\b"
      r"|K10[0-9a-f]{64}::(?:server|node):[0-9a-z]+"
      r"|\b(?:token|kubeconfig)-[0-9a-z\-]+:[0-9a-z]{50}[0-9a-z]*")),
    ("secret_key", ("django-insecure-",), "any",
     r"django-insecure-[^\s\"']{20}[^\s\"']*"),
    ("private_key", ("minisign encrypted",), "any",
     r"minisign encrypted secret key\s+(RW[0-9A-Za-z+/]{60}[0-9A-Za-z+/]*=*)"),
    ("braintree_token", ("access_token$",), "value",
     r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    ("terraform_token", (".atlasv1.",), "token",
     r"[0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z_=\-]+"),
    ("mailchimp_key", ("-us",), "token",
     r"[0-9a-f]{32}-us[0-9][0-9]?\b"),
    ("mailgun_key", ("",), "token",
     r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\b"),
    ("asana_token", ("",), "token",
     r"[0-9]/[0-9]{12}[0-9]*(?:/[0-9]{12}[0-9]*)?:[0-9a-f]{32}"),
    ("firebase_key", ("aaaa",), "token",
     r"AAAA[0-9A-Za-z_\-]{7}:[0-9A-Za-z_\-]{40}[0-9A-Za-z_\-]*"),
    ("azure_client_secret", ("q~",), "token",
     r"[0-9A-Za-z_~.\-]{3}[0-9]Q~[0-9A-Za-z_~.\-]{28}[0-9A-Za-z_~.\-]*"),
    ("azure_key",
     ("azdo", "+ast", "acdb", "azfu", "azse", "+acr", "+arm", "jqqj9", "apim"),
     "brief token",
     (r"[0-9A-Za-z+/_\-]{40}[0-9A-Za-z+/_\-]*(?:AZDO|\+ASt|ACDb|AzFu|AzSe|\+ACR|\+ARm|JQQJ9"
      r"|APIM)"
      r"[0-9A-Za-z+/_\-]+=*")),
    ("hubspot_key", ("pat-",), "token",
     r"pat-[a-z]{2}[0-9]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    ("launchdarkly_key", ("api-", "sdk-"), "token",
     r"(?:api|sdk)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    ("facebook_token", ("",), "token",
     r"[0-9]{15,16}(?:\||%7[Cc])[0-9A-Za-z_\-]{27,40}"),
    ("clickhouse_key", ("4b1d",), "mixed",
     r"4b1d[0-9A-Za-z]{38}\b"),
    ("vault_token", ("",), "mixed",
     r"s\.[0-9A-Za-z]{24}\b"),
    ("authress_key", (".acc",), "token",
     (r"(?:sc|ext|scauth|authress)_[0-9a-z]{5,30}\.[0-9a-z]{4,6}\.acc[_-][0-9a-z\-]+\."
      r"[0-9A-Za-z+/_=\-]+")),
    ("maxmind_key", ("_mmk",), "token",
     r"[0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk"),
    ("newrelic_key", ("nral",), "token",
     r"[0-9a-f]{36}NRAL"),
    ("onepassword_key", ("a3-",), "token",
     r"A3-[0-9A-Z]{6}-[0-9A-Z]+(?:-[0-9A-Z]{5})(?:-[0-9A-Z]{5})+"),
    ("mapbox_token", ("sk.eyj",), "value",
     r"sk\.eyJ[0-9A-Za-z_\-]+\.[0-9A-Za-z_\-]+"),
    ("otp_seed", ("otpauth",), "value",
     (r"(?i)otpauth(?:-migration)?://[^\s\"'<>`]*[?&](?:secret|data)="
      r"[0-9a-z%+/=]+[^\s\"'<>`)\],]*")),
    ("otp_seed", ("totp", "otp", "2fa", "mfa", "authenticator"), "spread",
     (r"\b(?:(?:[A-Za-z]*_)?[TtHh]?[Oo][Tt][Pp]|2[Ff][Aa]|[Mm][Ff][Aa]|[Aa]uthenticator)"
      r"[^\n:=]{0,40}?(?:[ \t]|[:=\"'`(])+([A-Z2-7]{16}[A-Z2-7]*)\b")),
    ("azure_sas", ("sig=",), "long",
     (r"(?i)(?:\b(?:s[a-z]{1,4}|tn|epk|erk|spk|srk|rsc[a-z])=[^\s&\"'<>`]*&(?:amp;)?)*"
      r"\bsig=[0-9a-z%+/=_\-]{20,}"
      r"(?:&(?:amp;)?(?:s[a-z]{1,4}|tn|epk|erk|spk|srk|rsc[a-z])=[^\s&\"'<>`]*)*")),
    ("url_signature", ("signature=", "signature%3d", "security-token="), "long",
     (r"(?i)[?&;](?:signature|x-amz-signature|x-goog-signature|x-amz-security-token"
      r"|x-ms-signature)(?:=|%3D)([0-9a-z%+/=_~\-]+)")),
    ("gcp_oauth", ("4/0a",), "token",
     r"4/0A[0-9A-Za-z_\-]+"),
    ("bearer_token", ("bearer", "ssws", "geniekey"), "inner token",
     r"(?i)\b(?:bearer|ssws|geniekey)(?:[ \t]+|%20|\+)([0-9a-z_.~+/=\-]+)"),
    ("auth_header", ("authorization",), "credential",
     (r"(?i)authorization(?:\\?[\"'])?\]?\s*(?:[:=,]|=>)\s*(?:\\?[\"'`])?\s*"
      r"(?:basic|token|digest|apikey|api-key|bot|splunk|key|bearer|negotiate|ntlm|oauth)"
      r"[ \t]+(?:token=)?([0-9a-z_.~+/=:\-]+)")),
    ("auth_header", ("_auth", 'auth"'), "base64 pair",
     r"(?:\b_auth|\"auth)\\?\"?\s*[:=]\s*\\?\"?([0-9A-Za-z+/]{8,}=*)"),
    ("auth_header", ("basic ",), "base64 pair",
     r"(?i)\bbasic[ \t]+([0-9a-z+/]+=*)"),
    ("password_hash",
     ("$2", "$5$", "$6$", "$y$", "$apr1$", "$argon2", "pbkdf2_sha", "{ssha", "$scrypt"),
     "long",
     (r"\$2[abxy]?\$[0-9][0-9]\$[./0-9A-Za-z]{50}[./0-9A-Za-z]*"
      r"|\$(?:5|6|y|apr1|7|1)\$[^\s:$\"']+(?:\$[^\s:$\"']+)?\$[./0-9A-Za-z]{16}[./0-9A-Za-z]*"
      r"|\$(?:argon2(?:id|i|d)|scrypt)\$[^\s\"':]+"
      r"|\{SSHA[0-9]*\}[0-9A-Za-z+/]{20}[0-9A-Za-z+/]*=*"
      r"|pbkdf2_sha[0-9]+[:$][^\s\"']+")),
    ("password", ("curl",), "password",
     (r"(?i)\bcurl(?:\.exe)?\b[^\n]*?\s(?:-u|--user|--proxy-user)[ =]*[\"']?"
      r"[^\s:\"']+:([^\s\"']+)")),
    ("password", ("-u ", "-u=", "--user", "--auth", "-a ", "--creds", "--basic"), "strong",
     (r"(?:^|\s)(?:-u|-U|-a|--user|--proxy-user|--auth|--basic-auth|--creds)[ =]+[\"']?"
      r"[0-9A-Za-z_.@+\-]+[:,%]([^\s\"']+)")),
    ("password", ("-u",), "strong",
     r"\s-u[ =]?[^\s\"']+[ \t]+-p[ =]?[\"']?([^\s\"']+)"),
    ("password", ("login",), "password",
     (r"(?i)\b(?:docker|podman|nerdctl|helm|crane|oras|skopeo|buildah|az|oc|cf|snyk|jf"
      r"|regctl)\b"
      r"[^\n]*?\blogin\b[^\n]*?\s-p[ =]?[\"']?([^\s\"']+)")),
    ("password", ("sshpass", "requirepass", "masterauth"), "password",
     r"(?:sshpass[ \t]+-p[ \t]*|(?:requirepass|masterauth)[ \t]+)[\"']?([^\s\"']+)"),
    ("password", ("mysql", "mariadb"), "password",
     r"(?i)\b(?:mysql|mariadb)[a-z\-]*\b[^\n|;]*?\s-p[\"']?([^\s\"'\-][^\s\"']*)"),
    ("password",
     ("redis-cli", "ldap", "sqlcmd", "bcp ", "mongo", "zip ", "7z", "rar ", "freerdp", "cqlsh"),
     "password",
     (r"(?:\bredis-cli\b[^\n|;]*?\s(?:-a|--pass)[ =]|\bldap[a-z]+\b[^\n|;]*?\s-w ?"
      r"|\b(?:sqlcmd|bcp)\b[^\n|;]*?\s-P ?|\bmongo[a-z]*\b[^\n|;]*?\s-p[ =]?"
      r"|\b(?:un)?zip\b[^\n|;]*?\s-P ?|\b(?:7z[ar]?|rar|unrar)\b[^\n|;]*?\s-h?p"
      r"|freerdp\b[^\n|;]*?/p:|\bcqlsh\b[^\n|;]*?\s-p )[\"']?([^\s\"']+)")),
    ("password", ("pass:",), "password",
     r"(?:-pass(?:in|out)?|-srcstorepass|-deststorepass)[ \t]+[\"']?pass:([^\s\"']+)"),
    ("password", ("sqlplus", "jdbc:oracle", "impdp", "expdp"), "password",
     (r"(?i)(?:\b(?:sqlplus|impdp|expdp)[ \t]+(?:-[a-z]+[ \t]+)*|jdbc:oracle:[0-9a-z]+:)[\"']?"
      r"[0-9a-z_]+/([^\s\"'@/]+)@")),
    ("password", ("echo", "printf"), "password",
     (r"\b(?:echo|printf)[ \t]+(?:-n[ \t]+)?(?:[\"'](?:[0-9A-Za-z_]+:)?([^\"'\n]+)[\"']"
      r"|([^\s|\"']+))"
      r"[ \t]*\|[ \t]*(?:sudo[ \t]+(?:-[a-z]+[ \t]+)*-S|sudo[ \t]+(?:chpasswd|passwd)"
      r"|(?:ch)?passwd"
      r"|cryptsetup|[^\n|]*(?:--password-stdin|--with-token|--passphrase-fd))")),
    ("password",
     ("htpasswd", "ssh-keygen", "rabbitmqctl", "lftp", "net use", "net user"),
     "password",
     (r"(?i)(?:\bhtpasswd[ \t]+-[a-z]*b[a-z]*[ \t]+(?:\S+[ \t]+)?[0-9a-z_.@\-]+[ \t]+"
      r"|\bssh-keygen\b[^\n]*?\s-N[ \t]+|\brabbitmqctl[ \t]+(?:add_user"
      r"|change_password)[ \t]+\S+[ \t]+"
      r"|\blftp\b[^\n]*?\s-u[ \t]+[0-9a-z_.@\-]+,"
      r"|\bnet[ \t]+user?[ \t]+\S+[ \t]+(?:\S+[ \t]+)??)"
      r"[\"']?([^\s\"'/\\][^\s\"']+)")),
    ("password", ("identified",), "password",
     (r"(?i)\bidentified(?:[ \t]+with[ \t]+\S+)?[ \t]+(?:by|as)[ \t]+(?:password[ \t]+)?"
      r"[\"']([^\"'\n]+)[\"']")),
    ("password", ("securestring", "networkcredential"), "password",
     (r"(?i)(?:ConvertTo-SecureString(?:[ \t]+-[a-z]+)*|NetworkCredential\([^,\n]+,)[ \t]*"
      r"[\"']([^\"'\n]+)[\"']")),
    ("password", ("5432:", "3306:", ":*:", "1433:"), "password",
     r"(?m)^[0-9A-Za-z_.*\-]+:(?:[0-9]+|\*):[0-9A-Za-z_*\-]+:[0-9A-Za-z_*\-]+:(\S+)\s*$"),
    ("password", ("app pass", "app-pass", "app_pass", "-specific pass"), "any",
     (r"(?i)(?:app|app-specific)[ _\-]?passw(?:or)?d[^\n:=]*?(?:\bis\b|:|=)[ \t]*[\"'`]?"
      r"([a-z]{4}[ \-][a-z]{4}[ \-][a-z]{4}[ \-][a-z]{4})\b")),
    ("license_key", ("licen", "product key", "activation", "serial"), "serial",
     (r"\b(?:[A-Za-z_]*[Ll]icen[cs]e|[A-Z_]*LICEN[CS]E|[Pp]roduct [Kk]ey|[Aa]ctivation|[Ss]erial)"
      r"[^\n]*?\b([0-9A-Z]{4,8}(?:-[0-9A-Z]{4,8})(?:-[0-9A-Z]{4,8})+)\b")),
    ("vault_key", ("unseal",), "token",
     (r"(?i)\bunseal(?:ing)?(?:[ \t]+keys?)?(?:[ \t]*[0-9])?[ \t]*(?:is|are|=|:"
      r"|#)?[ \t]*[\"'`]?"
      r"([0-9a-z+/]{43}[0-9a-z+/=]*)")),
    ("seed_phrase", ("seed", "mnemonic", "recovery phrase", "backup phrase"), "phrase",
     (r"(?i)(?:seed|mnemonic|(?:recovery|backup)[ _]phrase)[^\n]*?[\s:=\"'`(]"
      r"((?:[a-z]{3,8}[ ,]+){11}(?:[a-z]{3,8}[ ,]+)*[a-z]{3,8})\b")),
    ("pin", ("pin ", "pin:", "pin=", "pin code", "door code", "alarm code", "gate code"), "value",
     (r"\b(?:PIN|[Dd]oor code|[Aa]larm code|[Gg]ate code|[Pp]in code|PIN code)[ \t]*"
      r"(?:is|:|=|was|now)?[ \t]*[\"'`]?([0-9]{4,8})\b")),
)
# fmt: on

#: Stretches in which names and words mean nothing: ciphertext, public keys, digests, images.
#: An anchor and the expression.
# fmt: off
OPAQUE: tuple[tuple[str, str], ...] = (
    ("enc[", r"ENC\[[^\]\s]*\]"),
    ("encrypteddata", r"(?m)encryptedData:\s*\n(?:[ \t]+[^\n]*\n?)+"),
    ("-----begin ",
     (r"-----BEGIN (?:[0-9A-Z]+ )*(?:PUBLIC KEY|CERTIFICATE|CERTIFICATE REQUEST|PGP MESSAGE"
      r"|PGP SIGNATURE|X509 CRL)(?: BLOCK)?-----(?s:.)*?-----END [^-]*-----")),
    ("ssh-", r"\b(?:ssh|sk-ssh)-(?:rsa|dss|ed25519)(?:@openssh\.com)? +[0-9A-Za-z+/]+=*"),
    ("ecdsa-", r"\becdsa-sha2-[a-z0-9]+ +[0-9A-Za-z+/]+=*"),
    (";base64,", r"data:[a-z]+/[0-9a-z.+\-]+;base64,[0-9A-Za-z+/=]+"),
    ("$ansible_vault",
     r"\$ANSIBLE_VAULT;[0-9.]+;[0-9A-Z]+(?:;\w+)?(?:\s+[0-9a-f]{20}[0-9a-f]*)+"),
    ("sha", r"\bsha(?:1|224|256|384|512)[-:=]+[0-9A-Za-z+/=]+"),
    ("h1:", r"\bh1:[0-9A-Za-z+/]+=*"),
    ("ingest", r"https?://[0-9a-f]+(?::[0-9a-f]+)?@[0-9a-z.\-]*(?:sentry|ingest)[^\s\"'<>]*"),
    ("sentry", r"https?://[0-9a-f]+(?::[0-9a-f]+)?@[0-9a-z.\-]*(?:sentry|ingest)[^\s\"'<>]*"),
)
# fmt: on

#: A cookie header up to the end of its line or string; group 1 holds its pairs.
COOKIES = r"(?i)\b(?:set-)?cookie[\"']?[ \t]*[:=][ \t]*[\"']?([0-9a-z_.\-]+=[^\r\n\"'<>]+)"

#: What says that a manifest is a Kubernetes Secret, its data and one entry of it.
SECRET_KINDS = r"(?m)^[ \t]*kind:[ \t]*[\"']?Secret[\"']?[ \t]*$"  # noqa: S105  # an expression
SECRET_DATA = r"(?m)^([ \t]*)(?:data|stringData):[ \t]*\n"  # noqa: S105  # an expression

#: Kinds that no table above names: values of names, cookies, manifests.
OTHER_KINDS = (
    "password", "token", "api_key", "secret_key", "aws_secret", "secret", "session",
    "kubernetes_secret",
)  # fmt: skip

#: Words that only name a secret and say nothing once it is gone.
NAMING_WORDS = frozenset({
    "password", "passwd", "pass", "pwd", "secret", "token", "key", "keys", "api", "apikey", "auth",
    "access", "client", "bearer", "authorization", "basic", "export", "env", "redacted", "private",
    "aws", "user", "username", "login", "credentials", "creds", "https", "http", "the", "and",
    "for",
})  # fmt: skip
