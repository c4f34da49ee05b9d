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
    ("docker_token", "d", 20, ("dckr_pat_", "dckr_oat_")),
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
    ("duffel_token", "b", 30, ("duffel_live_", "duffel_test_")),
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
    ("e2b_key", "x", 30, ("e2b_",)),
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
    ("shippo_token", "x", 30, ("shippo_live_", "shippo_test_")),
    ("sonar_token", "x", 40, ("squ_", "sqp_", "sqa_")),
    ("sourcegraph_token", "w", 40, ("sgp_", "slk_")),
    ("square_token", "d", 20, ("sq0atp-", "sq0csp-")),
    ("square_token", "d", 50, ("EAAA",)),
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

#: Kind, anchors (one must occur in the lower-cased text), expression, check.
#: The check says what the secret part must be: "any" thing; a "value" that is no placeholder;
#: a "token" that is random too; a "password" that is no placeholder, variable or stock word;
#: a "strong" password that looks chosen or random; and some named after what they test.
PATTERNS: tuple[tuple[str, tuple[str, ...], str, str], ...] = (
    (
        "private_key",
        ("private key", "static key v1"),
        r"-----? ?BEGIN (?:[0-9A-Z]+ )*(?:PRIVATE KEY|OpenVPN Static key V1)(?: BLOCK)? ?-----?"
        r"(?s:.)*?-----? ?END (?:[0-9A-Z]+ )*(?:PRIVATE KEY|OpenVPN Static key V1)(?: BLOCK)? ?"
        r"-----?",
        "armour",
    ),
    (
        "private_key",
        ("private key",),
        r"-----? ?BEGIN (?:[0-9A-Z]+ )*PRIVATE KEY(?: BLOCK)? ?-----?"
        r"(?:(?:\\[nr]|[\s\"'+,>|])*"
        r"(?:(?:Proc-Type|DEK-Info|Version|Comment): ?[^\n\\]*|[0-9A-Za-z+/]{24}[0-9A-Za-z+/]*=*))+"
        r"(?:(?:\\[nr]|[\s\"'+,>|])+[0-9A-Za-z+/]+=+)?",
        "armour",
    ),
    (
        "private_key",
        ("ls0tls1crudjti",),
        r"LS0tLS1CRUdJTi[0-9A-Za-z+/]*(?:UFJJVkFUR|QUklWQVRF|BSSVZBVE)[0-9A-Za-z+/]+"
        r"(?:\s+[0-9A-Za-z+/]{40}[0-9A-Za-z+/]*)*=*",
        "any",
    ),
    (
        "private_key",
        ("private-lines:",),
        r"Private-Lines: ?[0-9]+(?:\\[nr]|\s)+((?:[0-9A-Za-z+/]{16}[0-9A-Za-z+/]*=*(?:\\[nr]|\s)*)+"
        r"(?:[0-9A-Za-z+/]+=*(?:\\[nr]|\s)+)?(?:Private-MAC: ?[0-9a-f]+)?)",
        "any",
    ),
    (
        "private_key",
        ("kty",),
        r"[\"'](?:d|p|q|dp|dq|qi|k)\\?[\"']\s*:\s*\\?[\"']([0-9A-Za-z_\-]+)\\?[\"']",
        "token",
    ),
    (
        "github_token",
        ("ghs_", "ghu_", "gho_", "ghp_", "ghr_"),
        r"gh[opusr]_[0-9]+_ey[0-9A-Za-z_\-]+\.[0-9A-Za-z_\-]+\.[0-9A-Za-z_\-]+",
        "any",
    ),
    (
        "jwt",
        ("eyj",),
        r"eyJ[0-9A-Za-z_\-]+(?:(?:\.|%2[Ee])[0-9A-Za-z_\-]*)+",
        "jwt",
    ),
    (
        "aws_access_key",
        ("akia", "asia", "abia", "acca", "a3t"),
        r"(?:AKIA|ASIA|ABIA|ACCA|A3T[0-9A-Z])[0-9A-Z]{16}",
        "key_id",
    ),
    (
        "password_in_url",
        ("://",),
        r"(?i)[a-z][0-9a-z+.\-]*://[^\s:/@\"'<>`]*:([^\s/\"'<>`]+)@",
        "url_password",
    ),
    (
        "token_in_url",
        ("://",),
        r"(?i)https?://([0-9a-z_.\-]+)(?::x-oauth-basic|:)?@[0-9a-z]",
        "token",
    ),
    (
        "webhook_url",
        ("hooks.slack.com",),
        r"(?i)(?:https?://)?hooks\.slack\.com/(?:services|workflows|triggers)/[0-9a-z_/\-]+",
        "webhook",
    ),
    (
        "webhook_url",
        ("/webhooks/",),
        r"(?i)(?:https?://)?(?:[a-z]+\.)?discord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/[0-9]+/"
        r"[0-9a-z_\-]+",
        "webhook",
    ),
    (
        "webhook_url",
        (".office.com/webhook",),
        r"(?i)(?:https?://)?[0-9a-z.\-]+\.office\.com/webhook(?:b2)?/[0-9a-z_@\-]+(?:/[0-9a-z_\-]+)+",
        "webhook",
    ),
    (
        "webhook_url",
        ("/hooks/", "hook.", "/hook/", "/with/key/", "webhook/send", "robot/send", "/incomingw"),
        r"(?i)https?://(?:hooks\.zapier\.com/hooks/catch/[0-9a-z_/\-]+"
        r"|hook\.(?:[0-9a-z]+\.)?(?:make|integromat)\.com/[0-9a-z_\-]+"
        r"|maker\.ifttt\.com/trigger/[0-9a-z_\-]+/(?:json/)?with/key/[0-9a-z_\-]+"
        r"|open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/v2/hook/[0-9a-z_\-]+"
        r"|qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key=[0-9a-z_\-]+"
        r"|oapi\.dingtalk\.com/robot/send\?access_token=[0-9a-z_\-]+"
        r"|hooks\.chime\.aws/incomingwebhooks/[0-9a-z_\-]+\?token=[0-9a-z_%\-]+"
        r"|[0-9a-z.\-]+(?::[0-9]+)?/hooks/[0-9a-z_\-]+(?:/[0-9a-z_\-]+)?)",
        "webhook",
    ),
    (
        "webhook_url",
        ("logic.azure.com", "azure-automation.net", "powerplatform.com"),
        r"(?i)https?://[0-9a-z.\-]+\.(?:logic\.azure\.com|azure-automation\.net|powerplatform\.com)"
        r"[^\s\"'<>`]*(?:sig|token)=[0-9a-z_%\-]+",
        "webhook",
    ),
    (
        "telegram_token",
        (":aa", "telegram"),
        r"(?:^|[^0-9])([0-9]{8,10}:[0-9A-Za-z_\-]{35})(?:$|[^0-9A-Za-z_\-])",
        "token",
    ),
    (
        "discord_token",
        (".",),
        r"[MNO][0-9A-Za-z_\-]{22}[0-9A-Za-z_\-]*\.[0-9A-Za-z_\-]{6}\.[0-9A-Za-z_\-]{27}[0-9A-Za-z_\-]*",
        "token",
    ),
    (
        "terraform_token",
        (".atlasv1.",),
        r"[0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z_=\-]+",
        "token",
    ),
    (
        "mailchimp_key",
        ("-us",),
        r"[0-9a-f]{32}-us[0-9][0-9]?\b",
        "token",
    ),
    (
        "mailgun_key",
        ("-",),
        r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}\b",
        "token",
    ),
    (
        "asana_token",
        ("/",),
        r"[0-9]/[0-9]{12}[0-9]*(?:/[0-9]{12}[0-9]*)?:[0-9a-f]{32}",
        "token",
    ),
    (
        "firebase_key",
        ("aaaa",),
        r"AAAA[0-9A-Za-z_\-]{7}:[0-9A-Za-z_\-]{40}[0-9A-Za-z_\-]*",
        "token",
    ),
    (
        "azure_client_secret",
        ("q~",),
        r"[0-9A-Za-z_~.\-]{3}[0-9]Q~[0-9A-Za-z_~.\-]{28}[0-9A-Za-z_~.\-]*",
        "token",
    ),
    (
        "azure_key",
        ("azdo", "+ast", "acdb", "azfu", "azse", "+acr", "+arm", "jqqj9", "apim"),
        r"[0-9A-Za-z+/_\-]{40}[0-9A-Za-z+/_\-]*(?:AZDO|\+ASt|ACDb|AzFu|AzSe|\+ACR|\+ARm|JQQJ9|APIM)"
        r"[0-9A-Za-z+/_\-]+=*",
        "token",
    ),
    (
        "hubspot_key",
        ("pat-",),
        r"pat-[a-z]{2}[0-9]-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
        "token",
    ),
    (
        "launchdarkly_key",
        ("api-", "sdk-"),
        r"(?:api|sdk)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}",
        "token",
    ),
    (
        "maxmind_key",
        ("_mmk",),
        r"[0-9A-Za-z]{6}_[0-9A-Za-z]{29}_mmk",
        "token",
    ),
    (
        "newrelic_key",
        ("nral",),
        r"[0-9a-f]{36}NRAL",
        "token",
    ),
    (
        "onepassword_key",
        ("a3-",),
        r"A3-[0-9A-Z]{6}-[0-9A-Z]+(?:-[0-9A-Z]{5})(?:-[0-9A-Z]{5})+",
        "token",
    ),
    (
        "mapbox_token",
        ("sk.eyj",),
        r"sk\.eyJ[0-9A-Za-z_\-]+\.[0-9A-Za-z_\-]+",
        "value",
    ),
    (
        "otp_seed",
        ("otpauth",),
        r"(?i)otpauth(?:-migration)?://[^\s\"'<>]*[?&](?:secret|data)=([0-9a-z%+/=]+)",
        "value",
    ),
    (
        "url_signature",
        ("sig=", "signature=", "sig%3d", "security-token="),
        r"(?i)[?&;](?:sig|signature|x-amz-signature|x-goog-signature|x-amz-security-token"
        r"|x-ms-signature)(?:=|%3D)([0-9a-z%+/=_~\-]+)",
        "long",
    ),
    (
        "gcp_oauth",
        ("4/0a",),
        r"4/0A[0-9A-Za-z_\-]+",
        "token",
    ),
    (
        "bearer_token",
        ("bearer", "ssws", "geniekey"),
        r"(?i)\b(?:bearer|ssws|geniekey)(?:[ \t]+|%20|\+)([0-9a-z_.~+/=\-]+)",
        "bearer",
    ),
    (
        "auth_header",
        ("authorization",),
        r"(?i)authorization(?:\\?[\"'])?\]?\s*(?:[:=,]|=>)\s*(?:\\?[\"'`])?\s*"
        r"(?:basic|token|digest|apikey|api-key|bot|splunk|key|bearer|negotiate|ntlm|oauth)"
        r"[ \t]+(?:token=)?([0-9a-z_.~+/=:\-]+)",
        "credential",
    ),
    (
        "auth_header",
        ("basic ",),
        r"(?i)\bbasic[ \t]+([0-9a-z+/]+=*)",
        "base64_pair",
    ),
    (
        "password_hash",
        ("$2", "$5$", "$6$", "$y$", "$apr1$", "$argon2", "pbkdf2_sha", "{ssha", "$scrypt"),
        r"\$2[abxy]?\$[0-9][0-9]\$[./0-9A-Za-z]{50}[./0-9A-Za-z]*"
        r"|\$(?:5|6|y|apr1|7|1)\$[^\s:$\"']+(?:\$[^\s:$\"']+)?\$[./0-9A-Za-z]{16}[./0-9A-Za-z]*"
        r"|\$(?:argon2(?:id|i|d)|scrypt)\$[^\s\"':]+|\{SSHA[0-9]*\}[0-9A-Za-z+/]{20}[0-9A-Za-z+/]*=*"
        r"|pbkdf2_sha[0-9]+[:$][^\s\"']+",
        "long",
    ),
    (
        "password",
        ("curl",),
        r"(?i)\bcurl(?:\.exe)?\b[^\n]*?\s(?:-u|--user|--proxy-user)[ =]*[\"']?[^\s:\"']+:([^\s\"']+)",
        "password",
    ),
    (
        "password",
        ("-u ", "-u=", "--user", "--auth", "-a ", "--creds", "--basic"),
        r"(?:^|\s)(?:-u|-U|-a|--user|--proxy-user|--auth|--basic-auth|--creds)[ =]+[\"']?"
        r"[0-9A-Za-z_.@+\-]+[:,%]([^\s\"']+)",
        "strong",
    ),
    (
        "password",
        ("login",),
        r"(?i)\b(?:docker|podman|nerdctl|helm|crane|oras|skopeo|buildah|az|oc|cf|snyk|jf|regctl)\b"
        r"[^\n]*?\blogin\b[^\n]*?\s-p[ =]?[\"']?([^\s\"']+)",
        "password",
    ),
    (
        "password",
        ("sshpass", "requirepass", "masterauth"),
        r"(?:sshpass[ \t]+-p[ \t]*|(?:requirepass|masterauth)[ \t]+)[\"']?([^\s\"']+)",
        "password",
    ),
    (
        "password",
        ("mysql", "mariadb"),
        r"(?i)\b(?:mysql|mariadb)[a-z\-]*\b[^\n|;]*?\s-p[\"']?([^\s\"'\-][^\s\"']*)",
        "password",
    ),
    (
        "password",
        ("redis-cli", "ldap", "sqlcmd", "bcp ", "mongo", "zip ", "7z", "rar ", "freerdp", "cqlsh"),
        r"(?:\bredis-cli\b[^\n|;]*?\s(?:-a|--pass)[ =]|\bldap[a-z]+\b[^\n|;]*?\s-w ?"
        r"|\b(?:sqlcmd|bcp)\b[^\n|;]*?\s-P ?|\bmongo[a-z]*\b[^\n|;]*?\s-p[ =]?"
        r"|\b(?:un)?zip\b[^\n|;]*?\s-P ?|\b(?:7z[ar]?|rar|unrar)\b[^\n|;]*?\s-h?p"
        r"|freerdp\b[^\n|;]*?/p:|\bcqlsh\b[^\n|;]*?\s-p )[\"']?([^\s\"']+)",
        "password",
    ),
    (
        "password",
        ("pass:",),
        r"(?:-pass(?:in|out)?|-srcstorepass|-deststorepass)[ \t]+[\"']?pass:([^\s\"']+)",
        "password",
    ),
    (
        "password",
        ("sqlplus", "jdbc:oracle", "impdp", "expdp"),
        r"(?i)(?:\b(?:sqlplus|impdp|expdp)[ \t]+(?:-[a-z]+[ \t]+)*|jdbc:oracle:[0-9a-z]+:)[\"']?"
        r"[0-9a-z_]+/([^\s\"'@/]+)@",
        "password",
    ),
    (
        "password",
        ("echo", "printf"),
        r"\b(?:echo|printf)[ \t]+(?:-n[ \t]+)?(?:[\"'](?:[0-9A-Za-z_]+:)?([^\"'\n]+)[\"']|([^\s|\"']+))"
        r"[ \t]*\|[ \t]*(?:sudo[ \t]+(?:-[a-z]+[ \t]+)*-S|sudo[ \t]+(?:chpasswd|passwd)|(?:ch)?passwd"
        r"|cryptsetup|[^\n|]*(?:--password-stdin|--with-token|--passphrase-fd))",
        "password",
    ),
    (
        "password",
        ("htpasswd", "ssh-keygen", "rabbitmqctl", "lftp", "net use", "net user"),
        r"(?i)(?:\bhtpasswd[ \t]+-[a-z]*b[a-z]*[ \t]+(?:\S+[ \t]+)?[0-9a-z_.@\-]+[ \t]+"
        r"|\bssh-keygen\b[^\n]*?\s-N[ \t]+|\brabbitmqctl[ \t]+(?:add_user|change_password)[ \t]+\S+[ \t]+"
        r"|\blftp\b[^\n]*?\s-u[ \t]+[0-9a-z_.@\-]+,|\bnet[ \t]+user?[ \t]+\S+[ \t]+(?:\S+[ \t]+)??)"
        r"[\"']?([^\s\"'/\\][^\s\"']+)",
        "password",
    ),
    (
        "password",
        ("identified",),
        r"(?i)\bidentified(?:[ \t]+with[ \t]+\S+)?[ \t]+(?:by|as)[ \t]+(?:password[ \t]+)?"
        r"[\"']([^\"'\n]+)[\"']",
        "password",
    ),
    (
        "password",
        ("securestring", "networkcredential"),
        r"(?i)(?:ConvertTo-SecureString(?:[ \t]+-[a-z]+)*|NetworkCredential\([^,\n]+,)[ \t]*"
        r"[\"']([^\"'\n]+)[\"']",
        "password",
    ),
    (
        "password",
        ("5432:", "3306:", ":*:", "1433:"),
        r"(?m)^[0-9A-Za-z_.*\-]+:(?:[0-9]+|\*):[0-9A-Za-z_*\-]+:[0-9A-Za-z_*\-]+:(\S+)\s*$",
        "password",
    ),
    (
        "vault_key",
        ("unseal",),
        r"(?i)\bunseal(?:ing)?(?:[ \t]+keys?)?(?:[ \t]*[0-9])?[ \t]*(?:is|are|=|:|#)?[ \t]*[\"'`]?"
        r"([0-9a-z+/]{43}[0-9a-z+/=]*)",
        "token",
    ),
    (
        "seed_phrase",
        ("seed", "mnemonic", "recovery phrase", "backup phrase"),
        r"(?i)(?:seed|mnemonic|(?:recovery|backup)[ _]phrase)[^\n]*?[\s:=\"'`(]"
        r"((?:[a-z]{3,8}[ ,]+){11}(?:[a-z]{3,8}[ ,]+)*[a-z]{3,8})\b",
        "words",
    ),
    (
        "pin",
        ("pin", "code"),
        r"\b(?:PIN|[Dd]oor code|[Aa]larm code|[Gg]ate code|[Pp]in code|PIN code)[ \t]*"
        r"(?:is|:|=|was|now)?[ \t]*[\"'`]?([0-9]{4,8})\b",
        "value",
    ),
)

