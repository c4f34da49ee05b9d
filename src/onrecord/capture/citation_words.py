"""What tells a citation from words that look like one: endings, names, neighbours."""

from __future__ import annotations


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: endings that make a file of a bare name: `limits.rs`
EXTENSIONS = _set(
    "c h cc cpp cxx hh hpp hxx rs go py pyi pyx js mjs cjs jsx ts mts cts tsx vue svelte java kt "
    "kts scala groovy gradle clj cljs cljc ex exs erl hrl hs lhs ml mli fs fsx cs vb swift mm rb "
    "rake php pl pm lua r jl dart zig nim sh bash zsh fish ps1 psm1 bat cmd awk sql psql graphql "
    "gql proto thrift capnp md mdx rst adoc txt log csv tsv json jsonl json5 ndjson yaml yml toml "
    "ini cfg conf properties xml xsd xsl html htm css scss sass less svg png jpg jpeg gif webp "
    "ico bmp pdf doc docx xls xlsx ppt pptx odt parquet avro orc sqlite sqlite3 tf tfvars hcl nix "
    "cmake mk bzl bazel patch diff tmpl tpl j2 jinja erb ejs hbs mustache ipynb tex bib pem crt "
    "cer asc sig zip tar gz tgz bz2 xz zst 7z jar war whl deb rpm dll dylib exe wasm plist rules "
    "snap lock mod sum pub bak orig golden feature robot hurl http rego cue dhall elm sol move "
    "asm ld dts dtsi vhd vhdl sv feather npy npz h5 onnx service socket timer"
)
#: endings that are attributes of objects more often than files, when no folder stands before
ATTRIBUTES = _set("lock mod sum pub service socket timer rules sig move http feature")
#: bare names with those endings that are files all the same
WELL_KNOWN = _set(
    "Cargo.lock poetry.lock uv.lock yarn.lock Gemfile.lock composer.lock flake.lock Pipfile.lock "
    "mix.lock pdm.lock bun.lock go.mod go.sum go.work"
)
#: files that have no ending
BARE_FILES = _set(
    "Makefile GNUmakefile Dockerfile Containerfile Justfile justfile Procfile Gemfile Rakefile "
    "Vagrantfile Jenkinsfile Brewfile Pipfile Podfile Fastfile Tiltfile Caddyfile Earthfile "
    "Snakefile BUILD.bazel WORKSPACE CODEOWNERS"
)
#: hidden files that stand in the top folder
DOT_FILES = _set(
    "gitignore gitattributes gitmodules gitkeep gitconfig env envrc editorconfig dockerignore "
    "npmrc npmignore nvmrc yarnrc prettierrc prettierignore eslintrc eslintignore stylelintrc "
    "babelrc swcrc bashrc bash_profile zshrc zshenv profile inputrc vimrc tmux.conf mailmap "
    "htaccess python-version ruby-version node-version tool-versions terraform-version rspec "
    "rubocop.yml flake8 pylintrc coveragerc pre-commit-config.yaml gitlab-ci.yml travis.yml "
    "golangci.yml clang-format clang-tidy luacheckrc netrc pgpass psqlrc curlrc wgetrc"
)
#: folders whose entries are files without an ending
DIRECTORIES = _set("bin sbin src cmd pkg internal scripts crates docs usr etc")
#: the first folder of an absolute path
ROOTS = _set(
    "etc usr var opt home tmp srv mnt root dev proc sys run boot lib lib64 bin sbin media private "
    "Users Library Applications Volumes System nix snap data app work workspace workspaces builds"
)
#: what follows a slash but is no path
HOST_ENDINGS = _set(
    "com org net io dev example test edu gov app ai co info biz eu uk de fr es it nl se jp cn "
    "local internal localhost"
)
#: products that are named like a file
FRAMEWORKS = _set(
    "node next vue nuxt react three express ember backbone d3 chart moment alpine p5 angular "
    "knockout meteor sails adonis keystone nest polymer underscore require ext socket discord "
    "discord.js docs lib crates"
)
#: words that make a commit of digits or letters alone
COMMIT_WORDS = _set("commit commits revision rev sha changeset cherry-pick cherry-picked sha1")
#: words behind which such characters are something else
NOT_COMMITS = _set(
    "container image id uuid guid token key digest checksum md5 address colour color port serial "
    "badge phone number hash-key nonce salt etag trace span request session pod"
)
#: words that take brackets but are no functions
NOT_FUNCTIONS = _set(
    "if for while switch catch return elif else until unless and or not in of as with case when "
    "sizeof typeof TODO FIXME XXX HACK NOTE"
)
#: kinds of change that take a scope in brackets and a colon
CHANGES = _set("feat fix docs chore refactor test perf ci build style revert ops deps")
#: endings in brackets behind a word: `file(s)`
PLURALS = _set("s es ies n en er e x se nen in innen r rs d ed ing a o os as i")
#: words before which a single dash and several letters are an option
OPTION_WORDS = _set(
    "give flag flags option options switch switches pass passes passing with use uses using add "
    "adds adding argument arguments set needs takes accepts and or und oder et ou y o e without "
    "via rm ls tar cp mv git docker curl chmod ssh make go java gcc psql pytest grep find sed"
)