#: Stretches in which names and words mean nothing: ciphertext, public keys, digests, images.
OPAQUE: tuple[tuple[str, str], ...] = (
    ("enc[", r"ENC\[[^\]\s]*\]"),
    ("encrypteddata", r"(?m)encryptedData:\s*\n(?:[ \t]+[^\n]*\n?)+"),
    (
        "-----begin ",
        r"-----BEGIN (?:[0-9A-Z]+ )*(?:PUBLIC KEY|CERTIFICATE|CERTIFICATE REQUEST|PGP MESSAGE"
        r"|PGP SIGNATURE|X509 CRL)(?: BLOCK)?-----(?s:.)*?-----END [^-]*-----",
    ),
    ("ssh-", r"\b(?:ssh|sk-ssh)-(?:rsa|dss|ed25519)(?:@openssh\.com)? +[0-9A-Za-z+/]+=*"),
    ("ecdsa-", r"\becdsa-sha2-[a-z0-9]+ +[0-9A-Za-z+/]+=*"),
    (";base64,", r"data:[a-z]+/[0-9a-z.+\-]+;base64,[0-9A-Za-z+/=]+"),
    ("$ansible_vault", r"\$ANSIBLE_VAULT;[0-9.]+;[0-9A-Z]+(?:;\w+)?(?:\s+[0-9a-f]{20}[0-9a-f]*)+"),
    ("sha", r"\bsha(?:1|224|256|384|512)[-:=]+[0-9A-Za-z+/=]+"),
    ("h1:", r"\bh1:[0-9A-Za-z+/]+=*"),
    ("ingest", r"https?://[0-9a-f]+(?::[0-9a-f]+)?@[0-9a-z.\-]*(?:sentry|ingest)[^\s\"'<>]*"),
    ("sentry", r"https?://[0-9a-f]+(?::[0-9a-f]+)?@[0-9a-z.\-]*(?:sentry|ingest)[^\s\"'<>]*"),
)

#: Stems of names that may carry a secret; the lower-cased text must hold one of them.
STEMS = (
    "pass", "pwd", "pw", "psw", "secret", "token", "cred", "key", "auth", "cookie", "sess", "jwt",
    "bearer", "_pat", " pat ", "psk", "salt", "pepper", "otp", "sid=", "mdp", "contrase", "clave",
    "senha", "wachtwoord", "kennwort", "haslo", "losenord", "parol", "sifre", "heslo", "jelsz",
    "salasana", "adgangskode", "lozink", "schluessel", "geheim", "recovery code", "backup code",
)  # fmt: skip

#: A name that may carry a secret: one of the stems with the rest of its identifier.
NAMES = (
    r"(?i)[0-9a-z_.\-]*(?:pass|p[sw]*wd|\bpws?\b|_pw\b|\bpsw|secret|token|cred|key|auth|cookie"
    r"|sess|jwt|bearer|\bpat\b|_pat\b|psk|salt|pepper|otp\b|\bsid\b|_sid\b|\bmdp\b|contrasena"
    r"|\bclave|senha|wachtwoord|kennwort|haslo|losenord|parol|sifre|heslo|jelsz|salasana"
    r"|adgangskode|lozink|schluessel|geheim|recovery codes?|backup codes?)[0-9a-z_\-]*"
)
#: The same in other alphabets; tried when the text is not ASCII.
WIDE_NAMES = (
    r"contraseñas?|has(?:ł|l)o|l(?:ö|o)senord(?:et)?|ş(?:ifre)(?:si)?|jelszó|schlüssel|API-Schlüssel"
    r"|(?:П|п)арол(?:ь|я|ем)|(?:К|к)люч|(?:Т|т)окен|(?:С|с)екрет|密码|密碼|口令|密钥|密鑰|令牌"
    r"|パスワード|秘密鍵|トークン|비밀번호|암호|토큰|[Cc]lé(?: d'| )API|[Cc]lés? secrètes?|[Cc]lé"
)

#: What joins a name to its value, the value's opening quote and its scheme.
#: Groups: 1 operator, 2 value of a pair, 3 next argument, 4 verb, 5 space, 6 quote.
JOINS = (
    r"(?i)(?:"
    r"(\\*(?:[\"'`]|’|”)?[\])]?\**(?:[ \t]*\([^()\n]*\))?[ \t]*"
    r"(?::=|=>|=+|::?|->|→|：|＝|%3[AD]|%253[AD]|是|为|為|は|는|은|\||(?:[ \t]+[a-z]+=\"[^\"]*\")*>)"
    r"\**\s*)"
    r"|(\\?[\"']?[ \t]*,?\s*\\?[\"']?(?:android:)?(?:value|default|defaultvalue)\\?[\"']?[ \t]*"
    r"[:=]\s*|\\?[\"']?[ \t]*\{[^{}]*?default\s*=\s*|[ \t]+(?:--body|-b|--value|--data)[ =]?)"
    r"|(\\?[\"'][ \t]*,[ \t]*)"
    r"|([ \t]+(?:is|are|was|to|lautet|ist|es|est|é|jest|är|это|-|–|—)"
    r"(?:[ \t]+(?:now|currently|still|set to|just|simply|also|always))?[ \t]*:?[ \t]+)"
    r"|([ \t]+)"
    r")(?:[brfu]?(\\*[\"'`]|“|‘|«|„|\*\*?|&quot;|&#39;|<code>))?"
    r"(?:(?:bearer|basic|token|apikey|bot|ssws)[ \t]+)?"
)

#: A cookie header up to the end of its line or string; group 1 holds its pairs.
COOKIES = r"(?i)\b(?:set-)?cookie[\"']?[ \t]*[:=][ \t]*[\"']?([0-9a-z_.\-]+=[^\r\n\"'<>]+)"

#: What says that a manifest is a Kubernetes Secret, its data and one entry of it.
SECRET_KINDS = r"(?m)^[ \t]*kind:[ \t]*[\"']?Secret[\"']?[ \t]*$"
SECRET_DATA = r"(?m)^[ \t]*(?:data|stringData):[ \t]*\n((?:[ \t]+[^\n]*(?:\n|$))+)"
SECRET_ENTRIES = r"(?m)^[ \t]+[\"']?[0-9A-Za-z_.\-]+[\"']?:[ \t]+[\"']?([^\s\"'|>][^\s\"']{3}[^\s\"']*)"

#: What closes an opening quote that does not close itself.
CLOSERS = {"“": "”", "‘": "’", "«": "»", "„": "“", "<code>": "</code>"}

#: Words near which a chosen password is taken for one.
LOGINS = (
    r"(?i)\b(?:log(?:s|ged|ging)?[ \-]?(?:in|on)|sign(?:s|ed|ing)?[ \-]?in|unlock\w*|ssh|sudo|su"
    r"|credentials?|creds|wi-?fi|wlan|vpn|admin|root|account|konto|compte|cuenta|keystore|logins?"
    r"|keychain|htaccess|basic auth|ftp|sftp|smtp|imap|rdp|user(?:name)?|usr|auth(?:enticate)?)\b"
)

#: One of these must occur in the lower-cased text before `LOGINS` is tried.
LOGIN_STEMS = (
    "log", "sign", "unlock", "ssh", "sudo", "cred", "wi-fi", "wifi", "wlan", "vpn", "admin",
    "root", "account", "konto", "compte", "cuenta", "keystore", "htaccess", "basic auth", "ftp",
    "smtp", "imap", "rdp", "user", "usr", "auth",
)  # fmt: skip

#: A word that may hold a password or token: it has a digit.
WORDS = r"[0-9A-Za-z!#$%&*+\-./:;=?@\\^_|~]*[0-9][0-9A-Za-z!#$%&*+\-./:;=?@\\^_|~]*"

#: Words right before a string that say it is an identifier or a digest.
IDENTIFIERS = frozenset({
    "commit", "sha", "sha1", "sha256", "sha512", "md5", "hash", "digest", "checksum", "revision",
    "rev", "build", "image", "trace", "span", "id", "ids", "uid", "uuid", "guid", "etag", "blob",
    "version", "release", "branch", "tag", "ticket", "issue", "pr", "file", "node", "pod", "host",
    "region", "model", "merge-base", "fingerprint", "revert", "cherry-pick", "ref", "request",
    "job", "run", "order", "serial", "cid", "address", "contract", "dashboard", "cve", "port",
    "hashed", "blake3", "nonce", "public", "integrity", "bump", "upgrade", "object", "event",
    "uuidv4", "uuidv7", "ulid",
})  # fmt: skip

#: Words right before a digest or UUID that say whose identifier it is.
OWNERS = frozenset({
    "tenant", "user", "account", "customer", "org", "session", "thread", "project", "workspace",
    "device", "client", "correlation", "transaction", "message", "item", "record", "row", "page",
    "group", "team", "cluster", "namespace", "volume", "subscription", "container", "trace",
})  # fmt: skip

#: Words of a name, by what they say about its value.
PASSWORD_WORDS = frozenset({
    "password", "passwords", "passwd", "passphrase", "passcode", "passwort", "pass", "passw",
    "pwd", "pw", "psw", "pswd", "mdp", "passe", "contraseña", "contraseñas", "contrasena", "clave",
    "senha", "wachtwoord", "kennwort", "hasło", "haslo", "lösenord", "lösenordet", "losenord",
    "parola", "parole", "şifre", "şifresi", "sifre", "heslo", "jelszó", "jelszo", "salasana",
    "adgangskode", "lozinka", "пароль", "пароля", "паролем", "密码", "密碼", "口令", "パスワード",
    "비밀번호", "암호",
})  # fmt: skip
TOKEN_WORDS = frozenset({
    "secret", "secrets", "token", "tokens", "credential", "credentials", "cred", "creds", "apikey",
    "apikeys", "apitoken", "jwt", "bearer", "psk", "salt", "pepper", "otp", "totp", "sid", "cookie",
    "cookies", "session", "sess", "sessid", "sessionid", "auth", "authorization", "authkey",
    "accesskey", "secretkey", "privatekey", "pat", "ключ", "токен", "секрет", "密钥", "密鑰",
    "令牌", "秘密鍵", "トークン", "토큰", "geheimnis", "codes", "code", "clé", "api-schlüssel", "schlüssel", "schluessel",
})  # fmt: skip
#: Words that make a "key" a secret one.
KEY_WORDS = frozenset({
    "api", "access", "secret", "private", "signing", "sign", "encryption", "encrypt", "master",
    "license", "licence", "account", "storage", "shared", "service", "deploy", "product",
    "fernet", "aes", "hmac", "root", "admin", "app", "application", "auth", "session",
    "cookie", "jwt", "webhook", "subscription", "server", "write", "read", "ingest", "recovery",
    "integration", "management", "unseal", "wallet", "preshared", "decryption", "vault", "stream",
    "personal", "live", "prod", "production", "staging", "test", "developer", "dev", "security",
    "sas", "consumer", "function", "activation", "upload", "client", "user", "project", "org",
})  # fmt: skip
#: Words that make a name harmless wherever they stand in it.
HARMLESS_WORDS = frozenset({
    "public", "pub", "pubkey", "publishable", "digest", "checksum", "fingerprint", "primary",
    "foreign", "partition", "sort", "cache", "idempotency", "next", "page", "max", "min", "num",
    "count", "total", "commit", "etag", "sha", "sha1", "sha256", "md5", "site", "host", "object",
    "translation", "keyboard", "monkey", "keyword", "keywords", "tokenizer", "tokenize", "cursor",
    "continuation", "pagination", "dict", "map", "index", "lookup", "unique", "composite", "row",
    "integrity", "routing", "group", "join", "column", "natural", "surrogate", "issue", "message",
    "msg", "i18n", "hotkey", "authors", "author", "nonce", "hash", "hashed",
})  # fmt: skip
#: Last words that make a name say where, how long or which, and not what.
HARMLESS_ENDS = frozenset({
    "file", "path", "dir", "id", "ids", "name", "names", "type", "len", "length", "size", "limit",
    "ttl", "age", "policy", "url", "uri", "endpoint", "field", "label", "hint", "placeholder",
    "algorithm", "alg", "version", "header", "prefix", "suffix", "format", "regex", "pattern",
    "provider", "store", "manager", "service", "class", "reset", "required", "enabled", "env",
    "var", "ref", "arn", "alias", "scope", "scopes", "expiry", "expires", "expiration", "rotation",
    "strength", "usage", "budget", "created", "updated", "at", "in", "input", "form",
    "link", "error", "errors", "validator", "changed", "generator", "prompt", "title",
    "audience", "issuer", "realm", "subject", "text", "help", "method", "mode", "process", "helper", "per", "less", "based", "source",
})  # fmt: skip
